//! Where the secrets are. Patterns over logical lines, all in the linear-time engine.
//!
//! Each rule is a pattern whose group `s` is the secret and a check of what was found; the
//! check keeps prose ("basic authentication") and references (`${VAR}`) as they are.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

struct Rule {
    pattern: &'static str,
    is_secret: fn(&str) -> bool,
}

/// A value: quoted, or up to the next white space.
const RULES: &[Rule] = &[
    // Labelled assignments.
    Rule {
        pattern: concat!(
            r"(?i)(?:pass(?:word|wd|phrase)s?|pwd|secrets?|token|api[ _-]?keys?",
            r"|credentials?|private[ _-]?key|(?:account|access|signing|encryption|master",
            r"|shared[ _-]?access)[ _-]?key)(?:[ _-](?:access|key|base|value|hash|id|text",
            r#"|string|b64|base64|1|2|new|old|prod|dev|test))*["'`]?[ \t]{0,8}(?::=|=>"#,
            r#"|={1,2}|:)[ \t]{0,8}(?P<s>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`"#,
            r#"|[^\s"'`]\S*)"#,
        ),
        is_secret: is_value,
    },
    Rule {
        pattern: r"(?i)\bauthorization[ \t]*[:=][ \t]*(?:[a-z]+[ \t]+)?(?P<s>\S+)",
        is_secret: is_value,
    },
    // Tokens known by how they begin.
    Rule {
        pattern: concat!(
            r"(?P<s>\b(?:gh[pousr]_|github_pat_|glpat-|sk-ant-|sk-proj-|sk_live_|sk_test_",
            r"|rk_live_|xox[abprs]-|xapp-|ya29\.)[A-Za-z0-9_.-]{6,})",
        ),
        is_secret: always,
    },
    Rule {
        pattern: concat!(
            r"(?P<s>\b(?:sk-[A-Za-z0-9_-]{16,}|(?:AKIA|ASIA)[A-Z0-9]{12,}",
            r"|AIza[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{10,}|npm_[A-Za-z0-9]{16,}",
            r"|ntn_[A-Za-z0-9]{10,}|SG\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?))",
        ),
        is_secret: has_digit_or_capital,
    },
    Rule {
        pattern: r"(?i)\b(?:bearer|basic)[ \t]+(?P<s>[A-Za-z0-9._~+/=-]{8,})",
        is_secret: is_no_word,
    },
    // JSON web tokens.
    Rule {
        pattern: r"(?P<s>\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?)",
        is_secret: always,
    },
    // Private keys, to their end or to the end of the text; and the rest of one whose
    // beginning is not there any more.
    Rule {
        pattern: concat!(
            r"(?s)(?P<s>-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?",
            r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z))",
        ),
        is_secret: always,
    },
    Rule {
        pattern: concat!(
            r"(?P<s>(?:[ \t]*[A-Za-z0-9+/=]{4,}[ \t]*\n)+[ \t]*-----END ",
            r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)",
        ),
        is_secret: always,
    },
    // User information of URLs, and with it connection strings.
    Rule {
        pattern: r#"(?i)\b[a-z][a-z0-9+.-]{1,30}://(?P<s>[^\s/?#"'<>]+)@"#,
        is_secret: |found| found != "git" && found != "${USER}" && is_value(found),
    },
];

static REGEXES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    RULES
        .iter()
        .map(|rule| Regex::new(rule.pattern).expect("a constant that a test compiles"))
        .collect()
});

static SET: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSet::new(RULES.iter().map(|rule| rule.pattern)).expect("constants that a test compiles")
});

/// Long tokens are cut out of the text by hand; the rest of the rule is arithmetic.
const TOKEN_BYTES_MIN: usize = 44;
const TOKEN_ENTROPY_MIN: f64 = 3.5;

/// Parts of the text that are secrets, in order and not overlapping.
#[must_use]
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let indexes: Vec<usize> = SET.matches(text).into_iter().collect();
    for index in indexes {
        let (Some(rule), Some(regex)) = (RULES.get(index), REGEXES.get(index)) else { continue };
        for captures in regex.captures_iter(text) {
            let Some(secret) = captures.name("s") else { continue };
            let part = trimmed(text, secret.range());
            let shown = text.get(part.clone()).unwrap_or_default();
            if !part.is_empty() && (rule.is_secret)(shown) {
                found.push(part);
            }
        }
    }
    push_high_entropy(text, &mut found);
    merged(found)
}

/// A secret without the quotes around it and the punctuation after it.
fn trimmed(text: &str, part: Range<usize>) -> Range<usize> {
    let Some(shown) = text.get(part.clone()) else { return part };
    if shown.starts_with("-----") || shown.contains('\n') {
        return part;
    }
    for quote in ['"', '\'', '`'] {
        if let Some(inner) = shown.strip_prefix(quote) {
            let inner = inner.strip_suffix(quote).unwrap_or(inner);
            return part.start + 1..part.start + 1 + inner.len();
        }
    }
    if shown.starts_with("${") || shown.starts_with('[') {
        return part;
    }
    let end = shown.trim_end_matches([',', ';', ')', ']', '}', '"', '\'', '`', '│', '|']);
    part.start..part.start + end.len()
}

fn push_high_entropy(text: &str, found: &mut Vec<Range<usize>>) {
    let mut offset = 0;
    let graphic = |byte: u8| byte.is_ascii_graphic();
    for run in text.as_bytes().split(|byte| !graphic(*byte)) {
        let start = offset;
        offset += run.len() + 1;
        if run.len() < TOKEN_BYTES_MIN {
            continue;
        }
        let edge = |byte: &u8| b"\"'`()[]{}<>;.!|*".contains(byte);
        let left = run.iter().take_while(|byte| edge(byte)).count();
        let right = run.iter().rev().take_while(|byte| edge(byte)).count();
        let Some(token) = run.get(left..run.len().saturating_sub(right).max(left)) else {
            continue;
        };
        let excluded = |byte: &u8| b":/?&=@,".contains(byte);
        if token.len() >= TOKEN_BYTES_MIN
            && !token.iter().any(excluded)
            && entropy(token) > TOKEN_ENTROPY_MIN
        {
            found.push(start + left..start + left + token.len());
        }
    }
}

/// Shannon entropy in bits per byte.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = bytes.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum()
}

fn merged(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|part| (part.start, part.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for part in found {
        match merged.last_mut() {
            Some(last) if part.start < last.end => last.end = last.end.max(part.end),
            Some(_) | None => merged.push(part),
        }
    }
    merged
}

fn always(_: &str) -> bool {
    true
}

/// Not a reference to a variable, not redacted before, not an empty value of a language.
fn is_value(found: &str) -> bool {
    let reference = found.starts_with("${") && found.ends_with('}');
    let redacted = found.contains(super::REDACTED) || found == "[REDACTED";
    let nothing = ["null", "none", "nil", "true", "false", "undefined"];
    let empty = nothing.iter().any(|word| found.eq_ignore_ascii_case(word));
    !(reference || redacted || empty || found.chars().all(|c| c == '*' || c == '•'))
}

fn has_digit_or_capital(found: &str) -> bool {
    let body = found.get(3..).unwrap_or_default();
    body.chars().any(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
}

/// Prose has words of small letters; encoded credentials do not.
fn is_no_word(found: &str) -> bool {
    let rest = found.get(1..).unwrap_or_default();
    rest.chars().any(|c| !c.is_ascii_lowercase() && c != '.' && c != '-')
}
