//! `term::Frame` to its wire form and back, equal after the round trip.
//!
//! A frame cannot be serialised on purpose (its text is unredacted), so this is the only road
//! from one process to the other. Rows say their text once and list only what is unusual:
//! runs of equal style, wide cells and clusters. What comes in is clamped to sane sizes, so
//! a lying peer costs memory proportional to what it sent, never a panic.

use std::sync::Arc;

use term::{
    Cell, Color, Cursor, CursorShape, Frame, Glyph, Modes, MouseMode, Row, Size, Style, Underline,
};

use crate::limits::{ROW_LINK_BYTES_MAX, TITLE_BYTES_MAX, WIRE_COLS_MAX, WIRE_ROWS_MAX};
use crate::protocol::{WireCursor, WireFrame, WireModes, WireOdd, WireRow, WireRun, WireStyle};

impl WireFrame {
    #[must_use]
    pub fn from_frame(frame: &Frame) -> Self {
        Self {
            number: frame.number,
            cols: frame.size.cols,
            rows: frame.rows.iter().map(WireRow::from_row).collect(),
            cursor: WireCursor {
                x: frame.cursor.x,
                y: frame.cursor.y,
                visible: frame.cursor.visible,
                shape: match frame.cursor.shape {
                    CursorShape::Block => 0,
                    CursorShape::Underline => 1,
                    CursorShape::Bar => 2,
                },
            },
            title: bounded(&frame.title, TITLE_BYTES_MAX).to_owned(),
            modes: modes_out(&frame.modes),
            history_total: frame.history_total,
        }
    }

    #[must_use]
    pub fn to_frame(&self) -> Frame {
        let cols = self.cols.clamp(1, WIRE_COLS_MAX);
        let rows: Vec<Row> =
            self.rows.iter().take(usize::from(WIRE_ROWS_MAX)).map(WireRow::to_row).collect();
        let height = u16::try_from(rows.len()).unwrap_or(WIRE_ROWS_MAX);
        Frame {
            number: self.number,
            size: Size { cols, rows: height },
            cursor: Cursor {
                x: self.cursor.x.min(cols - 1),
                y: self.cursor.y.min(height.saturating_sub(1)),
                visible: self.cursor.visible,
                shape: match self.cursor.shape {
                    1 => CursorShape::Underline,
                    2 => CursorShape::Bar,
                    _ => CursorShape::Block,
                },
            },
            rows,
            title: Arc::from(self.title.as_str()),
            modes: modes_in(self.modes),
            history_total: self.history_total,
        }
    }
}

impl WireRow {
    #[must_use]
    pub fn from_row(row: &Row) -> Self {
        let mut text = String::with_capacity(row.cells.len());
        let mut odd = Vec::new();
        let mut runs: Vec<WireRun> = Vec::new();
        let mut style: Option<&Arc<Style>> = None;
        // Length of `text` up to the last cell that is not an ordinary blank.
        let mut kept = 0;
        let mut links = ROW_LINK_BYTES_MAX;
        for (index, cell) in (0_u16..).zip(&row.cells) {
            let before = text.len();
            let cluster = match &cell.glyph {
                Glyph::Char(c) => {
                    text.push(*c);
                    false
                }
                Glyph::Cluster(cluster) => {
                    text.push_str(cluster);
                    true
                }
            };
            if cluster || cell.width != 1 {
                let bytes = u16::try_from(text.len() - before).unwrap_or(u16::MAX);
                odd.push(WireOdd(index, cell.width, bytes, cluster));
                kept = text.len();
            } else if cell.glyph != Glyph::Char(' ') {
                kept = text.len();
            }
            match (style, runs.last_mut()) {
                (Some(last), Some(run))
                    if Arc::ptr_eq(last, &cell.style) || *last == cell.style =>
                {
                    run.0 += 1;
                }
                _ => runs.push(WireRun(1, style_out(&cell.style, &mut links))),
            }
            style = Some(&cell.style);
        }
        text.truncate(kept);
        if runs.last().is_some_and(|run| run.1.is_none()) {
            runs.pop();
        }
        Self {
            cells: u16::try_from(row.cells.len()).unwrap_or(u16::MAX),
            text,
            odd,
            runs,
            wrapped: row.wrapped,
            changed_in: row.changed_in,
        }
    }

    /// What it takes in a message, roughly and not too little.
    #[must_use]
    pub fn approximate_bytes(&self) -> usize {
        let links: usize =
            self.runs.iter().filter_map(|run| Some(run.1.as_ref()?.4.as_ref()?.len())).sum();
        64 + self.text.len() + self.odd.len() * 9 + self.runs.len() * 32 + links
    }

    #[must_use]
    pub fn to_row(&self) -> Row {
        let plain = Arc::new(Style::default());
        let mut rest = self.text.as_str();
        let mut odd = self.odd.iter().peekable();
        let mut runs = self.runs.iter();
        let (mut left, mut style) = (0_u16, Arc::clone(&plain));
        let cells = (0..self.cells.min(WIRE_COLS_MAX)).map(|index| {
            while left == 0 {
                match runs.next() {
                    Some(run) => {
                        left = run.0;
                        style = match &run.1 {
                            Some(wire) => Arc::new(style_in(wire)),
                            None => Arc::clone(&plain),
                        };
                    }
                    None => {
                        left = u16::MAX;
                        style = Arc::clone(&plain);
                    }
                }
            }
            left -= 1;
            let (glyph, width) = match odd.next_if(|odd| odd.0 == index) {
                Some(odd) => (take_odd(&mut rest, odd), odd.1.min(2)),
                None => (Glyph::Char(take_char(&mut rest)), 1),
            };
            Cell { glyph, width, style: Arc::clone(&style) }
        });
        Row { cells: cells.collect(), wrapped: self.wrapped, changed_in: self.changed_in }
    }
}

