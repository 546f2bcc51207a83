//! Every bound of this crate, with its reason.

/// Widest row taken off the wire. Sessions are at most 500 columns; twice that leaves room
/// without letting a lying peer ask for a picture of gigabytes.
pub const WIRE_COLS_MAX: u16 = 1_000;
/// Tallest frame taken off the wire; sessions have at most 200 rows.
pub const WIRE_ROWS_MAX: u16 = 400;
