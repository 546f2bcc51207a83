//! Detectors for text that talks to the reader as if it were its master. Report only: nothing
//! is removed for being suspicious.

use std::sync::LazyLock;

use regex::RegexSet;

/// Detector and pattern, looked for in folded text.
const DETECTORS: &[(&str, &str)] = &[
    (
        "ignore_previous_instructions",
        r"(?is)\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|all|your|system)\b.{0,40}\b(?:instruction|prompt|rule|direction|guideline|context|message)s?\b",
    ),
    (
        "new_instructions",
        r"(?im)\b(?:new|updated|real|actual)\s+(?:system\s+)?instructions?\s*:|\byou are now (?:a|an|in|the)\b|\bfrom now on,? you\b",
    ),
    (
        "role_marker",
        r"(?im)^[\s#>*│|]{0,8}(?:system|assistant|developer|human)\s*:\s*\S|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<<SYS>>",
    ),
    (
        "fake_system_tag",
        r"(?i)</?\s*(?:system|system[-_]reminder|system[-_]prompt|tool[-_]result|function[-_](?:calls?|results?)|instructions|assistant|developer)\b[^<>\n]{0,80}>",
    ),
    (
        "prompt_exfiltration",
        r"(?is)\b(?:reveal|print|show|repeat|output|send|leak)\b.{0,30}\b(?:system prompt|initial prompt|your instructions|hidden instructions|your credentials)\b",
    ),
    (
        "secrecy_request",
        r"(?is)\b(?:do not|don't|never)\s+(?:tell|inform|mention|reveal)\b.{0,30}\b(?:user|human|operator|owner)\b",
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
