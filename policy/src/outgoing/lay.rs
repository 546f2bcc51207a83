//! Puts a marker where something stood, without moving what stands beside it.
//!
//! The marker takes the cells of what it replaces; what is left over becomes blank. When the
//! replaced text was shorter than the marker, the blanks to the right pay for it, one of each
//! gap staying; only a row without such blanks moves, and loses what no longer fits.

use std::sync::Arc;

use term::{Cell, Glyph, Row, Style};

use super::logical::Segment;

/// Replaces what stands in the segments, top to bottom parts of one text, by the marker.
pub fn put(rows: &mut [Row], segments: &[Segment], marker: &str) {
    let wanted = marker.chars().count();
    let width = |segment: &Segment| segment.columns.len();
    let chosen = segments
        .iter()
        .position(|segment| width(segment) >= wanted)
        .or_else(|| (0..segments.len()).max_by_key(|&index| segments.get(index).map(width)));
    for (index, segment) in segments.iter().enumerate().rev() {
        let Some(row) = rows.get_mut(segment.row) else { continue };
        if Some(index) == chosen {
            write(row, segment, marker);
        } else {
            write(row, segment, "");
        }
    }
}

fn write(row: &mut Row, segment: &Segment, marker: &str) {
    let cols = row.cells.len();
    let start = segment.columns.start.min(cols);
    let end = segment.columns.end.min(cols);
    let Some(style) = row.cells.get(start).map(|cell| Arc::clone(&cell.style)) else { return };
    let style = unlinked(&style);
    let mut tail = row.cells.split_off(end);
    row.cells.truncate(start);
    row.cells.extend(marker.chars().map(|c| cell(c, &style)));
    while row.cells.len() < end {
        row.cells.push(cell(' ', &style));
    }
    squeeze(&mut tail, row.cells.len() - end);
    row.cells.append(&mut tail);
    row.cells.truncate(cols);
    if let Some(last) = row.cells.last_mut()
        && last.width == 2
    {
        *last = cell(' ', &style);
    }
}

/// Takes up to `excess` blanks out of the gaps, leaving one of each, and of the last one none.
fn squeeze(tail: &mut Vec<Cell>, excess: usize) {
    if excess == 0 {
        return;
    }
    let blank = |cell: &Cell| cell.width == 1 && cell.glyph == Glyph::Char(' ');
    let text_end = tail.iter().rposition(|cell| !blank(cell)).map_or(0, |last| last + 1);
    let mut left = excess;
    let mut before_blank = false;
    let mut index = 0;
    tail.retain(|cell| {
        let is_blank = blank(cell);
        let removable = is_blank && (before_blank || index >= text_end);
        index += 1;
        before_blank = is_blank;
        if removable && left > 0 {
            left -= 1;
            return false;
        }
        true
    });
}

fn cell(c: char, style: &Arc<Style>) -> Cell {
    Cell { glyph: Glyph::Char(c), width: 1, style: Arc::clone(style) }
}

fn unlinked(style: &Arc<Style>) -> Arc<Style> {
    if style.link.is_none() {
        return Arc::clone(style);
    }
    Arc::new(Style { link: None, ..(**style).clone() })
}
