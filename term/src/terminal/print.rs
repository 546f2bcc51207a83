//! Characters to cells: wrapping, insert mode, wide glyphs and grapheme clusters.

use super::modes::{AUTOWRAP, INSERT};
use super::state::State;
use crate::clusters::Joined;
use crate::slot::{Slot, SlotGlyph};
use crate::unicode::{self, Properties};

impl State {
    pub fn print_ascii(&mut self, run: &[u8]) {
        if !self.charsets.is_plain() || self.has(INSERT) {
            for byte in run {
                self.print_translated(*byte);
            }
            return;
        }
        let style = self.pen_style();
        let mut rest = run;
        while !rest.is_empty() {
            self.wrap_if_pending();
            let right = self.right_limit();
            let room = right.saturating_sub(self.place.x).max(1);
            let (now, later) = rest.split_at(room.min(rest.len()));
            if let Some(line) = self.screen.lines.get_mut(self.place.y) {
                line.put_ascii(self.place.x, now, style);
            }
            self.step(now.len(), right);
            rest = later;
        }
        self.last_char = run.last().copied().map(char::from);
    }

    fn print_translated(&mut self, byte: u8) {
        if self.charsets.is_plain() {
            self.print_columns(char::from(byte), 1);
            return;
        }
        let c = self.charsets.translate(byte);
        self.print_columns(c, 1);
    }

    pub fn print_char(&mut self, c: char) {
        self.charsets.single = None;
        let properties = unicode::properties(c);
        if (properties.extends() || properties.may_join()) && self.join(c, properties) {
            return;
        }
        if properties.columns() > 0 {
            self.print_columns(c, usize::from(properties.columns()));
        }
    }

    /// REP.
    pub fn print_again(&mut self, c: char) {
        let columns = match c {
            ' '..='~' => 1,
            _ => usize::from(unicode::properties(c).columns()).max(1),
        };
        self.print_columns(c, columns);
    }

    fn print_columns(&mut self, c: char, columns: usize) {
        self.wrap_if_pending();
        let style = self.pen_style();
        let Some(columns) = self.fit(columns) else {
            return;
        };
        let right = self.right_limit();
        if self.has(INSERT) {
            let fill = self.erased();
            let (x, y) = (self.place.x, self.place.y);
            if let Some(line) = self.screen.lines.get_mut(y) {
                line.insert(x, columns, right, fill);
            }
        }
        if let Some(line) = self.screen.lines.get_mut(self.place.y) {
            line.put(self.place.x, Slot::new(c, columns == 2, style));
        }
        self.step(columns, right);
        self.last_char = Some(c);
    }

    /// Goes to the next line when a wide glyph does not fit in this one. `None` when it can be
    /// put nowhere, one column when the screen is that narrow.
    fn fit(&mut self, columns: usize) -> Option<usize> {
        let right = self.right_limit();
        if columns < 2 || self.place.x + 2 <= right {
            return Some(columns);
        }
        if right.saturating_sub(self.left_limit()) < 2 {
            return Some(1);
        }
        if !self.has(AUTOWRAP) {
            return None;
        }
        let style = self.pen_style();
        let (x, y) = (self.place.x, self.place.y);
        if let Some(line) = self.screen.lines.get_mut(y) {
            line.put(x, Slot::filler(style));
        }
        self.wrap();
        Some(columns)
    }

    fn step(&mut self, columns: usize, right: usize) {
        self.place.x += columns;
        if self.place.x >= right {
            self.place.x = right.saturating_sub(1);
            self.place.pending = true;
        }
    }

    #[inline]
    pub fn wrap_if_pending(&mut self) {
        if !self.place.pending {
            return;
        }
        self.place.pending = false;
        if self.has(AUTOWRAP) {
            self.wrap();
        }
    }

    fn wrap(&mut self) {
        let whole_line = self.right_limit() >= self.cols();
        if let Some(line) = self.screen.lines.get_mut(self.place.y)
            && whole_line
        {
            line.wrapped = true;
            line.touched = true;
        }
        self.place.x = self.left_limit();
        self.line_feed();
    }

    /// First column to the right that is out of reach.
    pub fn right_limit(&self) -> usize {
        if self.place.x < self.region.right { self.region.right } else { self.cols() }
    }

    fn left_limit(&self) -> usize {
        if self.place.x >= self.region.left { self.region.left } else { 0 }
    }

    /// The cell the last character went to, seen from where the cursor stands.
    fn cell_before(&self) -> Option<(usize, Slot)> {
        let line = self.screen.lines.get(self.place.y)?;
        let mut x = if self.place.pending { self.place.x } else { self.place.x.checked_sub(1)? };
        if line.cells.get(x)?.is_spacer() {
            x = x.checked_sub(1)?;
        }
        Some((x, *line.cells.get(x)?))
    }

    /// Puts a character into the cell before, if that is where it belongs.
    fn join(&mut self, c: char, properties: Properties) -> bool {
        let Some((x, before)) = self.cell_before() else {
            // A mark with nothing to stand on is not shown.
            return properties.extends();
        };
        let may_join = properties.extends() || (self.in_text && may_follow(before, c));
        if !may_join {
            return false;
        }
        if self.clusters.is_full() {
            self.make_room();
        }
        match self.clusters.join(before, c, properties.extends()) {
            Joined::Apart => return false,
            Joined::Full => {}
            // A glyph that has no room to grow stays as narrow as it is.
            Joined::Together { wide: true, .. } if !before.is_wide() && !self.may_widen(x) => {}
            Joined::Together { number, wide } if wide && !before.is_wide() => {
                self.widen(x, number, before.style);
            }
            Joined::Together { number, wide } => {
                let y = self.place.y;
                if let Some(line) = self.screen.lines.get_mut(y) {
                    line.replace(x, Slot::cluster(number, wide, before.style));
                }
            }
        }
        true
    }

    /// A narrow cell becomes a wide cluster and the cursor moves on by one.
    fn widen(&mut self, x: usize, number: u32, style: u32) {
        let y = self.place.y;
        let right = self.right_limit();
        if x + 2 <= right {
            if self.has(INSERT) {
                let fill = self.erased();
                if let Some(line) = self.screen.lines.get_mut(y) {
                    line.insert(x + 1, 1, right, fill);
                }
            }
            if let Some(line) = self.screen.lines.get_mut(y) {
                line.put(x, Slot::cluster(number, true, style));
            }
            (self.place.x, self.place.pending) = (x, false);
            self.step(2, right);
            return;
        }
        // No room beside it: it stands where it had stood if its width had been known.
        self.place = crate::screen::Place { x, y, pending: false };
        if let Some(line) = self.screen.lines.get_mut(y) {
            line.put(x, Slot::filler(style));
        }
        self.wrap();
        let right = self.right_limit();
        if let Some(line) = self.screen.lines.get_mut(self.place.y) {
            line.put(self.place.x, Slot::cluster(number, true, style));
        }
        self.step(2, right);
    }

    fn may_widen(&self, x: usize) -> bool {
        let right = self.right_limit();
        let wraps = self.has(AUTOWRAP) && right.saturating_sub(self.left_limit()) >= 2;
        x + 2 <= right || wraps
    }
}

/// Whether a character that joins some others could join this cell. Cheap, and wrong only on
/// the side of asking the full rules.
fn may_follow(before: Slot, c: char) -> bool {
    match before.glyph() {
        SlotGlyph::Cluster(_) => true,
        SlotGlyph::Char(first) => unicode::may_follow(first, c),
        SlotGlyph::Spacer => false,
    }
}
