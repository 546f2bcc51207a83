//! Detectors for text that talks to the reader as if it were its master. Report only: nothing
//! is removed for being suspicious.

use std::sync::LazyLock;

use regex::RegexSet;

/// Detector and pattern, looked for in folded text.
const DETECTORS: &[(&str, &str)] = &[
    (
        "ignore_previous_instructions",
        concat!(
            r"(?is)\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous",
            r"|prior|above|earlier|preceding|all|your|system)\b.{0,40}\b(?:instruction",
            r"|prompt|rule|direction|guideline|context|message)s?\b",
        ),
    ),
    (
        "new_instructions",
        concat!(
            r"(?im)\b(?:new|updated|real|actual)\s+(?:system\s+)?instructions?\s*:",
            r"|\byou are now (?:a|an|in|the)\b|\bfrom now on,? you\b",
        ),
    ),
    (
        "role_marker",
        concat!(
            r"(?im)^[\s#>*│|]{0,8}(?:system|assistant|developer|human)\s*:\s*\S|<",
            r"\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<<SYS>>",
        ),
    ),
    (
        "fake_system_tag",
        concat!(
            r"(?i)</?\s*(?:system|system[-_]reminder|system[-_]prompt|tool[-_]result",
            r"|function[-_](?:calls?|results?)|instructions|assistant",
            r"|developer)\b[^<>\n]{0,80}>",
        ),
    ),
    (
        "prompt_exfiltration",
        concat!(
            r"(?is)\b(?:reveal|print|show|repeat|output|send",
            r"|leak)\b.{0,30}\b(?:system prompt|initial prompt|your instructions",
            r"|hidden instructions|your credentials)\b",
        ),
    ),
    (
        "secrecy_request",
        concat!(
            r"(?is)\b(?:do not|don't|never)\s+(?:tell|inform|mention",
            r"|reveal)\b.{0,30}\b(?:user|human|operator|owner)\b",
        ),
    ),
];

/// Reported by the wrapper when text imitated its delimiters.
pub const MARKER_IMITATION: &str = "marker_imitation";

static SET: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSet::new(DETECTORS.iter().map(|(_, pattern)| *pattern))
        .expect("the patterns are constants and a test compiles them")
});

/// Names of the detectors that fire on folded text.
#[must_use]
pub fn detect(folded: &str) -> Vec<&'static str> {
    SET.matches(folded)
        .into_iter()
        .filter_map(|index| DETECTORS.get(index).map(|(name, _)| *name))
        .collect()
}
