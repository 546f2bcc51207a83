//! Where the cursor goes: lines, columns, tabs, margins.

use super::modes::{AUTOWRAP, NEWLINE, ORIGIN, REVERSE_WRAP, TAB_WRAPS};
use super::state::State;
use crate::screen::{Place, Region, Saved};

impl State {
    /// LF, VT, FF, IND: down one, scrolling at the bottom of the region.
    pub fn line_feed(&mut self) {
        self.place.pending = false;
        if self.place.y + 1 == self.region.bottom {
            if self.region.holds(self.place.x, self.place.y) {
                self.scroll_up(1);
            }
        } else if self.place.y + 1 < self.rows() {
            self.place.y += 1;
        }
    }

    pub fn new_line(&mut self) {
        self.line_feed();
        if self.has(NEWLINE) {
            self.carriage_return();
        }
    }

    /// RI: up one, scrolling at the top of the region.
    pub fn reverse_line_feed(&mut self) {
        self.place.pending = false;
        if self.place.y == self.region.top {
            if self.region.holds(self.place.x, self.place.y) {
                self.scroll_down(1);
            }
        } else {
            self.place.y = self.place.y.saturating_sub(1);
        }
    }

    pub fn carriage_return(&mut self) {
        self.place.pending = false;
        let inside = self.place.x >= self.region.left || self.has(ORIGIN);
        self.place.x = if inside { self.region.left } else { 0 };
    }

    pub fn backspace(&mut self) {
        let stop = if self.place.x >= self.region.left { self.region.left } else { 0 };
        let wraps = self.wraps_back();
        if self.place.pending && wraps {
            self.place.pending = false;
        } else if self.place.x > stop {
            self.place.x -= 1;
        } else if wraps && self.place.x == stop {
            self.place.x = self.region.right.saturating_sub(1);
            if self.place.y == self.region.top {
                self.place.y = self.region.bottom.saturating_sub(1);
            } else {
                self.place.y = self.place.y.saturating_sub(1);
            }
        }
        self.place.pending = false;
    }

    pub fn scroll_up(&mut self, count: usize) {
        let fill = self.erased();
        self.screen.scroll_up(self.region, count, fill, &mut self.ids, Some(&self.picture));
    }

    pub fn scroll_down(&mut self, count: usize) {
        let fill = self.erased();
        self.screen.scroll_down(self.region, count, fill, &mut self.ids);
    }

    pub fn up(&mut self, count: usize) {
        let stop = if self.place.y >= self.region.top { self.region.top } else { 0 };
        self.place.y = self.place.y.saturating_sub(count).max(stop);
        self.place.pending = false;
    }

    pub fn down(&mut self, count: usize) {
        let stop = if self.place.y < self.region.bottom { self.region.bottom } else { self.rows() };
        self.place.y = (self.place.y + count).min(stop.saturating_sub(1));
        self.place.pending = false;
    }

    pub fn right(&mut self, count: usize) {
        let stop = self.right_limit();
        self.place.x = (self.place.x + count).min(stop.saturating_sub(1));
        self.place.pending = false;
    }

    pub fn left(&mut self, count: usize) {
        if self.wraps_back() {
            for _ in 0..count.min(self.cols() * self.rows()) {
                self.backspace();
            }
            return;
        }
        let stop = if self.place.x >= self.region.left { self.region.left } else { 0 };
        self.place.x = self.place.x.saturating_sub(count).max(stop);
        self.place.pending = false;
    }

    fn wraps_back(&self) -> bool {
        self.has(REVERSE_WRAP) && self.has(AUTOWRAP)
    }

    /// The rectangle that row and column numbers count in.
    pub fn origin_region(&self) -> Region {
        if self.has(ORIGIN) { self.region } else { self.whole() }
    }

    /// Zero-based column, counted from the origin.
    pub fn set_column(&mut self, column: usize) {
        let region = self.origin_region();
        self.place.x = (region.left + column).min(region.right.saturating_sub(1));
        self.place.pending = false;
    }

    /// Zero-based row, counted from the origin.
    pub fn set_row(&mut self, row: usize) {
        let region = self.origin_region();
        self.place.y = (region.top + row).min(region.bottom.saturating_sub(1));
        self.place.pending = false;
    }

    pub fn set_position(&mut self, row: usize, column: usize) {
        self.set_row(row);
        self.set_column(column);
    }

    pub fn tab(&mut self, count: usize) {
        if self.has(TAB_WRAPS) {
            self.wrap_if_pending();
        }
        let stop = self.right_limit().saturating_sub(1);
        for _ in 0..count.min(self.cols()) {
            let next = (self.place.x + 1..stop).find(|x| self.tabs.get(*x) == Some(&true));
            self.place.x = next.unwrap_or(stop);
            if next.is_none() {
                break;
            }
        }
    }

    pub fn back_tab(&mut self, count: usize) {
        let stop = if self.has(ORIGIN) { self.region.left } else { 0 };
        for _ in 0..count.min(self.cols()) {
            let before = (stop..self.place.x).rev();
            let next = before.clone().find(|x| self.tabs.get(*x) == Some(&true));
            self.place.x = next.unwrap_or(stop);
        }
        self.place.pending = false;
    }

    pub fn set_tab(&mut self) {
        if let Some(place) = self.tabs.get_mut(self.place.x) {
            *place = true;
        }
    }

    /// TBC: 0 here, 3 everywhere.
    pub fn clear_tabs(&mut self, what: u16) {
        match what {
            0 => {
                if let Some(place) = self.tabs.get_mut(self.place.x) {
                    *place = false;
                }
            }
            3 => self.tabs.fill(false),
            _ => {}
        }
    }

    pub fn save_cursor(&mut self) {
        self.screen.saved = Saved {
            place: self.place,
            pen: self.pen,
            charsets: self.charsets,
            origin: self.has(ORIGIN),
        };
    }

    pub fn restore_cursor(&mut self) {
        let saved = self.screen.saved.clone();
        self.modes.set(ORIGIN, saved.origin);
        self.change_pen(saved.pen);
        self.charsets = saved.charsets;
        self.place = saved.place;
        self.clamp_cursor();
    }

    pub fn clamp_cursor(&mut self) {
        let (cols, rows) = (self.cols(), self.rows());
        let Place { x, y, pending } = self.place;
        self.place = Place {
            x: x.min(cols.saturating_sub(1)),
            y: y.min(rows.saturating_sub(1)),
            pending: pending && x + 1 >= cols,
        };
    }
}
