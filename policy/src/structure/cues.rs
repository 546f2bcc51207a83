//! Words around a list of options that tell what it asks for.

use super::ascii_words;
use std::sync::LazyLock;

use regex::RegexSet;

use crate::classification::Kind;

/// In order: the first kind whose words stand in the block.
const CUES: &[(Kind, &str)] = &[
    (
        Kind::Trust,
        concat!(
            r"(?i)\btrust (?:this|the files|the authors|parent|and continue)",
            r"|\bdo you trust\b|i trust this",
        ),
    ),
    (
        Kind::Limit,
        concat!(
            r"(?i)\b(?:usage|rate|session|weekly|quota) limit|\blimit reached\b",
            r"|\bhit your .{0,20}limit",
        ),
    ),
    (
        Kind::Login,
        concat!(
            r"(?i)\b(?:log|sign)[ -]?in (?:with|method|to)\b|\bselect login\b",
            r"|\bhow would you like to authenticate",
        ),
    ),
    (
        Kind::Permission,
        concat!(
            r"(?i)\b(?:do|would) you (?:want|like) (?:me )?to (?:proceed|run|execute",
            r"|allow|create|make|edit|write|overwrite|delete|apply|fetch|use|grant)\b",
            r"|\ballow (?:execution|command|this|once|always)\b",
            r"|\bpermission required\b|\bapprove (?:this|the|command|edit)",
        ),
    ),
    (Kind::Confirm, r"(?i)\bare you sure\b"),
];

static SET: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSet::new(CUES.iter().map(|(_, pattern)| ascii_words(pattern)))
        .expect("constants, compiled by tests")
});

/// What a list of options is about; a menu when no word says more.
#[must_use]
pub fn kind_of_block(text: &str) -> Kind {
    let first = SET.matches(text).into_iter().next();
    first.and_then(|index| CUES.get(index)).map_or(Kind::Menu, |(kind, _)| *kind)
}
