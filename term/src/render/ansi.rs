//! Rows as text with SGR: each row starts from and ends in the default style.

use std::fmt::Write as _;

use crate::frame::{Cell, Color, Glyph, Row, Style, Underline};
use crate::unicode;

/// One string per row. Rows stand alone: a row never depends on the style of another.
#[must_use]
pub fn ansi(rows: &[Row]) -> Vec<String> {
    rows.iter()
        .map(|row| {
            let mut out = String::new();
            push_row(&mut out, row, visible_length(row));
            out
        })
        .collect()
}

/// All rows as one text that paints them again on an empty screen of the same width: a row that
/// goes on in the next one is written to its end and wraps by itself.
#[must_use]
pub fn ansi_screen(rows: &[Row]) -> String {
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        let last = index + 1 == rows.len();
        // Only text wraps: a next row without any needs a line break to be reached.
        let goes_on =
            row.wrapped && rows.get(index + 1).is_some_and(|next| visible_length(next) > 0);
        let length = if goes_on { row.cells.len() } else { visible_length(row) };
        push_row(&mut out, row, length);
        if goes_on {
            // Here too a sequence keeps the last glyph and the next one apart.
            out.push_str("\x1b[m");
        } else if !last {
            out.push_str("\r\n");
        }
    }
    out
}

/// One row with its untouched blanks.
pub(crate) fn ansi_full(row: &Row) -> String {
    let mut out = String::new();
    push_row(&mut out, row, row.cells.len());
    out
}

/// Cells up to the last one that is not an untouched blank.
fn visible_length(row: &Row) -> usize {
    row.cells
        .iter()
        .rposition(|cell| cell.glyph != Glyph::Char(' ') || !cell.style.is_plain())
        .map_or(0, |last| last + 1)
}

fn push_row(out: &mut String, row: &Row, length: usize) {
    let plain = Style::default();
    let mut current: &Style = &plain;
    let mut before: Option<&Cell> = None;
    for cell in row.cells.iter().take(length).filter(|cell| cell.width > 0) {
        if before.is_some_and(|before| would_join(before, cell)) && *current == *cell.style {
            // A sequence between them keeps two glyphs two.
            push_sgr(out, current);
        }
        push_cell(out, cell, &mut current);
        before = Some(cell);
    }
    if current.link.is_some() {
        out.push_str("\x1b]8;;\x1b\\");
    }
    if !same_look(current, &plain) {
        out.push_str("\x1b[0m");
    }
}

fn push_cell<'a>(out: &mut String, cell: &'a Cell, current: &mut &'a Style) {
    let style: &Style = &cell.style;
    if style != *current {
        if style.link != current.link {
            let target = style.link.as_deref().unwrap_or_default();
            let _ = write!(out, "\x1b]8;;{target}\x1b\\");
        }
        if !same_look(style, current) {
            push_sgr(out, style);
        }
        *current = style;
    }
    cell.push_to(out);
}

/// Whether the two, written without anything between, could be taken for one.
fn would_join(before: &Cell, cell: &Cell) -> bool {
    let first = match &cell.glyph {
        Glyph::Char(c) => *c,
        Glyph::Cluster(text) => text.chars().next().unwrap_or(' '),
    };
    if first.is_ascii() || !unicode::properties(first).may_join() {
        return false;
    }
    match &before.glyph {
        Glyph::Char(c) => unicode::may_follow(*c, first),
        Glyph::Cluster(_) => true,
    }
}

fn same_look(a: &Style, b: &Style) -> bool {
    let strip = |style: &Style| Style { link: None, ..style.clone() };
    strip(a) == strip(b)
}

/// The whole style after a reset; nothing is inherited from what stood before.
fn push_sgr(out: &mut String, style: &Style) {
    out.push_str("\x1b[0");
    let flags = [
        (style.bold, "1"),
        (style.dim, "2"),
        (style.italic, "3"),
        (style.blink, "5"),
        (style.inverse, "7"),
        (style.hidden, "8"),
        (style.strikethrough, "9"),
        (style.overline, "53"),
    ];
    for (set, code) in flags {
        if set {
            let _ = write!(out, ";{code}");
        }
    }
    match style.underline {
        Underline::None => {}
        Underline::Single => out.push_str(";4"),
        Underline::Double => out.push_str(";4:2"),
        Underline::Curly => out.push_str(";4:3"),
        Underline::Dotted => out.push_str(";4:4"),
        Underline::Dashed => out.push_str(";4:5"),
    }
    push_color(out, style.foreground, 30);
    push_color(out, style.background, 40);
    match style.underline_color {
        Color::Default => {}
        Color::Indexed(index) => {
            let _ = write!(out, ";58:5:{index}");
        }
        Color::Rgb(r, g, b) => {
            let _ = write!(out, ";58:2::{r}:{g}:{b}");
        }
    }
    out.push('m');
}

fn push_color(out: &mut String, color: Color, base: u16) {
    let _ = match color {
        Color::Default => Ok(()),
        Color::Indexed(index @ 0..=7) => write!(out, ";{}", base + u16::from(index)),
        Color::Indexed(index @ 8..=15) => write!(out, ";{}", base + 52 + u16::from(index)),
        Color::Indexed(index) => write!(out, ";{};5;{index}", base + 8),
        Color::Rgb(r, g, b) => write!(out, ";{};2;{r};{g};{b}", base + 8),
    };
}
