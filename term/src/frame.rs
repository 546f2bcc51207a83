//! An immutable picture of the screen, and nothing that could change it.
//!
//! A `Frame` has no `Serialize`: text on it is untrusted and unredacted, and only
//! `policy::outgoing` may turn it into something that leaves the service.

use std::sync::Arc;

/// Columns and rows of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    pub cols: u16,
    pub rows: u16,
}

/// A colour as the program asked for it; the palette is the viewer's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Color {
    #[default]
    Default,
    Indexed(u8),
    Rgb(u8, u8, u8),
}

/// Underline shapes of SGR 4 and 4:n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Underline {
    #[default]
    None,
    Single,
    Double,
    Curly,
    Dotted,
    Dashed,
}

/// How a cell is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Style {
    pub foreground: Color,
    pub background: Color,
    pub underline_color: Color,
    pub underline: Underline,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub blink: bool,
    pub inverse: bool,
    pub hidden: bool,
    pub strikethrough: bool,
    pub overline: bool,
    /// Target of an OSC 8 hyperlink.
    pub link: Option<Arc<str>>,
}

/// What stands in one cell.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// A single code point; a blank cell is a space.
    Char(char),
    /// A grapheme cluster of several code points.
    Cluster(Arc<str>),
}

/// One cell. `width` is 1 or 2; 0 marks the right half of the wide cell before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cell {
    pub glyph: Glyph,
    pub width: u8,
    pub style: Arc<Style>,
}

/// One row of the screen, always exactly `Size::cols` cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub cells: Vec<Cell>,
    /// The text goes on in the next row without a line break.
    pub wrapped: bool,
    /// Number of the frame in which this row's content last really changed. It moves with
    /// the row when the screen scrolls, so old text never looks new.
    pub changed_in: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CursorShape {
    Block,
    Underline,
    Bar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// Zero-based column, always inside the grid.
    pub x: u16,
    /// Zero-based row, always inside the grid.
    pub y: u16,
    pub visible: bool,
    pub shape: CursorShape,
}

/// Mouse reporting the program asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MouseMode {
    #[default]
    Off,
    /// DECSET 9.
    X10,
    /// DECSET 1000.
    Normal,
    /// DECSET 1002.
    Button,
    /// DECSET 1003.
    Any,
}

/// Modes that decide how keys, pastes and replies are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Modes {
    pub alternate_screen: bool,
    pub bracketed_paste: bool,
    /// DECCKM.
    pub application_cursor: bool,
    /// DECKPAM.
    pub application_keypad: bool,
    /// DECBKM: Backspace sends BS and not DEL.
    pub backspace_is_bs: bool,
    /// LNM: Enter sends CR LF.
    pub newline: bool,
    pub focus_reporting: bool,
    pub mouse: MouseMode,
    /// DECSET 1006.
    pub mouse_sgr: bool,
    /// 0, 1 or 2.
    pub modify_other_keys: u8,
    /// Top of the kitty keyboard stack of the screen in use (bits 1, 2, 4, 8, 16).
    pub kitty_flags: u8,
    pub origin: bool,
    pub insert: bool,
    pub autowrap: bool,
    /// DECSCNM: light and dark are swapped on the whole screen. Rows are told as written.
    pub reverse_screen: bool,
    /// A synchronized update (mode 2026) is open; the frame shows the screen before it.
    pub synchronized_update: bool,
}

/// The picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Rises whenever the rendered screen changes.
    pub number: u64,
    pub size: Size,
    /// Exactly `size.rows` rows.
    pub rows: Vec<Row>,
    pub cursor: Cursor,
    pub title: Arc<str>,
    pub modes: Modes,
    /// How many lines have ever scrolled off the top of the main screen.
    pub history_total: u64,
}

impl Style {
    /// Whether the cell looks like an untouched one.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

impl Cell {
    /// Appends the cell's text; the right half of a wide cell has none.
    pub fn push_to(&self, out: &mut String) {
        if self.width == 0 {
            return;
        }
        match &self.glyph {
            Glyph::Char(c) => out.push(*c),
            Glyph::Cluster(text) => out.push_str(text),
        }
    }
}

impl Row {
    /// The row as text, trailing blanks removed.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::with_capacity(self.cells.len());
        for cell in &self.cells {
            cell.push_to(&mut out);
        }
        out.truncate(out.trim_end_matches(' ').len());
        out
    }
}

impl Frame {
    /// Index of the last row that has text.
    #[must_use]
    pub fn last_text_row(&self) -> Option<usize> {
        self.rows.iter().rposition(|row| {
            row.cells.iter().any(|cell| cell.glyph != Glyph::Char(' ') && cell.width > 0)
        })
    }
}
