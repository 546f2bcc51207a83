//! Strings: OSC, DCS, APC and those nobody reads. Capped; what is beyond is dropped.

use super::{Actor, Ending, Parser, State, StringKind};
use crate::limits::STRING_BYTES_MAX;

impl Parser {
    pub(super) fn start_string(&mut self, kind: StringKind) {
        self.state = State::Text(kind);
        self.string.clear();
        self.string_last = 0;
    }

    pub(super) fn text<'a, A: Actor>(
        &mut self,
        kind: StringKind,
        bytes: &'a [u8],
        actor: &mut A,
    ) -> &'a [u8] {
        let end = bytes.iter().position(|byte| matches!(byte, 0x07 | 0x18 | 0x1a | 0x1b | 0x9c));
        let (data, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        self.keep(kind, data);
        let Some((first, after)) = rest.split_first() else {
            return rest;
        };
        match *first {
            0x07 if matches!(kind, StringKind::Osc | StringKind::Title) => {
                self.state = State::Ground;
                self.finish(kind, Ending::Bell, actor);
            }
            0x18 | 0x1a => {
                self.state = State::Ground;
                self.drop_string();
                actor.execute(*first);
            }
            0x1b => {
                self.finish(kind, Ending::StringTerminator, actor);
                self.enter_escape();
            }
            0x9c if self.string_last == 0xc2 => {
                // ST as one C1 character; its first byte was taken for data.
                if self.string.last() == Some(&0xc2) {
                    self.string.pop();
                }
                self.state = State::Ground;
                self.finish(kind, Ending::StringTerminator, actor);
            }
            other => self.keep(kind, &[other]),
        }
        after
    }

    fn keep(&mut self, kind: StringKind, data: &[u8]) {
        if let Some(last) = data.last() {
            self.string_last = *last;
        }
        if kind != StringKind::Ignored {
            let room = STRING_BYTES_MAX.saturating_sub(self.string.len());
            let data = data.get(..room).unwrap_or(data);
            self.string.extend_from_slice(data);
        }
    }

    fn finish<A: Actor>(&mut self, kind: StringKind, ending: Ending, actor: &mut A) {
        if kind != StringKind::Ignored {
            actor.string(kind, &self.string, ending);
        }
        self.drop_string();
    }

    fn drop_string(&mut self) {
        // A large string must not hold its memory for the rest of the session.
        const KEEP: usize = 4_096;
        self.string.clear();
        self.string.shrink_to(KEEP);
    }
}
