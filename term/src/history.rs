//! Lines that scrolled off the top, numbered from the first one ever.

use std::collections::VecDeque;

use crate::line::Line;

#[derive(Debug)]
pub(crate) struct History {
    lines: VecDeque<Line>,
    /// Number of the oldest line kept.
    first: u64,
    limit: usize,
    /// Lines before this number are plain text already.
    plain_until: u64,
}

impl History {
    pub fn new(limit: usize) -> Self {
        Self { lines: VecDeque::new(), first: 0, limit, plain_until: 0 }
    }

    /// Lines ever pushed. It never falls, also not when a wider screen joins lines.
    pub fn total(&self) -> u64 {
        self.first + self.lines.len() as u64
    }

    /// Keeps a line; gives back the one that had to go, so that its memory is used again.
    pub fn push(&mut self, line: Line) -> Option<Line> {
        if self.limit == 0 {
            self.first += 1;
            return Some(line);
        }
        let gone = if self.lines.len() >= self.limit {
            self.first += 1;
            self.lines.pop_front()
        } else {
            None
        };
        self.lines.push_back(line);
        gone
    }

    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter()
    }

    /// The older half of the lines that were not given out here before.
    pub fn next_oldest_half(&mut self) -> impl Iterator<Item = &mut Line> {
        let from = self.plain_until.max(self.first);
        let to = from + self.total().saturating_sub(from).div_ceil(2);
        self.plain_until = to;
        let skip = usize::try_from(from - self.first).unwrap_or(usize::MAX);
        let take = usize::try_from(to - from).unwrap_or(usize::MAX);
        self.lines.iter_mut().skip(skip).take(take)
    }

    /// At most `max` lines from the absolute number `from` on, or from the oldest one kept.
    pub fn range(&self, from: u64, max: usize) -> impl Iterator<Item = (u64, &Line)> {
        let skip = usize::try_from(from.saturating_sub(self.first)).unwrap_or(usize::MAX);
        let first = self.first;
        self.lines
            .iter()
            .enumerate()
            .skip(skip)
            .take(max)
            .map(move |(index, line)| (first + index as u64, line))
    }

    pub fn take(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines).into()
    }

    /// Puts back lines of another width. The newest keeps the number it had, or gets a higher
    /// one, so that a reader who remembers a number never misses a line.
    pub fn replace(&mut self, total_before: u64, mut lines: Vec<Line>) {
        let total = total_before.max(self.first + lines.len() as u64);
        let excess = lines.len().saturating_sub(self.limit);
        lines.drain(..excess);
        self.first = total - lines.len() as u64;
        self.lines = lines.into();
        self.plain_until = self.first;
    }

    pub fn clear(&mut self) {
        self.first = self.total();
        self.lines.clear();
    }
}
