//! Lists to choose from that are the trailing structure of the screen.

use std::sync::LazyLock;

use regex::Regex;

use super::line::{is_rule, looks_like_prompt};
use super::{Found, ascii_words, kind_of_block};
use crate::classification::Kind;
use crate::view::{View, is_inverse};

/// Rows of a list and what belongs to it.
const BLOCK_ROWS_MAX: usize = 40;
/// Rows between two options that only describe the first.
const DESCRIPTION_ROWS_MAX: usize = 3;
/// Rows below the options: a preview, keys that work.
const FOOTER_ROWS_MAX: usize = 12;
/// Rows above the options that tell what they are about.
const QUESTION_ROWS_MAX: usize = 10;

static ENUMERATED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:[│┃|]\s*)?(?P<selector>[❯›>▸▶→➜●◉⯈»*]\s*)?(?:\d{1,2}[.)]",
        r"|\[\d{1,2}\]|\([a-z0-9]\)|[a-z]\))\s+\S",
    ))
    .expect("a constant")
});
static SELECTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:[│┃|]\s*)?(?P<glyph>[❯›▸▶➜●◉■⯈])\s+(?P<text>\S)").expect("a constant")
});
static HINT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:enter|return)\b.{0,12}\b(?:select|confirm|continue|submit",
        r"|choose|set|accept)|\besc\b.{0,8}\b(?:cancel|back|exit|close|go back)",
        r"|arrow[ -]keys|↑/?↓|\bpress enter\b|\bspace to (?:select|toggle)",
    ))
    .expect("a constant")
});
static COUNTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&ascii_words(r"^\s*[\d⠀-⣿/|\\-]*\s*\d+/\d+\b")).expect("a constant")
});
static COMMAND: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\S{0,60}(?: \S{1,60}){0,2}[$#%>❯➜] \S").expect("a constant"));
static PRESS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:press|hit)\s+(?:any key|enter|return",
        r"|space)\b.{0,20}(?:\bto (?:continue|proceed|exit|start|begin|close",
        r"|finish|return)\b|…|\.\.\.|$)",
    ))
    .expect("a constant")
});

#[must_use]
pub fn find(view: &View<'_>) -> Option<Found> {
    let last = view.last?;
    if let Some(found) = finder(view) {
        return Some(found);
    }
    let first = last.saturating_sub(BLOCK_ROWS_MAX);
    let enumerated = cluster(view, first, last, |row| ENUMERATED.is_match(row));
    if let Some(list) = enumerated
        && let Some(found) = judge(view, &list, last)
    {
        return Some(found);
    }
    selected(view, first, last).or_else(|| inverse(view, first, last)).or_else(|| press(view, last))
}

/// Rows from the first to the last option of the last list.
struct List {
    from: usize,
    to: usize,
    options: usize,
}

fn cluster(
    view: &View<'_>,
    first: usize,
    last: usize,
    is_option: impl Fn(&str) -> bool,
) -> Option<List> {
    let mut list: Option<List> = None;
    let mut gap = 0;
    for row in (first..=last).rev() {
        if is_option(view.row(row)) {
            let list = list.get_or_insert(List { from: row, to: row, options: 0 });
            list.from = row;
            list.options += 1;
            gap = 0;
        } else if list.is_some() {
            gap += 1;
            if gap > DESCRIPTION_ROWS_MAX {
                break;
            }
        }
    }
    list.filter(|list| list.options >= 2)
}

fn judge(view: &View<'_>, list: &List, last: usize) -> Option<Found> {
    let below = list.to + 1..last + 1;
    let filled = below.clone().filter(|&row| !view.row(row).trim().is_empty()).count();
    if filled > FOOTER_ROWS_MAX || answered_below(view, list.to) {
        return None;
    }
    let selector = (list.from..=list.to).any(|row| {
        ENUMERATED
            .captures(view.row(row))
            .and_then(|found| found.name("selector"))
            .is_some_and(|glyph| !glyph.as_str().starts_with('*'))
    });
    let hint = below.rev().take(4).any(|row| HINT.is_match(view.row(row)));
    (selector || (hint && filled <= 4))
        .then(|| Found { kind: kind_of_block(&question(view, list)), name: "enumerated_options" })
}

