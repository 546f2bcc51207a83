//! Bytes to actions: the DEC parser with UTF-8.
//!
//! Own, because three things must hold that a generic parser leaves open: strings have a cap
//! and what is beyond is dropped; the terminator of a string is known, since replies repeat it;
//! broken UTF-8 costs one replacement character and never eats the control that follows it.
//! Printable runs are handed over whole. The result does not depend on how bytes are cut.

mod csi;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use csi::Csi;

use crate::utf8::{self, Decoded};

/// How a string ended; a reply ends the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Bell,
    StringTerminator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StringKind {
    Osc,
    Dcs,
    Apc,
    /// PM, SOS: nobody reads them.
    Ignored,
    /// `ESC k`: the title as screen and tmux have it.
    Title,
}

/// What the parser tells.
pub(crate) trait Actor {
    /// Bytes 0x20 to 0x7e, at least one.
    fn print_ascii(&mut self, run: &[u8]);
    /// A character above 0x9f.
    fn print_char(&mut self, c: char);
    fn execute(&mut self, control: u8);
    fn escape(&mut self, intermediates: &[u8], last: u8);
    fn csi(&mut self, csi: &Csi);
    fn string(&mut self, kind: StringKind, data: &[u8], ending: Ending);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Ground,
    Escape,
    EscapeIntermediate,
    CsiParam,
    CsiIntermediate,
    CsiIgnore,
    Text(StringKind),
}

#[derive(Debug)]
pub(crate) struct Parser {
    state: State,
    csi: Csi,
    string: Vec<u8>,
    /// Last byte of the string, kept although the string may be full.
    string_last: u8,
    /// Beginning of a character whose rest has not come yet.
    partial: [u8; 4],
    partial_len: usize,
}

impl Parser {
    pub fn new() -> Self {
        Self {
            state: State::Ground,
            csi: Csi::new(),
            string: Vec::new(),
            string_last: 0,
            partial: [0; 4],
            partial_len: 0,
        }
    }

    pub fn advance<A: Actor>(&mut self, bytes: &[u8], actor: &mut A) {
        let mut rest = bytes;
        while let Some((first, after)) = rest.split_first() {
            rest = match self.state {
                State::Ground if self.partial_len > 0 => self.continue_char(*first, rest, actor),
                State::Ground => self.ground(rest, actor),
                State::Text(kind) => self.text(kind, rest, actor),
                State::CsiParam => {
                    self.csi_param(*first, actor);
                    after
                }
                State::Escape
                | State::EscapeIntermediate
                | State::CsiIntermediate
                | State::CsiIgnore => {
                    // Text after a broken sequence is text, not a part of it.
                    if *first >= 0x80 {
                        self.state = State::Ground;
                        continue;
                    }
                    self.sequence(*first, actor);
                    after
                }
            };
        }
    }

