//! One of the two screens: its lines, its history and what is saved with it. Knows how lines
//! move; what the moves mean is decided by the terminal.

use std::collections::VecDeque;

use crate::charset::Charsets;
use crate::history::History;
use crate::line::Line;
use crate::pen::Pen;
use crate::picture::Picture;
use crate::slot::Slot;

/// Where the next character goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Place {
    pub x: usize,
    pub y: usize,
    /// The last column was written: the next character wraps first.
    pub pending: bool,
}

/// What DECSC keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Saved {
    pub place: Place,
    pub pen: Pen,
    pub charsets: Charsets,
    pub origin: bool,
}

impl Saved {
    /// As after a reset: restoring it homes the cursor.
    pub fn is_home(&self) -> bool {
        *self == Self::default()
    }
}

/// Scroll region: rows `top..bottom`, columns `left..right`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    pub top: usize,
    pub bottom: usize,
    pub left: usize,
    pub right: usize,
}

impl Region {
    pub fn holds(&self, x: usize, y: usize) -> bool {
        (self.top..self.bottom).contains(&y) && (self.left..self.right).contains(&x)
    }
}

#[derive(Debug)]
pub(crate) struct Screen {
    /// A ring, because the whole screen scrolls with each line of output.
    pub lines: VecDeque<Line>,
    pub history: History,
    pub saved: Saved,
    /// Kitty keyboard flags; the last one counts.
    pub kitty: Vec<u8>,
}

/// Numbers for new lines.
#[derive(Debug, Default)]
pub(crate) struct LineIds(u64);

impl LineIds {
    pub fn next(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

impl Screen {
    pub fn new(cols: usize, rows: usize, history: usize, ids: &mut LineIds) -> Self {
        Self {
            lines: (0..rows).map(|_| Line::new(cols, ids.next())).collect(),
            history: History::new(history),
            saved: Saved::default(),
            kitty: Vec::new(),
        }
    }

    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    pub fn cols(&self) -> usize {
        self.lines.front().map_or(0, Line::cols)
    }

    pub fn kitty_flags(&self) -> u8 {
        self.kitty.last().copied().unwrap_or(0)
    }

    /// Moves the region's content up. Whole lines leaving the top of the screen are kept in
    /// the history when the caller says so by handing the picture that dates them.
    pub fn scroll_up(
        &mut self,
        region: Region,
        count: usize,
        fill: Slot,
        ids: &mut LineIds,
        keep: Option<&Picture>,
    ) {
        let (top, bottom) = (region.top, region.bottom.min(self.lines.len()));
        if top >= bottom {
            return;
        }
        let count = count.min(bottom - top);
        let cols = self.cols();
        if region.left > 0 || region.right < cols {
            self.shift_columns_up(region, count, fill);
            return;
        }
        let keep = keep.filter(|_| top == 0);
        for line in self.lines.range_mut(top..top + count) {
            let mut fresh = None;
            if let Some(picture) = keep {
                line.stamp = picture.stamp_of(line);
                let empty = Line { cells: Vec::new(), ..*line };
                fresh = self.history.push(std::mem::replace(line, empty));
            }
            if let Some(fresh) = fresh {
                *line = fresh;
            }
            line.renew(cols, ids.next(), fill);
        }
        self.rotate_up(top, bottom, count);
    }

    pub fn scroll_down(&mut self, region: Region, count: usize, fill: Slot, ids: &mut LineIds) {
        let (top, bottom) = (region.top, region.bottom.min(self.lines.len()));
        if top >= bottom {
            return;
        }
        let count = count.min(bottom - top);
        let cols = self.cols();
        if region.left > 0 || region.right < cols {
            self.shift_columns_down(region, count, fill);
            return;
        }
        self.rotate_up(top, bottom, bottom - top - count);
        for line in self.lines.range_mut(top..top + count) {
            line.renew(cols, ids.next(), fill);
        }
    }

    /// The first `count` of these lines go behind the others.
    fn rotate_up(&mut self, top: usize, bottom: usize, count: usize) {
        if bottom - top == self.lines.len() {
            self.lines.rotate_left(count);
        } else {
            self.lines.make_contiguous()[top..bottom].rotate_left(count);
        }
    }

    fn shift_columns_up(&mut self, region: Region, count: usize, fill: Slot) {
        for y in region.top..region.bottom - count {
            self.copy_columns(y + count, y, region);
        }
        for line in self.lines.range_mut(region.bottom - count..region.bottom) {
            line.fill(region.left, region.right, fill);
        }
    }

    fn shift_columns_down(&mut self, region: Region, count: usize, fill: Slot) {
        for y in (region.top + count..region.bottom).rev() {
            self.copy_columns(y - count, y, region);
        }
        for line in self.lines.range_mut(region.top..region.top + count) {
            line.fill(region.left, region.right, fill);
        }
    }

    fn copy_columns(&mut self, from: usize, to: usize, region: Region) {
        let (left, right) = (region.left, region.right);
        for y in [from, to] {
            self.lines[y].split_at(left);
            self.lines[y].split_at(right);
        }
        let cells = self.lines[from].cells[left..right].to_vec();
        let line = &mut self.lines[to];
        line.cells[left..right].copy_from_slice(&cells);
        line.used = line.used.max(right);
        line.touched = true;
    }
}
