//! Signs of work: spinners, elapsed times with the key that interrupts, progress at the cursor.

use super::ascii_words;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::line::looks_like_prompt;
use crate::view::View;

/// Rows from the bottom in which a spinner line counts.
const SPINNER_ROWS: usize = 12;
/// Rows from the bottom in which a key that interrupts counts.
const FOOTER_ROWS: usize = 4;

static SPINNER: LazyLock<RegexSet> =
    LazyLock::new(|| {
        RegexSet::new([
        r"^\s*(?:[│┃]\s*)?[⠁-⣿✻✽✶✳✢◐◓◑◒◴◷◶◵]\s+\S.{0,70}(?:…|\.\.\.)",
        r"(?i)\((?:\d+[hms]\s?)+.{0,60}\b(?:esc|ctrl[+-]c|\^C) to (?:interrupt|cancel|stop)\b",
        r"(?i)\b(?:esc|ctrl[+-]c) to (?:interrupt|cancel|stop),? (?:\d+[hms]\s?)+\)",
    ].map(ascii_words))
    .expect("constants, compiled by tests")
    });
static FOOTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&ascii_words(
        r"(?i)^\s*(?:.{0,40}[·•|]\s)?(?:esc|ctrl[+-]c|\^c)\s+(?:to\s+)?(?:interrupt|stop)\b",
    ))
    .expect("a constant")
});
static PROGRESS: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSet::new(
        [
            r"(?:\w|\))\s?(?:\.{3,}|…)$",
            r"\b\d{1,3}(?:\.\d+)?\s?%",
            r"[\[|(▕](?:[=#█▓▒░━>*-]{3,}[=#█▓▒░━> .*-]*|[=#>]+ +)[\])|▏]",
            r"[█▓▒░━╸╺#=]{6,}",
            r"(?i)\b\d+(?:\.\d+)?\s?[KMG]i?B/s\b|\beta\s+\d",
            r"^\s*[⠁-⣿◐◓◑◒◴◷◶◵]|[⠁-⣿◐◓◑◒]$",
            r"\w[ .:]\s?[|/\\-]$",
            r"\b\d+/\d+\b.{0,40}$",
        ]
        .map(ascii_words),
    )
    .expect("constants, compiled by tests")
});

/// The name of the sign, or nothing.
#[must_use]
pub fn find(view: &View<'_>, at_prompt: bool) -> Option<&'static str> {
    if view.trailing(SPINNER_ROWS).any(|(_, row)| SPINNER.is_match(row)) {
        return Some("spinner_line");
    }
    if view.trailing(FOOTER_ROWS).any(|(_, row)| FOOTER.is_match(row)) {
        return Some("interrupt_footer");
    }
    let row = view.cursor_row().trim_end();
    let last = view.last == Some(view.cursor_y());
    let busy = !at_prompt && last && !looks_like_prompt(&view.before) && PROGRESS.is_match(row);
    busy.then_some("progress_line")
}
