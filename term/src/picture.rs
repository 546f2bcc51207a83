//! The picture: what the screen showed when it was last looked at, and the numbers that tell
//! whether it really changed since.
//!
//! Programs repaint what is already there, erase and write the same text, blink a cursor they
//! draw themselves. So a picture is compared cell by cell, and only lines written to since the
//! last one are. While a synchronized update is open no picture is taken, so readers keep
//! seeing the one before it.

use std::sync::Arc;

use crate::frame::{Cursor, Modes};
use crate::line::{Line, same_cells};
use crate::pen::{INVERSE, Pen, UNDERLINE_MASK};
use crate::slot::{Slot, SlotGlyph};
use crate::style::Styles;

#[derive(Debug, Clone)]
pub(crate) struct PictureRow {
    pub cells: Vec<Slot>,
    pub wrapped: bool,
    pub stamp: u64,
    id: u64,
}

/// What besides lines belongs to a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Surroundings {
    pub cursor: Cursor,
    pub modes: Modes,
    pub title_version: u64,
    pub history_total: u64,
}

#[derive(Debug)]
pub(crate) struct Picture {
    pub rows: Vec<PictureRow>,
    pub surroundings: Surroundings,
    pub title: Arc<str>,
    number: u64,
    content: u64,
    newest_line: u64,
    blink: Blink,
}

/// The cell under a parked cursor and the looks it had. A drawn cursor has two; a third means
/// that something else goes on there.
#[derive(Debug, Default)]
struct Blink {
    place: Option<(u16, u16)>,
    looks: Vec<Slot>,
}

const BLINK_LOOKS: usize = 2;

/// What taking a picture found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    Same,
    /// Something a frame carries differs.
    Differs,
}

