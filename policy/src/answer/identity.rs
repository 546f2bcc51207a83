//! Which prompt is it? What moves by itself is taken out; other digits stay, because "step 1"
//! and "step 2" are different prompts.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;

use regex::Regex;

/// Names a prompt without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PromptId(u64);

/// Clocks, percentages, sizes and rates, durations, counters of a progress display, spinners
/// and bars, the glyph in front of the selected option.
static MOVING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m\b)?",
        r"|\b\d+(?:\.\d+)?\s?%",
        r"|\b\d+(?:\.\d+)?\s?[kmg]i?b(?:/s)?\b",
        r"|(?:\b\d+(?:\.\d+)?\s?(?:ms|s|secs?|seconds?|mins?|minutes?|m|h|hours?)\b\s?)+(?:ago\b)?",
        r"|[↑↓]\s?\d+(?:\.\d+)?k?\s(?:tokens?\b)?",
        r"|[\[(][=#>\s.*-]{3,}[\])]\s*\d+/\d+",
        r"|[⠀-⣿✻✽✶✳✢◐◓◑◒◴◷◶◵❯›▸▶]|(?:^|\s)[|/\\](?:\s|$)|[=#]{3,}>?",
    ))
    .expect("a constant, compiled by tests")
});

impl PromptId {
    /// Of the running text of a prompt.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let still = MOVING.replace_all(text, " ");
        let mut hasher = DefaultHasher::new();
        for word in still.split_whitespace() {
            word.hash(&mut hasher);
        }
        Self(hasher.finish())
    }
}
