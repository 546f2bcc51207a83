//! A new size. The main screen and its history are one text that is broken into lines anew;
//! the alternate screen is cut or padded, because its program repaints it.

use super::modes;
use super::state::{State, default_tabs};
use crate::frame::Size;
use crate::limits::SIDE_MAX;
use crate::line::Line;
use crate::reflow::{Reflow, reflow};
use crate::screen::{LineIds, Place, Screen};

impl State {
    pub fn resize(&mut self, size: Size) {
        let size = clamped(size);
        if size == self.size {
            return;
        }
        // Lines get their dates before they are cut, and a held picture of another size would
        // fit nowhere.
        self.take_picture();
        let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
        let same_cols = cols == self.cols();
        let place = self.place;
        let ids = &mut self.ids;
        if self.on_alternate {
            let saved = self.hidden.saved.place;
            self.hidden.saved.place = resize_main(&mut self.hidden, saved, cols, rows, ids);
            self.place = resize_plain(&mut self.screen, place, cols, rows, ids);
        } else {
            self.place = resize_main(&mut self.screen, place, cols, rows, ids);
            let saved = self.hidden.saved.place;
            self.hidden.saved.place = resize_plain(&mut self.hidden, saved, cols, rows, ids);
        }
        self.size = size;
        self.region = self.whole();
        if !same_cols {
            let fresh = default_tabs(cols);
            self.tabs.truncate(cols);
            let known = self.tabs.len();
            self.tabs.extend_from_slice(&fresh[known..]);
        }
        self.modes.set(modes::SIDE_MARGINS, false);
        self.clamp_cursor();
        self.take_picture();
    }
}

pub(crate) fn clamped(size: Size) -> Size {
    Size { cols: size.cols.clamp(1, SIDE_MAX), rows: size.rows.clamp(1, SIDE_MAX) }
}

fn resize_main(
    screen: &mut Screen,
    place: Place,
    cols: usize,
    rows: usize,
    ids: &mut LineIds,
) -> Place {
    if cols == screen.cols() {
        return resize_plain(screen, place, cols, rows, ids);
    }
    let total = screen.history.total();
    let mut lines = screen.history.take();
    let top = lines.len();
    lines.extend(screen.lines.drain(..));
    let reflowed = reflow(Reflow { lines, top, place, cols, rows, ids });
    screen.history.replace(total, reflowed.history);
    screen.lines = reflowed.screen.into();
    reflowed.place
}

/// Cuts or pads. Rows that must go leave from below the cursor first, then into the history.
fn resize_plain(
    screen: &mut Screen,
    place: Place,
    cols: usize,
    rows: usize,
    ids: &mut LineIds,
) -> Place {
    let mut y = place.y.min(screen.rows().saturating_sub(1));
    while screen.rows() > rows {
        let below = screen.rows() > y + 1;
        let blank = screen.lines.back().is_some_and(Line::is_blank);
        if below && (blank || y == 0) {
            screen.lines.pop_back();
        } else if y + 1 > rows || !below {
            if let Some(line) = screen.lines.pop_front() {
                screen.history.push(line);
            }
            y = y.saturating_sub(1);
        } else {
            screen.lines.pop_back();
        }
    }
    for line in &mut screen.lines {
        if line.cols() != cols {
            line.set_cols(cols);
        }
    }
    while screen.rows() < rows {
        screen.lines.push_back(Line::new(cols, ids.next()));
    }
    Place {
        x: place.x.min(cols.saturating_sub(1)),
        y: y.min(rows - 1),
        pending: place.pending && place.x + 1 == cols,
    }
}
