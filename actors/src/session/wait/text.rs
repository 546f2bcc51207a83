//! What is new on a screen since a caller's mark, and whether a pattern stands in it. Pure.

use regex::{Regex, RegexBuilder};
use term::Row;

use super::super::marks::Mark;
use crate::error::Error;
use crate::session_limits::{PATTERN_BYTES_MAX, REGEX_BYTES_MAX};

/// What a wait looks for.
#[derive(Debug, Clone)]
pub enum Pattern {
    Text(String),
    Regex(Box<Regex>),
    /// Either is enough.
    Both(String, Box<Regex>),
}

impl Pattern {
    /// # Errors
    /// Empty, too long, or no regular expression of the linear-time engine.
    pub fn new(text: Option<String>, regex: Option<&str>) -> Result<Option<Self>, Error> {
        for (field, value) in [("forText", text.as_deref()), ("forRegex", regex)] {
            if value.is_some_and(|value| value.is_empty() || value.len() > PATTERN_BYTES_MAX) {
                return Err(Error::InvalidValue {
                    field: field.to_owned(),
                    detail: format!("must have 1 to {PATTERN_BYTES_MAX} bytes"),
                    hint: None,
                });
            }
        }
        let regex = regex.map(compile).transpose()?;
        Ok(match (text, regex) {
            (Some(text), Some(regex)) => Some(Self::Both(text, Box::new(regex))),
            (Some(text), None) => Some(Self::Text(text)),
            (None, Some(regex)) => Some(Self::Regex(Box::new(regex))),
            (None, None) => None,
        })
    }

    #[must_use]
    pub fn found_in(&self, text: &str) -> bool {
        match self {
            Self::Text(wanted) => text.contains(wanted.as_str()),
            Self::Regex(regex) => regex.is_match(text),
            Self::Both(wanted, regex) => text.contains(wanted.as_str()) || regex.is_match(text),
        }
    }
}

fn compile(pattern: &str) -> Result<Regex, Error> {
    RegexBuilder::new(pattern)
        .size_limit(REGEX_BYTES_MAX)
        .dfa_size_limit(REGEX_BYTES_MAX)
        .build()
        .map_err(|error| Error::InvalidValue {
            field: "forRegex".to_owned(),
            detail: error.to_string(),
            hint: Some(
                "look-around and back-references are not supported; keep repetitions small"
                    .to_owned(),
            ),
        })
}

/// The new logical lines, one a line: rows that changed after the mark, without the echo of
/// the caller's own text and without the prompt it was typed at.
#[must_use]
pub fn new_text(mark: &Mark, history: &[Row], screen: &[Row]) -> String {
    let mut echo: Vec<&str> = mark.echo.iter().map(String::as_str).collect();
    let mut prefix = Some(mark.prefix.as_str()).filter(|prefix| !prefix.trim().is_empty());
    let mut out = String::new();
    for line in new_lines(mark.frame, history.iter().chain(screen)) {
        let mut rest = line.as_str();
        if let Some(cut) = prefix.and_then(|prefix| rest.strip_prefix(prefix)) {
            rest = cut;
            prefix = None;
        }
        match strip_echo(rest, &mut echo) {
            Some((before, after)) => {
                out.push_str(before);
                out.push_str(after);
            }
            None => out.push_str(rest),
        }
        out.push('\n');
    }
    out
}

/// Rows that are continued are one line; it is new when any of its rows is.
fn new_lines<'r>(since: u64, rows: impl Iterator<Item = &'r Row>) -> Vec<String> {
    let mut out = Vec::new();
    let mut line = String::new();
    let mut new = false;
    for row in rows {
        line.push_str(&row.text());
        new |= row.changed_in > since;
        if !row.wrapped {
            let done = std::mem::take(&mut line);
            if std::mem::take(&mut new) {
                out.push(done);
            }
        }
    }
    if new {
        out.push(line);
    }
    out
}

/// Takes one occurrence of one typed line out of a screen line.
fn strip_echo<'l>(line: &'l str, echo: &mut Vec<&str>) -> Option<(&'l str, &'l str)> {
    let (index, at) = echo
        .iter()
        .enumerate()
        .find_map(|(index, typed)| line.find(typed).map(|at| (index, at)))?;
    let typed = echo.remove(index);
    Some((line.get(..at)?, line.get(at + typed.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use term::{Cell, Glyph, Style};

    fn row(text: &str, changed_in: u64) -> Row {
        let style = Arc::new(Style::default());
        let cells = text
            .chars()
            .map(|c| Cell { glyph: Glyph::Char(c), width: 1, style: Arc::clone(&style) })
            .collect();
        Row { cells, wrapped: false, changed_in }
    }

    fn wrapped(text: &str, changed_in: u64) -> Row {
        Row { wrapped: true, ..row(text, changed_in) }
    }

    fn mark(frame: u64, prefix: &str, echo: &[&str]) -> Mark {
        let echo = echo.iter().map(|line| (*line).to_owned()).collect();
        Mark { frame, history_total: 0, prefix: prefix.to_owned(), echo }
    }

    #[test]
    fn only_rows_that_changed_later_are_new() {
        let screen = [row("old", 3), row("new", 7)];
        assert_eq!(new_text(&mark(5, "", &[]), &[], &screen), "new\n");
        assert_eq!(new_text(&mark(7, "", &[]), &[], &screen), "");
        let history = [row("scrolled", 6), row("long ago", 2)];
        assert_eq!(new_text(&mark(5, "", &[]), &history, &screen), "scrolled\nnew\n");
    }

    #[test]
    fn the_echo_is_taken_out_once_even_across_a_wrap() {
        let typed = "echo hello world";
        let screen = [wrapped("$ echo hel", 8), row("lo world", 8), row("hello world", 9)];
        let found = new_text(&mark(5, "$ ", &[typed]), &[], &screen);
        assert_eq!(found, "\nhello world\n");
        let twice = [row("x", 8), row("x", 9)];
        assert_eq!(new_text(&mark(5, "", &["x"]), &[], &twice), "\nx\n");
    }

    #[test]
    fn the_prompt_that_was_typed_at_is_old() {
        let screen = [row("ready> go", 8), row("done", 8), row("ready> ", 8)];
        let found = new_text(&mark(5, "ready> ", &["go"]), &[], &screen);
        assert_eq!(found, "\ndone\nready>\n");
    }

    #[test]
    fn bad_patterns_are_refused() {
        for bad in ["(", "a{1000}{1000}", r"(?=x)", ""] {
            assert!(Pattern::new(None, Some(bad)).is_err(), "{bad}");
        }
        assert!(Pattern::new(Some("x".repeat(5_000)), None).is_err());
        assert!(Pattern::new(None, None).unwrap().is_none());
    }
}
