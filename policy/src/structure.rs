//! What stands on a screen and where, without knowing the program.

use term::Frame;

/// Whether the cursor stands where a program leaves it that waits for input: within one row of
/// the last row with text, its own row has text, and it is at most one cell behind that text.
/// A screen of one or two rows has no middle, so there only the very bottom counts.
#[must_use]
pub fn cursor_parked(frame: &Frame) -> bool {
    let Some(last) = frame.last_text_row() else { return false };
    let y = usize::from(frame.cursor.y);
    let Some(row) = frame.rows.get(y) else { return false };
    let near =
        if frame.rows.len() <= 2 { y + 1 == frame.rows.len() } else { y.abs_diff(last) <= 1 };
    let length = row.text().chars().count();
    near && length > 0 && usize::from(frame.cursor.x) <= length + 1
}
