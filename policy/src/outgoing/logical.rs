//! Rows as the lines they are parts of, with the way back to the cells.

use std::ops::Range;

use term::{Cell, Glyph, Row};

/// Where the text of one cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    offset: usize,
    row: usize,
    column: usize,
    width: u8,
}

/// Cells of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub row: usize,
    pub columns: Range<usize>,
}

/// The text of some rows; rows that wrapped are joined, others end with a line break.
#[derive(Debug)]
pub struct Logical {
    pub text: String,
    places: Vec<Place>,
}

impl Logical {
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        let mut logical = Self { text: String::new(), places: Vec::new() };
        for (index, row) in rows.iter().enumerate() {
            let goes_on = row.wrapped && index + 1 < rows.len();
            let length = if goes_on { row.cells.len() } else { length_of(row) };
            for (column, cell) in row.cells.iter().enumerate().take(length) {
                logical.push(index, column, cell);
            }
            if !goes_on {
                logical.text.push('\n');
            }
        }
        logical
    }

    fn push(&mut self, row: usize, column: usize, cell: &Cell) {
        if cell.width == 0 {
            return;
        }
        self.places.push(Place { offset: self.text.len(), row, column, width: cell.width });
        cell.push_to(&mut self.text);
    }

    /// The cells behind a part of the text, one segment per row.
    #[must_use]
    pub fn segments(&self, part: &Range<usize>) -> Vec<Segment> {
        let first = self.places.partition_point(|place| place.offset < part.start);
        let mut segments: Vec<Segment> = Vec::new();
        let inside = |place: &&Place| place.offset < part.end;
        for place in self.places.iter().skip(first).take_while(inside) {
            let end = place.column + usize::from(place.width);
            match segments.last_mut() {
                Some(last) if last.row == place.row => last.columns.end = end,
                Some(_) | None => {
                    segments.push(Segment { row: place.row, columns: place.column..end });
                }
            }
        }
        segments
    }
}

/// Cells up to the last one that is not blank.
fn length_of(row: &Row) -> usize {
    row.cells
        .iter()
        .rposition(|cell| cell.width > 0 && cell.glyph != Glyph::Char(' '))
        .map_or(0, |last| last + 1)
}
