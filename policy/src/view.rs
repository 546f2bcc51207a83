//! One frame, read once: rows as text, what stands before and behind the cursor, which rows
//! at the bottom are only a status bar.

use term::{Cell, Color, Frame, Glyph, Row};

/// Rows that are looked at from the bottom. What is higher up is history, not a prompt.
const ROWS_MAX: usize = 60;

/// What the detectors see.
#[derive(Debug)]
pub struct View<'a> {
    pub frame: &'a Frame,
    /// Text of every row; empty for rows that are too high up.
    pub rows: Vec<String>,
    /// The row of the cursor up to the cursor, without blanks at its end.
    pub before: String,
    /// What stands at and behind the cursor.
    pub after: String,
    /// The last row with text that is no status bar.
    pub last: Option<usize>,
}

impl<'a> View<'a> {
    #[must_use]
    pub fn of(frame: &'a Frame) -> Self {
        let total = frame.rows.len();
        let first = total.saturating_sub(ROWS_MAX);
        let text = |(index, row): (usize, &Row)| {
            if index == 0 || index >= first { row.text() } else { String::new() }
        };
        let rows: Vec<String> = frame.rows.iter().enumerate().map(text).collect();
        let mut last = rows.iter().rposition(|row| !row.is_empty());
        let y = usize::from(frame.cursor.y);
        while let Some(row) = last {
            let bar = row > y && row > 0 && frame.rows.get(row).is_some_and(is_status_bar);
            if !bar {
                break;
            }
            last = rows.iter().take(row).rposition(|row| !row.is_empty());
        }
        let x = usize::from(frame.cursor.x);
        let (before, after) = frame.rows.get(y).map_or_else(Default::default, |row| {
            (text_of(row.cells.iter().take(x)), text_of(row.cells.iter().skip(x)))
        });
        Self {
            before: before.trim_end().to_owned(),
            after: after.trim_end().to_owned(),
            frame,
            rows,
            last,
        }
    }

    #[must_use]
    pub fn row(&self, index: usize) -> &str {
        self.rows.get(index).map_or("", String::as_str)
    }

    #[must_use]
    pub fn cursor_y(&self) -> usize {
        usize::from(self.frame.cursor.y)
    }

    #[must_use]
    pub fn cursor_row(&self) -> &str {
        self.row(self.cursor_y())
    }

    /// The last `count` rows with text, from the bottom, status bars included.
    pub fn trailing(&self, count: usize) -> impl Iterator<Item = (usize, &str)> {
        self.rows
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, row)| !row.trim().is_empty())
            .map(|(index, row)| (index, row.as_str()))
            .take(count)
    }

    /// Cursor within one row of the last row with text, its own row has text, and it is at
    /// most one cell behind that text. A screen of one or two rows has no middle, so there
    /// only the very bottom counts.
    #[must_use]
    pub fn cursor_parked(&self) -> bool {
        let Some(last) = self.last else { return false };
        let y = self.cursor_y();
        let total = self.frame.rows.len();
        let near = if total <= 2 { y + 1 == total } else { y.abs_diff(last) <= 1 };
        let length = self.frame.rows.get(y).map_or(0, length_of);
        near && length > 0 && usize::from(self.frame.cursor.x) <= length + 1
    }
}

/// Whether the cursor stands where a program leaves it that waits for input.
#[must_use]
pub fn cursor_parked(frame: &Frame) -> bool {
    View::of(frame).cursor_parked()
}

/// Columns up to the end of the text.
#[must_use]
pub fn length_of(row: &Row) -> usize {
    row.cells
        .iter()
        .rposition(|cell| cell.width > 0 && cell.glyph != Glyph::Char(' '))
        .map_or(0, |last| last + usize::from(row.cells.get(last).map_or(1, |cell| cell.width)))
}

/// Cells as text, blanks included.
pub(crate) fn text_of<'c>(cells: impl Iterator<Item = &'c Cell>) -> String {
    let mut text = String::new();
    cells.for_each(|cell| cell.push_to(&mut text));
    text
}

/// Every cell of the row is inverse or coloured behind, nearly all of them alike.
#[must_use]
pub fn is_status_bar(row: &Row) -> bool {
    let Some(first) = row.cells.first() else { return false };
    let paper = |cell: &Cell| (cell.style.inverse, cell.style.background);
    let plain = |cell: &Cell| !cell.style.inverse && cell.style.background == Color::Default;
    let alike = row.cells.iter().filter(|cell| paper(cell) == paper(first)).count();
    // A bar may have a marked part; a box on a coloured ground is more than that.
    !row.cells.iter().any(plain) && alike * 10 >= row.cells.len() * 9
}

/// Whether all text of a row is inverse.
#[must_use]
pub fn is_inverse(row: &Row) -> bool {
    let mut any = false;
    for cell in row.cells.iter().filter(|cell| cell.glyph != Glyph::Char(' ') && cell.width > 0) {
        if !cell.style.inverse {
            return false;
        }
        any = true;
    }
    any
}
