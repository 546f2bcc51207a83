//! Rows to strings. Every function gives one string per row, so that a caller can cut and
//! redact by row; none of them decides what may leave the service.

mod ansi;
mod html;

pub(crate) use ansi::ansi_full;
pub use ansi::{ansi, ansi_screen};
pub use html::html;

use crate::frame::Row;

/// The row as plain text, trailing blanks removed.
#[must_use]
pub fn text(row: &Row) -> String {
    row.text()
}
