//! The terminal as bytes that bring a fresh one of the same size to the same state, so that
//! what the program writes next means the same in both: text, and what is not seen, from the
//! pen to the scroll region. A synchronized update that is open is shown as far as it is.

use std::fmt::Write as _;

use super::Terminal;
use super::dcs::graphics_spec;
use super::modes::{self, Mode};
use super::state::{State, default_tabs};
use crate::charset::{Charset, Charsets};
use crate::frame::{CursorShape, Row};
use crate::line::Line;
use crate::pen::{PROTECTED, Pen};
use crate::render;
use crate::screen::{Place, Screen};

impl Terminal {
    /// Paints up to `history_lines` lines of history and the screen, and restores the rest.
    pub fn snapshot_ansi(&mut self, history_lines: usize) -> Vec<u8> {
        let state = &self.state;
        let mut out = String::from("\x1b[H");
        let main = state.main();
        let from = main.history.total().saturating_sub(history_lines as u64);
        let mut rows: Vec<Row> =
            main.history.range(from, history_lines).map(|(_, line)| state.line_row(line)).collect();
        rows.extend(main.lines.iter().map(|line| state.line_row(line)));
        out.push_str(&render::ansi_screen(&rows));
        if state.on_alternate {
            // Entering saves the cursor that leaving brings back.
            state.push_saved(&mut out, main);
            out.push_str("\x1b[?1049h");
            push_plain(&mut out);
            let rows: Vec<Row> =
                state.screen.lines.iter().map(|line| state.line_row(line)).collect();
            out.push_str(&render::ansi_screen(&rows));
        }
        state.push_hidden_state(&mut out);
        out.into_bytes()
    }
}

/// Modes that a fresh terminal has off and that are simply set.
const PLAIN: &[(Mode, &str)] = &[
    (modes::CURSOR_KEYS, "?1"),
    (modes::REVERSE_VIDEO, "?5"),
    (modes::TAB_WRAPS, "?41"),
    (modes::BACKSPACE_IS_BS, "?67"),
    (modes::REVERSE_WRAP, "?45"),
    (modes::ALLOW_132, "?40"),
    (modes::MOUSE_X10, "?9"),
    (modes::MOUSE_NORMAL, "?1000"),
    (modes::MOUSE_BUTTON, "?1002"),
    (modes::MOUSE_ANY, "?1003"),
    (modes::FOCUS, "?1004"),
    (modes::MOUSE_UTF8, "?1005"),
    (modes::MOUSE_SGR, "?1006"),
    (modes::MOUSE_URXVT, "?1015"),
    (modes::BRACKETED_PASTE, "?2004"),
    (modes::INSERT, "4"),
    (modes::NEWLINE, "20"),
];

impl State {
    fn line_row(&self, line: &Line) -> Row {
        self.row(&line.cells, line.wrapped, line.stamp)
    }

    fn push_hidden_state(&self, out: &mut String) {
        let title: String = self.title.chars().filter(|c| !c.is_control()).collect();
        if !title.is_empty() {
            let _ = write!(out, "\x1b]2;{title}\x1b\\");
        }
        self.push_tabs(out);
        if !self.screen.saved.is_home() {
            self.push_saved(out, &self.screen);
            out.push_str("\x1b7");
            push_plain(out);
        }
        self.push_modes(out);
        push_keyboard(out, &self.screen, self.modify_other_keys);
        let region = self.region;
        if self.has(modes::SIDE_MARGINS) {
            let _ = write!(out, "\x1b[?69h\x1b[{};{}s", region.left + 1, region.right);
        }
        if region != self.whole() {
            let _ = write!(out, "\x1b[{};{}r", region.top + 1, region.bottom);
        }
        if self.has(modes::ORIGIN) {
            out.push_str("\x1b[?6h");
        }
        let origin = self.origin_region();
        self.push_place(out, &self.screen, self.place, (origin.left, origin.top));
        push_charsets(out, self.charsets);
        self.push_pen(out, self.pen);
        if self.has(modes::INSERT) {
            out.push_str("\x1b[4h");
        }
        if !self.has(modes::AUTOWRAP) {
            out.push_str("\x1b[?7l");
        }
    }

