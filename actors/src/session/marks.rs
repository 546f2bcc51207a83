//! What each caller has seen: the picture before its last input, and where frames stand in
//! the history. Text that was there before never satisfies a wait.

use std::collections::{HashMap, VecDeque};

use super::observe::Look;
use crate::caller::Owner;
use crate::session_limits::{CALLER_MARKS_MAX, ECHO_BYTES_MAX, FRAME_MARKS_MAX};

/// The picture right before an input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mark {
    pub frame: u64,
    pub history_total: u64,
    /// What stood left of the cursor, such as the prompt: old even when its row changes.
    pub prefix: String,
    /// Lines of the text that was typed, whose echo is not output.
    pub echo: Vec<String>,
}

impl Mark {
    #[must_use]
    pub fn before(look: &Look, typed: Option<&str>) -> Self {
        let frame = look.frame();
        let typed = typed.filter(|text| text.len() <= ECHO_BYTES_MAX).unwrap_or("");
        Self {
            frame: frame.number,
            history_total: frame.history_total,
            prefix: left_of_cursor(frame),
            echo: typed.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect(),
        }
    }
}

fn left_of_cursor(frame: &term::Frame) -> String {
    let mut out = String::new();
    if let Some(row) = frame.rows.get(usize::from(frame.cursor.y)) {
        for cell in row.cells.iter().take(usize::from(frame.cursor.x)) {
            cell.push_to(&mut out);
        }
    }
    out
}

#[derive(Debug, Default)]
pub struct Marks {
    callers: HashMap<Owner, Mark>,
    /// Frame number and history length, oldest first.
    frames: VecDeque<(u64, u64)>,
}

impl Marks {
    pub fn set(&mut self, owner: &Owner, mark: Mark) {
        if self.callers.len() >= CALLER_MARKS_MAX && !self.callers.contains_key(owner) {
            self.callers.clear();
        }
        self.callers.insert(owner.clone(), mark);
    }

    /// The text stands on the screen now; what comes after Enter is what counts.
    pub fn move_on(&mut self, owner: &Owner, look: &Look) {
        if let Some(mark) = self.callers.get_mut(owner) {
            mark.frame = look.frame().number;
            mark.history_total = look.frame().history_total;
        }
    }

    #[must_use]
    pub fn of(&self, owner: &Owner) -> Option<Mark> {
        self.callers.get(owner).cloned()
    }

    /// Remembers where a frame that leaves stands.
    pub fn saw(&mut self, frame: &term::Frame) {
        if self.frames.back().is_some_and(|(number, _)| *number == frame.number) {
            return;
        }
        if self.frames.len() >= FRAME_MARKS_MAX {
            self.frames.pop_front();
        }
        self.frames.push_back((frame.number, frame.history_total));
    }

    /// History length at a frame: of the newest remembered one that is not later.
    #[must_use]
    pub fn history_at(&self, frame: u64) -> Option<u64> {
        self.frames.iter().rev().find(|(number, _)| *number <= frame).map(|(_, total)| *total)
    }
}
