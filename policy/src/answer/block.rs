//! The text of a prompt, and the text around it that can make it unsafe.

use std::sync::LazyLock;

use regex::Regex;

use crate::outgoing::Folded;
use crate::structure::{Structure, is_rule};
use crate::view::View;

/// Rows of the tallest dialog block.
const BLOCK_ROWS_MAX: usize = 24;
/// Rows at the cursor that are the prompt when there is no dialog block.
const LINE_ROWS_MAX: usize = 3;
/// Rows above the block in which cue words veto.
const ABOVE_ROWS: usize = 10;

static DEFAULT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"[\[(/](?:Y/n|y/N|Yes/no|yes/No|YES/no|yes/NO)[/\])]",
        r"|\[(?:Yes|No|Y|N)\]|\((?:yes|no|y|n)\)\s*$",
    ))
    .expect("a constant")
});

/// Both texts have look-alike letters folded, borders taken out and spaces collapsed.
#[derive(Debug)]
pub struct Block {
    pub text: String,
    pub surroundings: String,
    last_line: String,
}

impl Block {
    /// Whether the operator's text stands in the prompt.
    pub fn contains(&self, hint: &str) -> bool {
        let hint = flat(std::iter::once((hint, false)));
        !hint.is_empty() && self.text.to_lowercase().contains(&hint.to_lowercase())
    }

    /// Whether the question shows which answer Enter gives.
    pub fn has_default(&self) -> bool {
        DEFAULT.is_match(&self.last_line)
    }
}

pub fn of(view: &View<'_>, structure: &Structure) -> Block {
    let end = view.last.unwrap_or(0).max(view.cursor_y());
    let at_line = match structure.dialog {
        Some(found) => {
            matches!(found.name, "yes_no_question" | "letter_choice" | "press_a_key")
        }
        None => true,
    };
    let start = if at_line { line_start(view) } else { block_start(view, end) };
    let above = start.saturating_sub(ABOVE_ROWS);
    Block {
        text: text(view, start, end),
        surroundings: text(view, above, end),
        last_line: view.before.clone(),
    }
}

/// The row of the cursor, what wrapped into it, and what stands directly above.
fn line_start(view: &View<'_>) -> usize {
    let y = view.cursor_y();
    let mut start = y;
    while start > 0 && y - start + 1 < LINE_ROWS_MAX && !view.row(start - 1).trim().is_empty() {
        start -= 1;
    }
    while start > 0
        && y - start < BLOCK_ROWS_MAX
        && view.frame.rows.get(start - 1).is_some_and(|row| row.wrapped)
    {
        start -= 1;
    }
    start
}

/// Up to the rule or the edge above the block, or to its greatest height.
fn block_start(view: &View<'_>, end: usize) -> usize {
    let lowest = end.saturating_sub(BLOCK_ROWS_MAX);
    let edge =
        |row: &str| is_rule(row) && row.trim_start().starts_with(['─', '━', '═', '╭', '┌', '▔']);
    (lowest..end).rev().find(|&row| edge(view.row(row))).map_or(lowest, |row| row + 1)
}

fn text(view: &View<'_>, start: usize, end: usize) -> String {
    let wrapped = |row: usize| view.frame.rows.get(row).is_some_and(|row| row.wrapped);
    flat((start..=end).map(|row| (view.row(row), wrapped(row))))
}

/// Rows as running text; a row that wrapped goes on without a space.
fn flat<'r>(rows: impl Iterator<Item = (&'r str, bool)>) -> String {
    let mut joined = String::new();
    for (row, wrapped) in rows {
        joined.push_str(row);
        if !wrapped {
            joined.push('\n');
        }
    }
    let folded = Folded::of(&joined).text;
    let border = |c: char| matches!(c, '\u{2500}'..='\u{259F}');
    let mut out = String::with_capacity(folded.len());
    for word in folded.split(|c: char| c.is_whitespace() || border(c)).filter(|w| !w.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
