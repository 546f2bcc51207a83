//! What was typed into a session, by whom, and what follows from it. Plain data.

use std::collections::{HashMap, VecDeque};

use super::fresh::Mark;
use crate::caller::{Caller, Owner};
use crate::limits::{CALLERS_MAX, ECHO_LINES_MAX, INPUTS_MAX};

/// Remembers the inputs of each caller and the last one of all.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    callers: HashMap<String, VecDeque<Mark>>,
    /// Frame each caller saw last.
    seen: HashMap<String, u64>,
    /// Rises with every write of input.
    pub(crate) count: u64,
    /// When the last one was written.
    pub(crate) last_ms: Option<i64>,
    /// Output bytes known just before it.
    pub(crate) output_bytes: u64,
    /// Text that stands in the composer unsubmitted, and whose it is.
    pub(crate) draft: Option<Owner>,
    /// Who pressed keys since the last submission: what stands in the composer may be of them.
    pub(crate) touched: Option<Owner>,
    /// The line prompt as it stood empty, before anybody typed behind it.
    pub(crate) prompt: Option<String>,
}

fn key(caller: &Caller) -> String {
    format!("{}\0{}", caller.token_id, caller.owner.session_key)
}

impl Inputs {
    /// Input begins.
    pub(crate) fn begin(&mut self, caller: &Caller, mark: Mark) {
        make_room(&mut self.callers);
        let marks = self.callers.entry(key(caller)).or_default();
        while marks.len() >= INPUTS_MAX {
            marks.pop_front();
        }
        marks.push_back(mark);
    }

    pub(crate) fn written(&mut self, now_ms: i64, output_bytes: u64) {
        self.count += 1;
        self.last_ms = Some(now_ms);
        self.output_bytes = output_bytes;
    }

    /// The frame behind which text is new to this caller, and where its lines begin.
    pub(crate) fn since(&self, caller: &Caller, asked: Option<u64>) -> Since {
        let marks = self.callers.get(&key(caller));
        let last = marks.and_then(|marks| marks.back());
        let frame = asked.or(last.map(|mark| mark.frame)).unwrap_or(0);
        let inputs: Vec<Mark> =
            marks.into_iter().flatten().filter(|mark| mark.frame >= frame).cloned().collect();
        // Lines that left the screen before the first of these inputs are older than it.
        let known = marks.into_iter().flatten().rfind(|mark| mark.frame <= frame);
        let history_from = known.map_or(0, |mark| mark.history_total);
        Since { frame, history_from, inputs }
    }

    pub(crate) fn saw(&mut self, caller: &Caller, frame: u64) {
        make_room(&mut self.seen);
        self.seen.insert(key(caller), frame);
    }

    pub(crate) fn last_seen(&self, caller: &Caller) -> u64 {
        self.seen.get(&key(caller)).copied().unwrap_or(0)
    }
}

fn make_room<T>(map: &mut HashMap<String, T>) {
    if map.len() >= CALLERS_MAX {
        // Who it hits only loses a default.
        map.clear();
    }
}

/// See `Inputs::since`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Since {
    pub(crate) frame: u64,
    pub(crate) history_from: u64,
    pub(crate) inputs: Vec<Mark>,
}

/// The lines of a text as they would be echoed.
pub(crate) fn echo_lines(text: &str) -> Vec<String> {
    text.split(['\n', '\r'])
        .map(|line| line.trim_end().chars().filter(|c| !c.is_control()).collect())
        .filter(|line: &String| !line.is_empty())
        .take(ECHO_LINES_MAX)
        .collect()
}