    fn push_modes(&self, out: &mut String) {
        for (mode, number) in PLAIN {
            let (prefix, digits) = match number.strip_prefix('?') {
                Some(digits) => ("?", digits),
                None => ("", *number),
            };
            // Insert mode would shift what is painted below; it comes last.
            if self.has(*mode) && *mode != modes::INSERT {
                let _ = write!(out, "\x1b[{prefix}{digits}h");
            }
        }
        if self.has(modes::KEYPAD) {
            out.push_str("\x1b=");
        }
        let shape = match self.shape {
            CursorShape::Block => 2,
            CursorShape::Underline => 4,
            CursorShape::Bar => 6,
        };
        let shape = shape - u8::from(self.has(modes::CURSOR_BLINK));
        let _ = write!(out, "\x1b[{shape} q");
        if !self.has(modes::CURSOR_VISIBLE) {
            out.push_str("\x1b[?25l");
        }
    }

    fn push_tabs(&self, out: &mut String) {
        if self.tabs == default_tabs(self.cols()) {
            return;
        }
        out.push_str("\x1b[3g");
        for (x, _) in self.tabs.iter().enumerate().filter(|(_, set)| **set) {
            let _ = write!(out, "\x1b[{}G\x1bH", x + 1);
        }
    }

    /// What DECSC kept, before the margins are set: origin mode then counts from the corner.
    fn push_saved(&self, out: &mut String, screen: &Screen) {
        let saved = &screen.saved;
        if saved.origin {
            out.push_str("\x1b[?6h");
        }
        self.push_place(out, screen, saved.place, (0, 0));
        push_charsets(out, saved.charsets);
        self.push_pen(out, saved.pen);
    }

    /// The cursor, counted from `origin`; a wait at the last column is brought about as the
    /// program did, by writing that column.
    fn push_place(&self, out: &mut String, screen: &Screen, place: Place, origin: (usize, usize)) {
        let line = screen.lines.get(place.y);
        let last = line.and_then(|line| line.cells.get(place.x));
        let mut x = place.x;
        if place.pending && last.is_some_and(|slot| slot.is_spacer()) {
            x = x.saturating_sub(1);
        }
        let column = x.saturating_sub(origin.0) + 1;
        let row = place.y.saturating_sub(origin.1) + 1;
        let _ = write!(out, "\x1b[m\x1b[{row};{column}H");
        if let (true, Some(line)) = (place.pending, line) {
            let mut row = self.line_row(line);
            row.cells.truncate(place.x + 1);
            row.cells.drain(..x.min(row.cells.len()));
            out.push_str(&render::ansi_full(&row));
        }
    }

    fn push_pen(&self, out: &mut String, pen: Pen) {
        let _ = write!(out, "\x1b[{}m", graphics_spec(pen));
        let protected = u8::from(pen.flags & PROTECTED != 0);
        let _ = write!(out, "\x1b[{protected}\"q");
        if let Some(target) = self.styles.link_target(pen.link) {
            let _ = write!(out, "\x1b]8;;{target}\x1b\\");
        } else {
            out.push_str("\x1b]8;;\x1b\\");
        }
    }
}

/// Back to the look, the sets and the corner that painting starts from.
fn push_plain(out: &mut String) {
    out.push_str("\x1b[?6l\x1b[m\x1b[0\"q\x1b]8;;\x1b\\");
    push_charsets(out, Charsets::default());
    out.push_str("\x1b[H");
}

fn push_charsets(out: &mut String, charsets: Charsets) {
    for (set, intermediate) in charsets.slots.iter().zip(['(', ')', '*', '+']) {
        let last = match set {
            Charset::Ascii => 'B',
            Charset::British => 'A',
            Charset::LineDrawing => '0',
        };
        let _ = write!(out, "\x1b{intermediate}{last}");
    }
    out.push_str(match charsets.active {
        1 => "\x0e",
        2 => "\x1bn",
        3 => "\x1bo",
        _ => "\x0f",
    });
    match charsets.single {
        Some(2) => out.push_str("\x1bN"),
        Some(_) => out.push_str("\x1bO"),
        None => {}
    }
}

fn push_keyboard(out: &mut String, screen: &Screen, modify_other_keys: u8) {
    for flags in &screen.kitty {
        let _ = write!(out, "\x1b[>{flags}u");
    }
    if modify_other_keys > 0 {
        let _ = write!(out, "\x1b[>4;{modify_other_keys}m");
    }
}
