//! One line of the grid: cells, and what is needed to tell old text from new.
//!
//! Invariants: a wide cell is always followed by its spacer and a spacer always follows a
//! wide cell; cells from `used` on are untouched blanks.

use crate::slot::Slot;

#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub cells: Vec<Slot>,
    /// Cells from here on are [`Slot::BLANK`].
    pub used: usize,
    /// The text goes on in the next line.
    pub wrapped: bool,
    /// Written to since the last picture was taken.
    pub touched: bool,
    /// Moves with the line when it scrolls; a new line gets a new one.
    pub id: u64,
    /// Number of the picture in which the content last changed.
    pub stamp: u64,
}

impl Line {
    pub fn new(cols: usize, id: u64) -> Self {
        Self {
            cells: vec![Slot::BLANK; cols],
            used: 0,
            wrapped: false,
            touched: true,
            id,
            stamp: 0,
        }
    }

    /// Makes this a new line filled with `fill`.
    pub fn renew(&mut self, cols: usize, id: u64, fill: Slot) {
        if self.cells.len() == cols {
            let used = self.used.min(cols);
            self.cells[..used].fill(Slot::BLANK);
        } else {
            self.cells.clear();
            self.cells.resize(cols, Slot::BLANK);
        }
        self.used = 0;
        if fill != Slot::BLANK {
            self.cells.fill(fill);
            self.used = cols;
        }
        self.wrapped = false;
        self.touched = true;
        self.id = id;
        self.stamp = 0;
    }

    pub fn cols(&self) -> usize {
        self.cells.len()
    }

    /// Blanks a wide glyph that a change at `x` would cut in two.
    #[inline]
    pub fn split_at(&mut self, x: usize) {
        if x > 0 && self.cells.get(x).is_some_and(|slot| slot.is_spacer()) {
            self.blank_both(x);
        }
    }

    fn blank_both(&mut self, x: usize) {
        for place in [x - 1, x] {
            let style = self.cells[place].style;
            self.cells[place] = Slot::blank(style);
        }
    }

    /// Fills `from..to`, halves of wide glyphs at the edges included.
    pub fn fill(&mut self, from: usize, to: usize, fill: Slot) {
        let to = to.min(self.cells.len());
        if from >= to {
            return;
        }
        self.split_at(from);
        self.split_at(to);
        self.touched = true;
        self.cells[from..to].fill(fill);
        if fill != Slot::BLANK {
            self.used = self.used.max(to);
        } else if to >= self.used {
            self.used = self.used.min(from);
        }
    }

    /// Moves `x..right` to the right by `count` and blanks what opens up.
    pub fn insert(&mut self, x: usize, count: usize, right: usize, fill: Slot) {
        let right = right.min(self.cells.len());
        if x >= right {
            return;
        }
        let count = count.min(right - x);
        self.split_at(x);
        self.split_at(right);
        self.split_at(right - count);
        self.touched = true;
        self.cells.copy_within(x..right - count, x + count);
        self.cells[x..x + count].fill(fill);
        self.used = right.max(self.used);
    }

    /// Moves `x+count..right` to the left and blanks what opens up.
    pub fn delete(&mut self, x: usize, count: usize, right: usize, fill: Slot) {
        let right = right.min(self.cells.len());
        if x >= right {
            return;
        }
        let count = count.min(right - x);
        self.split_at(x);
        self.split_at(x + count);
        self.split_at(right);
        self.touched = true;
        self.cells.copy_within(x + count..right, x);
        self.cells[right - count..right].fill(fill);
        self.used = right.max(self.used);
    }

    /// Puts a glyph of one or two columns at `x`; the caller made sure that it fits.
    #[inline]
    pub fn put(&mut self, x: usize, slot: Slot) {
        let width = if slot.is_wide() { 2 } else { 1 };
        let end = x + width;
        if end > self.cells.len() {
            return;
        }
        self.split_at(x);
        self.split_at(end);
        self.cells[x] = slot;
        if width == 2 {
            self.cells[x + 1] = Slot::spacer(slot.style);
        }
        self.used = self.used.max(end);
        self.touched = true;
    }

    /// Puts another glyph of the same width where one is.
    pub fn replace(&mut self, x: usize, slot: Slot) {
        if let Some(place) = self.cells.get_mut(x) {
            *place = slot;
            self.touched = true;
            self.used = self.used.max(x + 1);
        }
    }

    /// Writes printable ASCII from `x` on; the caller made sure that it fits.
    pub fn put_ascii(&mut self, x: usize, text: &[u8], style: u32) {
        let end = x + text.len();
        if end > self.cells.len() {
            return;
        }
        self.split_at(x);
        self.split_at(end);
        for (place, byte) in self.cells[x..end].iter_mut().zip(text) {
            *place = Slot::ascii(*byte, style);
        }
        self.used = self.used.max(end);
        self.touched = true;
    }

    /// Changes the width; a wide glyph that no longer fits is blanked.
    pub fn set_cols(&mut self, cols: usize) {
        if cols < self.cells.len() {
            self.split_at(cols);
            self.touched = true;
            self.wrapped = false;
        }
        self.cells.resize(cols, Slot::BLANK);
        self.used = self.used.min(cols);
    }

    /// Whether nothing was ever written here.
    pub fn is_blank(&self) -> bool {
        self.cells[..self.used.min(self.cells.len())].iter().all(|slot| *slot == Slot::BLANK)
    }
}

/// Equal content: the same cells, whatever the number of untouched blanks after them.
pub(crate) fn same_cells(a: &[Slot], b: &[Slot]) -> bool {
    if a.len() == b.len() {
        return a == b;
    }
    let shared = a.len().min(b.len());
    let blank = |rest: &[Slot]| rest.iter().all(|slot| *slot == Slot::BLANK);
    a[..shared] == b[..shared] && blank(&a[shared..]) && blank(&b[shared..])
}

impl Line {
    /// Copies cells in from `x` on, up to `right`; halves of wide glyphs become blanks.
    pub fn paste(&mut self, x: usize, cells: &[Slot], right: usize) {
        let end = (x + cells.len()).min(right).min(self.cells.len());
        if x >= end {
            return;
        }
        self.split_at(x);
        self.split_at(end);
        for (place, slot) in self.cells[x..end].iter_mut().zip(cells) {
            *place = *slot;
        }
        if self.cells[x].is_spacer() {
            self.cells[x] = Slot::blank(self.cells[x].style);
        }
        if self.cells[end - 1].is_wide() {
            self.cells[end - 1] = Slot::blank(self.cells[end - 1].style);
        }
        self.used = self.used.max(end);
        self.touched = true;
    }
}
