//! The one road by which screen text leaves: bound, redact, wrap.
//!
//! Secrets are looked for on logical lines (rows joined where the terminal wrapped them), in
//! cells, so neither a row break nor a change of colour hides one; what replaces them is laid
//! back onto the same cells. Rows above the cut are looked at too, so that cutting never
//! leaves the second half of a secret behind.
//!
//! Invariants: a [`SafeText`] is made nowhere else; it is never longer than the asked bound;
//! the bottom rows and the cursor row survive the cut; cuts fall on rows and characters.

mod bound;
mod fold;
mod ghost;
mod lay;
mod logical;
mod plain;
mod redact;
mod screen;
mod serialise;
mod signals;
mod wrap;

#[cfg(test)]
mod tests;

use term::Frame;

pub(crate) use fold::Folded;
pub use ghost::{Ghost, ghost};
pub use plain::{line, plain};
pub use screen::screen;

/// What stands where a secret stood.
pub const REDACTED: &str = "[REDACTED]";

/// What stands where text imitated our delimiters.
pub const MARKER_SANITIZED: &str = "[[MARKER_SANITIZED]]";

/// Text that may leave the service. Only this module can make one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SafeText {
    text: String,
    pub redactions: u32,
    pub dropped_bytes: u64,
    pub dropped_rows: u64,
    pub injection_signals: Vec<&'static str>,
}

impl SafeText {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Whether the untrusted wrapper is put around the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// For every agent: notice, random delimiter, source line.
    Untrusted,
    /// For viewer and admin tokens that asked for it.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    Text,
    Ansi,
    Html,
    /// A JSON array of rows; a row is an array of runs of cells that look the same.
    Cells,
}

/// How a screen is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request<'a> {
    pub format: Format,
    pub bytes_max: usize,
    pub redact: bool,
    pub wrap: Wrap,
    /// `terminal:<allowId>` goes into the source line.
    pub allow_id: &'a str,
    /// 24 hex digits, random per response; given by the caller so that this stays pure.
    pub delimiter: &'a str,
}

/// A part of the screen that is to be shown, with the row number each row is labelled with
/// in `diff` mode.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    pub frame: &'a Frame,
    /// History rows that come before the screen (`full` with `scrollback`).
    pub history: &'a [term::Row],
    /// Only rows that changed after this frame, each prefixed with its number.
    pub changed_since: Option<u64>,
}
