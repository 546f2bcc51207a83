//! Erasing, inserting and deleting.

use super::state::State;
use crate::line::Line;
use crate::pen::PROTECTED;
use crate::screen::Region;
use crate::slot::Slot;

/// What an erase leaves alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spare {
    Nothing,
    /// DECSED, DECSEL: cells written under DECSCA.
    Protected,
}

impl State {
    /// ED. History stays: `CSI 3 J` clears what a human could scroll back to, but what was
    /// shown once may still be read as a transcript.
    pub fn erase_display(&mut self, what: u16, spare: Spare) {
        let (x, y) = (self.place.x, self.place.y);
        let rows = self.rows();
        match what {
            0 => {
                self.erase_line(0, spare);
                self.erase_rows(y + 1, rows, spare);
            }
            1 => {
                self.erase_rows(0, y, spare);
                self.erase_cells(y, 0, x + 1, spare);
            }
            2 => self.erase_rows(0, rows, spare),
            _ => return,
        }
        self.place.pending = false;
    }

    fn erase_rows(&mut self, from: usize, to: usize, spare: Spare) {
        let cols = self.cols();
        for y in from..to {
            self.erase_cells(y, 0, cols, spare);
        }
    }

    /// EL.
    pub fn erase_line(&mut self, what: u16, spare: Spare) {
        let (x, y, cols) = (self.place.x, self.place.y, self.cols());
        match what {
            0 => self.erase_cells(y, x, cols, spare),
            1 => self.erase_cells(y, 0, x + 1, spare),
            2 => self.erase_cells(y, 0, cols, spare),
            _ => return,
        }
        self.place.pending = false;
    }

    pub fn erase_chars(&mut self, count: usize) {
        let (x, y) = (self.place.x, self.place.y);
        self.erase_cells(y, x, x + count, Spare::Nothing);
        self.place.pending = false;
    }

    pub fn erase_cells(&mut self, y: usize, from: usize, to: usize, spare: Spare) {
        let fill = self.erased();
        let cols = self.cols();
        let spare = if self.guarded { Spare::Protected } else { spare };
        let Some(line) = self.screen.lines.get_mut(y) else {
            return;
        };
        match spare {
            Spare::Nothing => {
                line.fill(from, to, fill);
                if to >= cols {
                    line.wrapped = false;
                }
            }
            Spare::Protected => {
                for x in from..to.min(cols) {
                    let slot = line.cells.get(x).copied().unwrap_or(Slot::BLANK);
                    if self.styles.pen(slot.style).flags & PROTECTED == 0 {
                        line.fill(x, x + 1, fill);
                    }
                }
            }
        }
    }

    pub fn insert_chars(&mut self, count: usize) {
        let fill = self.erased();
        let right = self.right_limit();
        let (x, y) = (self.place.x, self.place.y);
        self.place.pending = false;
        if !self.inside_margins() {
            return;
        }
        if let Some(line) = self.screen.lines.get_mut(y) {
            line.insert(x, count, right, fill);
        }
    }

    pub fn delete_chars(&mut self, count: usize) {
        let fill = self.erased();
        let right = self.right_limit();
        let (x, y) = (self.place.x, self.place.y);
        self.place.pending = false;
        if !self.inside_margins() {
            return;
        }
        if let Some(line) = self.screen.lines.get_mut(y) {
            line.delete(x, count, right, fill);
            if right == line.cols() {
                line.wrapped = false;
            }
        }
    }

    fn inside_margins(&self) -> bool {
        (self.region.left..self.region.right).contains(&self.place.x)
    }

    /// IL and DL count from the cursor's row and do nothing outside the region.
    fn lines_from_cursor(&self) -> Option<Region> {
        self.region
            .holds(self.place.x, self.place.y)
            .then_some(Region { top: self.place.y, ..self.region })
    }

    pub fn insert_lines(&mut self, count: usize) {
        let Some(region) = self.lines_from_cursor() else {
            return;
        };
        let fill = self.erased();
        self.screen.scroll_down(region, count, fill, &mut self.ids);
        self.place.x = self.region.left;
        self.place.pending = false;
    }

    pub fn delete_lines(&mut self, count: usize) {
        let Some(region) = self.lines_from_cursor() else {
            return;
        };
        let fill = self.erased();
        self.screen.scroll_up(region, count, fill, &mut self.ids, None);
        self.place.x = self.region.left;
        self.place.pending = false;
    }

    /// DECIC and DECDC, SL and SR: every row of the region.
    pub fn shift_columns(&mut self, from: usize, count: usize, shift: fn(&mut Line, Shift)) {
        let fill = self.erased();
        let region = self.region;
        for line in self.screen.lines.iter_mut().take(region.bottom).skip(region.top) {
            shift(line, Shift { from, count, right: region.right, fill });
        }
        self.place.pending = false;
    }

    /// DECALN.
    pub fn alignment_pattern(&mut self) {
        self.region = self.whole();
        self.place = crate::screen::Place::default();
        for line in &mut self.screen.lines {
            let cols = line.cols();
            line.fill(0, cols, Slot::ascii(b'E', 0));
            line.wrapped = false;
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Shift {
    pub from: usize,
    pub count: usize,
    pub right: usize,
    pub fill: Slot,
}