impl Picture {
    pub fn new(surroundings: Surroundings) -> Self {
        Self {
            rows: Vec::new(),
            surroundings,
            title: Arc::from(""),
            number: 0,
            content: 0,
            newest_line: 0,
            blink: Blink::default(),
        }
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    pub fn content(&self) -> u64 {
        self.content
    }

    /// When the content of a line that leaves the screen last changed.
    pub fn stamp_of(&self, line: &Line) -> u64 {
        if !line.touched {
            return line.stamp;
        }
        if line.id > self.newest_line {
            return self.number + 1;
        }
        match self.row_of(line.id) {
            Some(row) if same_cells(&row.cells, &line.cells) => row.stamp,
            Some(_) | None => self.number + 1,
        }
    }

    fn row_of(&self, id: u64) -> Option<&PictureRow> {
        self.rows.iter().find(|row| row.id == id)
    }

    /// Compares the screen with the last picture and takes its place.
    pub fn take(&mut self, lines: &mut [Line], around: Surroundings, styles: &Styles) -> Taken {
        let scrolled = around.history_total != self.surroundings.history_total;
        let next = self.number + 1;
        let resized = self.rows.len() != lines.len()
            || self.rows.first().map(|row| row.cells.len()) != lines.first().map(Line::cols);
        let mut changes = Changes::default();
        let mut raised = resized;
        let mut old = std::mem::take(&mut self.rows);
        let stamps: Vec<Option<u64>> = lines
            .iter()
            .enumerate()
            .map(|(y, line)| stamp(&old, y, line, scrolled, next))
            .collect();
        for (y, line) in lines.iter_mut().enumerate() {
            let Some(stamp) = stamps.get(y).copied().flatten() else {
                continue;
            };
            line.stamp = stamp;
            line.touched = false;
            self.newest_line = self.newest_line.max(line.id);
            raised |= stamp == next;
            if let Some(row) = old.get_mut(y) {
                raised |= row.wrapped != line.wrapped;
                raised |= changes.note(y, &row.cells, &line.cells);
                row.cells.clone_from(&line.cells);
                (row.wrapped, row.stamp, row.id) = (line.wrapped, line.stamp, line.id);
            } else {
                raised = true;
                old.push(PictureRow {
                    cells: line.cells.clone(),
                    wrapped: line.wrapped,
                    stamp,
                    id: line.id,
                });
            }
        }
        old.truncate(lines.len());
        self.rows = old;
        if resized || self.really_changed(&changes, around.cursor, styles) {
            self.content += 1;
        }
        self.settle_number(raised, around)
    }

    fn settle_number(&mut self, raised: bool, around: Surroundings) -> Taken {
        let seen = |s: &Surroundings| {
            let modes = Modes { synchronized_update: false, ..s.modes };
            (s.cursor, modes, s.title_version)
        };
        let raised = raised || seen(&self.surroundings) != seen(&around) || self.number == 0;
        let same = !raised && self.surroundings == around;
        self.surroundings = around;
        if raised {
            self.number += 1;
        }
        if same { Taken::Same } else { Taken::Differs }
    }

    /// Whether the changed cells are more than a cursor drawn by the program.
    fn really_changed(&mut self, changes: &Changes, cursor: Cursor, styles: &Styles) -> bool {
        let under = (cursor.x, cursor.y);
        if self.blink.place != Some(under) {
            self.blink = Blink { place: Some(under), looks: Vec::new() };
        }
        let mut others = 0;
        for change in &changes.few {
            if (change.x, change.y) == under {
                if !self.blink.still_blinks(change) {
                    return true;
                }
            } else if is_drawn_cursor(change, styles) {
                others += 1;
            } else {
                return true;
            }
        }
        changes.many || others > 1
    }
}

impl Blink {
    fn still_blinks(&mut self, change: &Change) -> bool {
        for look in [change.before, change.after] {
            if !self.looks.contains(&look) {
                self.looks.push(look);
            }
        }
        if self.looks.len() <= BLINK_LOOKS {
            return true;
        }
        self.looks = vec![change.after];
        false
    }
}

/// The stamp of a line, or nothing when it stands unchanged where it stood.
fn stamp(old: &[PictureRow], y: usize, line: &Line, scrolled: bool, next: u64) -> Option<u64> {
    let here = old.get(y);
    let stayed = here.is_some_and(|row| row.id == line.id);
    if !line.touched {
        let still = here.is_some_and(|row| row.cells.len() == line.cells.len());
        return if stayed && still { None } else { Some(line.stamp) };
    }
    let same_here = here.filter(|row| same_cells(&row.cells, &line.cells));
    if stayed {
        return Some(same_here.map_or(next, |row| row.stamp));
    }
    // The line came from elsewhere: perhaps from another row, perhaps it is new.
    if let Some(row) = old.iter().find(|row| row.id == line.id) {
        let same = same_cells(&row.cells, &line.cells);
        return Some(if same { row.stamp } else { next });
    }
    // A new line that repeats what stood here is a repaint, unless text has scrolled away: then
    // the same words were really written once more.
    match same_here {
        Some(row) if !scrolled => Some(row.stamp),
        Some(_) | None => Some(next),
    }
}

#[derive(Debug, Clone, Copy)]
struct Change {
    x: u16,
    y: u16,
    before: Slot,
    after: Slot,
}

/// The changed cells as long as they are few; more than a cursor or two is simply many.
#[derive(Debug, Default)]
struct Changes {
    few: Vec<Change>,
    many: bool,
}

const CHANGES_FEW: usize = 4;

impl Changes {
    /// Notes how two rows differ; tells whether they do.
    fn note(&mut self, y: usize, before: &[Slot], after: &[Slot]) -> bool {
        if same_cells(before, after) {
            return false;
        }
        if before.len() != after.len() {
            self.many = true;
        }
        for (x, (before, after)) in before.iter().zip(after).enumerate() {
            if self.many {
                break;
            }
            if before == after {
                continue;
            }
            self.few.push(Change { x: x as u16, y: y as u16, before: *before, after: *after });
            self.many = self.few.len() > CHANGES_FEW;
        }
        true
    }
}

/// A cell that only turned inverse or underlined, or a block that came over a blank or went.
fn is_drawn_cursor(change: &Change, styles: &Styles) -> bool {
    let (before, after) = (change.before, change.after);
    if before.same_glyph(after) {
        let (a, b) = (styles.pen(before.style), styles.pen(after.style));
        return strip(a) == strip(b) || (a.fore, a.back, a.flags) == (b.back, b.fore, b.flags);
    }
    (before.is_space() && is_cursor_glyph(after)) || (after.is_space() && is_cursor_glyph(before))
}

fn strip(pen: Pen) -> Pen {
    Pen { flags: pen.flags & !(INVERSE | UNDERLINE_MASK), ..pen }
}

fn is_cursor_glyph(slot: Slot) -> bool {
    match slot.glyph() {
        SlotGlyph::Char(c) => {
            matches!(c, '█' | '▉' | '▊' | '▋' | '▌' | '▍' | '▎' | '▏' | '▐' | '▁' | '▂' | '_')
        }
        SlotGlyph::Cluster(_) | SlotGlyph::Spacer => false,
    }
}