/// Something is typed into below the list: then the list is only text.
fn answered_below(view: &View<'_>, to: usize) -> bool {
    let y = view.cursor_y();
    if y <= to {
        return false;
    }
    let before = view.before.trim();
    // A command was typed below the list and runs now, the cursor waiting under it.
    let running = before.is_empty()
        && view.last.is_some_and(|last| last > to && last < y && COMMAND.is_match(view.row(last)));
    running
        || looks_like_prompt(before)
        || before.starts_with(['❯', '›', '>'])
        || (to + 1..=y).any(|row| {
            view.row(row).trim_start().starts_with(['❯', '›'])
                && row > 0
                && is_rule(view.row(row - 1))
        })
}

fn question(view: &View<'_>, list: &List) -> String {
    let from = list.from.saturating_sub(QUESTION_ROWS_MAX);
    let rows: Vec<&str> = (from..=list.to).map(|row| view.row(row)).collect();
    rows.join("\n")
}

/// A glyph in front of one of several rows that begin in the same column.
fn selected(view: &View<'_>, first: usize, last: usize) -> Option<Found> {
    for row in (first..=last).rev() {
        let text = view.row(row);
        let Some(found) = SELECTED.captures(text) else { continue };
        let column = found.name("text").map(|at| columns(text, at.start()))?;
        let sibling = |other: usize| {
            let text = view.row(other);
            let begins = text.chars().position(|c| c.is_alphanumeric() || "\"'(<[".contains(c));
            begins == Some(column) && !is_rule(text)
        };
        let beside = (row > 0 && sibling(row - 1)) || sibling(row + 1);
        let list = List { from: row.saturating_sub(1), to: row + 1, options: 2 };
        let filled = (row + 1..=last).filter(|&row| !view.row(row).trim().is_empty()).count();
        if !beside || filled > 2 * FOOTER_ROWS_MAX || answered_below(view, last.min(row + 1)) {
            return None;
        }
        let hidden = !view.frame.cursor.visible;
        let around = (row.saturating_sub(8)..=last).any(|row| HINT.is_match(view.row(row)));
        return (hidden || around)
            .then(|| Found { kind: kind_of_block(&question(view, &list)), name: "selector" });
    }
    None
}

fn columns(text: &str, byte: usize) -> usize {
    text.get(..byte).map_or(0, |part| part.chars().count())
}

/// An inverse row among plain ones while the cursor is hidden.
fn inverse(view: &View<'_>, first: usize, last: usize) -> Option<Found> {
    if view.frame.cursor.visible {
        return None;
    }
    let bars: Vec<usize> =
        (first..=last).filter(|&row| view.frame.rows.get(row).is_some_and(is_inverse)).collect();
    let &[row] = bars.as_slice() else { return None };
    let plain = |row: usize| !view.row(row).trim().is_empty();
    let siblings = row > 0 && plain(row - 1) && plain(row + 1);
    let edge = (row > 0 && plain(row - 1)) || plain(row + 1);
    let hint = (first..=last).any(|row| HINT.is_match(view.row(row)));
    (row < last && (siblings || (edge && hint)))
        .then_some(Found { kind: Kind::Menu, name: "inverse_row" })
}

/// A filter line with a counter and candidates beside it.
fn finder(view: &View<'_>) -> Option<Found> {
    let y = view.cursor_y();
    let at_prompt = view.before.trim_start().starts_with(['>', '❯', '›']);
    let counter =
        y.checked_sub(1).into_iter().chain([y + 1]).any(|row| COUNTER.is_match(view.row(row)));
    (at_prompt && counter).then_some(Found { kind: Kind::Menu, name: "finder" })
}

fn press(view: &View<'_>, last: usize) -> Option<Found> {
    let y = view.cursor_y();
    (PRESS.is_match(view.row(last)) && (y >= last || !view.frame.cursor.visible))
        .then_some(Found { kind: Kind::Confirm, name: "press_a_key" })
}