fn take_char(rest: &mut &str) -> char {
    let mut chars = rest.chars();
    let next = chars.next().unwrap_or(' ');
    *rest = chars.as_str();
    next
}

fn take_odd(rest: &mut &str, odd: &WireOdd) -> Glyph {
    let Some((own, after)) = rest.split_at_checked(usize::from(odd.2)) else {
        return Glyph::Char(take_char(rest));
    };
    *rest = after;
    if odd.3 {
        return Glyph::Cluster(Arc::from(own));
    }
    Glyph::Char(own.chars().next().unwrap_or(' '))
}

/// The beginning of a text, cut between two characters.
fn bounded(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    let cut = (0..=max).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..cut).unwrap_or_default()
}

/// `links` is what link targets may still take in this row; a screen made of long links must
/// not make a message that cannot be sent.
fn style_out(style: &Style, links: &mut usize) -> Option<Box<WireStyle>> {
    let link = style.link.as_deref().filter(|link| link.len() <= *links);
    *links -= link.map_or(0, str::len);
    if style.is_plain() {
        return None;
    }
    let underline: u32 = match style.underline {
        Underline::None => 0,
        Underline::Single => 1,
        Underline::Double => 2,
        Underline::Curly => 3,
        Underline::Dotted => 4,
        Underline::Dashed => 5,
    };
    let flags = [
        style.bold,
        style.dim,
        style.italic,
        style.blink,
        style.inverse,
        style.hidden,
        style.strikethrough,
        style.overline,
    ];
    let bits = pack(&flags);
    Some(Box::new(WireStyle(
        bits << 3 | underline,
        color_out(style.foreground),
        color_out(style.background),
        color_out(style.underline_color),
        link.map(str::to_owned),
    )))
}

fn style_in(wire: &WireStyle) -> Style {
    let flag = |bit: u32| wire.0 >> (3 + bit) & 1 == 1;
    Style {
        foreground: color_in(wire.1),
        background: color_in(wire.2),
        underline_color: color_in(wire.3),
        underline: match wire.0 & 7 {
            1 => Underline::Single,
            2 => Underline::Double,
            3 => Underline::Curly,
            4 => Underline::Dotted,
            5 => Underline::Dashed,
            _ => Underline::None,
        },
        bold: flag(0),
        dim: flag(1),
        italic: flag(2),
        blink: flag(3),
        inverse: flag(4),
        hidden: flag(5),
        strikethrough: flag(6),
        overline: flag(7),
        link: wire.4.as_deref().map(Arc::from),
    }
}

/// First flag in bit 0.
fn pack(flags: &[bool]) -> u32 {
    flags.iter().rev().fold(0, |bits, flag| bits << 1 | u32::from(*flag))
}

/// 0 default, `1 << 24 | index`, `2 << 24 | rgb`.
fn color_out(color: Color) -> u32 {
    match color {
        Color::Default => 0,
        Color::Indexed(index) => 1 << 24 | u32::from(index),
        Color::Rgb(r, g, b) => 2 << 24 | u32::from_be_bytes([0, r, g, b]),
    }
}

fn color_in(wire: u32) -> Color {
    let [kind, r, g, b] = wire.to_be_bytes();
    match kind {
        1 => Color::Indexed(b),
        2 => Color::Rgb(r, g, b),
        _ => Color::Default,
    }
}

fn modes_out(modes: &Modes) -> WireModes {
    let bits = pack(&[
        modes.alternate_screen,
        modes.bracketed_paste,
        modes.application_cursor,
        modes.application_keypad,
        modes.newline,
        modes.focus_reporting,
        modes.mouse_sgr,
        modes.origin,
        modes.insert,
        modes.autowrap,
        modes.synchronized_update,
        modes.reverse_screen,
        modes.backspace_is_bs,
    ]);
    WireModes {
        bits: u16::try_from(bits).expect("thirteen flags fit in sixteen bits"),
        mouse: match modes.mouse {
            MouseMode::Off => 0,
            MouseMode::X10 => 1,
            MouseMode::Normal => 2,
            MouseMode::Button => 3,
            MouseMode::Any => 4,
        },
        modify_other_keys: modes.modify_other_keys,
        kitty_flags: modes.kitty_flags,
    }
}

fn modes_in(wire: WireModes) -> Modes {
    let flag = |bit: u16| wire.bits >> bit & 1 == 1;
    Modes {
        alternate_screen: flag(0),
        bracketed_paste: flag(1),
        application_cursor: flag(2),
        application_keypad: flag(3),
        newline: flag(4),
        focus_reporting: flag(5),
        mouse: match wire.mouse {
            1 => MouseMode::X10,
            2 => MouseMode::Normal,
            3 => MouseMode::Button,
            4 => MouseMode::Any,
            _ => MouseMode::Off,
        },
        mouse_sgr: flag(6),
        modify_other_keys: wire.modify_other_keys.min(2),
        kitty_flags: wire.kitty_flags & 31,
        origin: flag(7),
        insert: flag(8),
        autowrap: flag(9),
        synchronized_update: flag(10),
        reverse_screen: flag(11),
        backspace_is_bs: flag(12),
    }
}

#[cfg(test)]
#[path = "wire_frame_tests.rs"]
mod tests;
