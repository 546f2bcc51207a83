//! From stored lines to the rows of a frame.

use std::sync::Arc;

use super::state::State;
use crate::clusters::Clusters;
use crate::frame::{Cell, Glyph, Row};
use crate::slot::{Slot, SlotGlyph};

impl State {
    /// The rows of the last picture.
    pub fn picture_rows(&mut self) -> Vec<Row> {
        let mut rows = Vec::with_capacity(self.picture.rows.len());
        for row in &self.picture.rows {
            let mut cells = Vec::with_capacity(row.cells.len());
            for slot in &row.cells {
                cells.push(Cell {
                    glyph: glyph(*slot, &self.clusters),
                    width: width(*slot),
                    style: self.styles.style(slot.style),
                });
            }
            rows.push(Row { cells, wrapped: row.wrapped, changed_in: row.stamp });
        }
        rows
    }

    /// A row outside the picture, for readers that may not write the table of looks.
    pub fn row(&self, cells: &[Slot], wrapped: bool, changed_in: u64) -> Row {
        let mut last = (0, self.styles.style_uncached(0));
        let cells = cells
            .iter()
            .map(|slot| {
                if slot.style != last.0 {
                    last = (slot.style, self.styles.style_uncached(slot.style));
                }
                Cell {
                    glyph: glyph(*slot, &self.clusters),
                    width: width(*slot),
                    style: Arc::clone(&last.1),
                }
            })
            .collect();
        Row { cells, wrapped, changed_in }
    }
}

fn width(slot: Slot) -> u8 {
    if slot.is_spacer() {
        0
    } else if slot.is_wide() {
        2
    } else {
        1
    }
}

fn glyph(slot: Slot, clusters: &Clusters) -> Glyph {
    match slot.glyph() {
        SlotGlyph::Char(c) => Glyph::Char(c),
        SlotGlyph::Cluster(number) => {
            clusters.text(number).map_or(Glyph::Char(' '), |text| Glyph::Cluster(text.clone()))
        }
        SlotGlyph::Spacer => Glyph::Char(' '),
    }
}