    fn ground<'a, A: Actor>(&mut self, bytes: &'a [u8], actor: &mut A) -> &'a [u8] {
        let mut rest = bytes;
        while let Some((first, after)) = rest.split_first() {
            match *first {
                0x20..=0x7e => {
                    let run = printable_len(rest);
                    let (text, more) = rest.split_at(run);
                    actor.print_ascii(text);
                    rest = more;
                }
                0x1b => match self.whole_csi(rest, actor) {
                    Some(more) => rest = more,
                    None => {
                        self.enter_escape();
                        return after;
                    }
                },
                0x00..=0x1f => {
                    actor.execute(*first);
                    rest = after;
                }
                0x7f => rest = after,
                0x80..=0xff => {
                    rest = self.character(rest, actor);
                    if self.state != State::Ground || self.partial_len > 0 {
                        return rest;
                    }
                }
            }
        }
        rest
    }

    fn enter_escape(&mut self) {
        self.state = State::Escape;
        self.csi.clear();
    }

    fn character<'a, A: Actor>(&mut self, bytes: &'a [u8], actor: &mut A) -> &'a [u8] {
        match utf8::decode(bytes) {
            Decoded::Char(c, len) => {
                self.print(c, actor);
                bytes.get(len..).unwrap_or_default()
            }
            Decoded::Invalid(len) => {
                actor.print_char(char::REPLACEMENT_CHARACTER);
                bytes.get(len..).unwrap_or_default()
            }
            Decoded::Incomplete => {
                self.partial_len = bytes.len().min(3);
                for (place, byte) in self.partial.iter_mut().zip(bytes) {
                    *place = *byte;
                }
                &[]
            }
        }
    }

    /// One more byte for a character that was cut.
    fn continue_char<'a, A: Actor>(
        &mut self,
        byte: u8,
        bytes: &'a [u8],
        actor: &mut A,
    ) -> &'a [u8] {
        let len = self.partial_len.min(3);
        self.partial[len] = byte;
        let joined = self.partial;
        match utf8::decode(&joined[..=len]) {
            Decoded::Char(c, _) => {
                self.partial_len = 0;
                self.print(c, actor);
                &bytes[1..]
            }
            Decoded::Incomplete => {
                self.partial_len = len + 1;
                &bytes[1..]
            }
            Decoded::Invalid(_) => {
                // What came before was a valid beginning, so the new byte is what breaks it.
                self.partial_len = 0;
                actor.print_char(char::REPLACEMENT_CHARACTER);
                bytes
            }
        }
    }

    fn print<A: Actor>(&mut self, c: char, actor: &mut A) {
        // C1 controls in UTF-8 are what ESC and the letter 0x40 lower say.
        match c {
            '\u{80}'..='\u{9f}' => {
                self.enter_escape();
                self.sequence(c as u8 - 0x40, actor);
            }
            _ => actor.print_char(c),
        }
    }

    fn sequence<A: Actor>(&mut self, byte: u8, actor: &mut A) {
        match (self.state, byte) {
            (_, 0x18 | 0x1a) => {
                self.state = State::Ground;
                actor.execute(byte);
            }
            (_, 0x1b) => self.enter_escape(),
            (_, 0x00..=0x1f) => actor.execute(byte),
            (_, 0x7f) => {}
            (State::Escape | State::EscapeIntermediate, 0x20..=0x2f) => {
                self.csi.collect(byte);
                self.state = State::EscapeIntermediate;
            }
            (State::Escape, b'[') => self.state = State::CsiParam,
            (State::Escape, b']') => self.start_string(StringKind::Osc),
            (State::Escape, b'P') => self.start_string(StringKind::Dcs),
            (State::Escape, b'_') => self.start_string(StringKind::Apc),
            (State::Escape, b'X' | b'^') => self.start_string(StringKind::Ignored),
            (State::Escape, b'k') => self.start_string(StringKind::Title),
            (State::Escape | State::EscapeIntermediate, _) => {
                self.state = State::Ground;
                if !self.csi.is_overlong() {
                    actor.escape(self.csi.intermediates(), byte);
                }
            }
            (State::CsiIntermediate, 0x20..=0x2f) => self.csi.collect(byte),
            (State::CsiIntermediate, 0x30..=0x3f) => self.state = State::CsiIgnore,
            (State::CsiIntermediate, _) => self.dispatch(byte, actor),
            (State::CsiIgnore, 0x40..) => self.state = State::Ground,
            (State::CsiIgnore, _) => {}
            (State::Ground | State::CsiParam | State::Text(_), _) => {}
        }
    }

    fn csi_param<A: Actor>(&mut self, byte: u8, actor: &mut A) {
        match byte {
            b'0'..=b'9' => self.csi.digit(byte - b'0'),
            b';' => self.csi.separator(false),
            0x40..=0x7e => self.dispatch(byte, actor),
            b':' => self.csi.separator(true),
            b'<'..=b'?' if self.csi.is_new() => self.csi.prefix = byte,
            b'<'..=b'?' => self.state = State::CsiIgnore,
            0x20..=0x2f => {
                self.csi.collect(byte);
                self.state = State::CsiIntermediate;
            }
            0x00..=0x1f | 0x7f => self.sequence(byte, actor),
            0x80..=0xff => {
                self.state = State::Ground;
                self.ground(&[byte], actor);
            }
        }
    }

    fn dispatch<A: Actor>(&mut self, byte: u8, actor: &mut A) {
        self.state = State::Ground;
        if !self.csi.is_overlong() {
            self.csi.last = byte;
            actor.csi(&self.csi);
        }
    }
}

/// Length of the run of 0x20 to 0x7e at the beginning.
fn printable_len(bytes: &[u8]) -> usize {
    const STEP: usize = 16;
    let printable = |byte: &u8| byte.wrapping_sub(0x20) < 0x5f;
    let mut len = 0;
    for chunk in bytes.chunks_exact(STEP) {
        if !chunk.iter().fold(true, |all, byte| all & printable(byte)) {
            break;
        }
        len += STEP;
    }
    let rest = bytes.get(len..).unwrap_or_default();
    len + rest.iter().position(|byte| !printable(byte)).unwrap_or(rest.len())
}
