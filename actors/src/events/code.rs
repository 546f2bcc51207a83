//! Words that may stand in an event: short codes, never prose.

use std::borrow::Cow;
use std::fmt;

/// Longest code in bytes: the longest name of ours has 27.
pub const CODE_BYTES_MAX: usize = 64;

/// A machine-readable word (`pty_exit`, `claude-code:trust`). Screen text cannot become one:
/// whatever is not a letter, digit or one of `_ - . :` is replaced, and the rest is cut.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Code(Cow<'static, str>);

impl Code {
    /// For names written in the source.
    #[must_use]
    pub const fn of(word: &'static str) -> Self {
        Self(Cow::Borrowed(word))
    }

    /// For names from configuration or profiles.
    #[must_use]
    pub fn clean(word: &str) -> Self {
        let cleaned = word
            .chars()
            .take(CODE_BYTES_MAX)
            .map(|c| {
                if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':') {
                    c
                } else {
                    '_'
                }
            })
            .collect::<String>();
        Self(Cow::Owned(cleaned))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A cap that was reached, named with its value: `wall_clock 7200000 ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cap {
    pub name: &'static str,
    pub value: u64,
    /// `ms`, `interactions`, `usd`, or empty.
    pub unit: &'static str,
}

impl fmt::Display for Cap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unit.is_empty() {
            write!(out, "{} {}", self.name, self.value)
        } else {
            write!(out, "{} {} {}", self.name, self.value, self.unit)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_cannot_become_a_code() {
        assert_eq!(Code::clean("rm -rf /home").as_str(), "rm_-rf__home");
        assert_eq!(Code::clean("claude-code:trust.1").as_str(), "claude-code:trust.1");
        assert_eq!(Code::clean(&"x".repeat(1_000)).as_str().len(), CODE_BYTES_MAX);
    }

    #[test]
    fn a_cap_names_itself() {
        let cap = Cap { name: "wall_clock", value: 7_200_000, unit: "ms" };
        assert_eq!(cap.to_string(), "wall_clock 7200000 ms");
    }
}
