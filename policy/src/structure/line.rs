//! The row of the cursor: passwords, yes-or-no questions, composers, prompts.

use super::ascii_words;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::Found;
use crate::classification::Kind;
use crate::view::View;

pub struct AtCursor {
    pub dialog: Option<Found>,
    pub prompt: Option<Found>,
}

/// Questions with given answers, looked for in the text before the cursor. A short answer may
/// already stand behind them.
const CONFIRMS: &[&str] = &[
    concat!(
        r"(?i)[\[(]\s*(?:y|yes)\s*(?:/|,|\||or)\s*(?:n",
        r"|no)\b[^\])]{0,60}[\])]\s*(?:\[\w{1,8}\]\s*)?[?:>]?\s*\w{0,4}$",
    ),
    concat!(
        r"(?i)[\[(]\s*(?:n|no)\s*(?:/|,|\||or)\s*(?:y",
        r"|yes)\b[^\])]{0,60}[\])]\s*(?:\[\w{1,8}\]\s*)?[?:>]?\s*\w{0,4}$",
    ),
    r"(?i)\(y\)es\s*/\s*\(n\)o.{0,80}[:?]\s*\w{0,4}$",
    r"(?i)\[(?:[a-z?][,/]){2,15}[a-z?]\]\s*\??\s*\w?$",
    r"(?i)\((?:[a-z][/,]){2,10}[a-z]\)\s*(?:\[default=\w\])?\s*\??\s*\w?$",
    r"(?i)\[(?:yn|ny|yna|ynq)\]\s*\??\s*\w?$",
    r"(?i)\[y\].{0,60}\[n\]\s*\??\s*\w?$",
    r"(?i)\?\s*[\[(](?:yes|no|y|n)[\])]\s*\w{0,4}$",
    concat!(
        r"(?i)\b(?:remove|overwrite|replace|delete|continue|proceed|override",
        r"|are you sure|really|save modified|quit anyway|ok to)\b.{0,120}\?\s*\w{0,3}$",
    ),
    r"(?i)\btype (?:'?yes'?|'?y'?) to (?:continue|confirm|proceed)\b.{0,20}[:>]?\s*\w{0,4}$",
];

/// Letters in brackets that are the first letters of the answers.
const LETTERS: &str = r"(?:[\[(][A-Za-z][\])]\w+[ \w-]{0,20},?\s*){2,}[:?]?\s*\w?$";

const PASSWORD: &str = concat!(
    r"(?i)\b(?:pass(?:word|phrase|code)|PIN|verification code|one-time (?:code",
    r"|password))\b.{0,120}[:?]$|^mot de passe.{0,60}:$",
);
const LOGIN: &str = r"(?i)^(?:.{0,40}\blogin|user ?name\b.{0,80}|e-?mail(?: address)?):$";
const SELECT: &str = concat!(
    r"(?i)^(?:#\?|.{0,80}\b(?:choice|choose|select(?:ion)?|option|pick",
    r"|enter a number)\b.{0,60}[:?>]|.{0,40}\[\d+-\d+\]\s*[:?>]?)\s*\d{0,3}$",
);

static CONFIRM: LazyLock<RegexSet> = LazyLock::new(|| set(CONFIRMS));
static SINGLE: LazyLock<RegexSet> = LazyLock::new(|| set(&[PASSWORD, LOGIN, SELECT, LETTERS]));
static COMPOSER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s{0,4}(?:[│┃|▌▏]\s{0,2})?[❯›>»]{1}(?:[\s\u{a0}]|$)").expect("a constant")
});
/// `name: (default)` and `name [default]`.
static DEFAULTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*\w[\w /-]{0,60}:? ?(?:\([^()]{0,80}\)|\[[^\[\]]{0,80}\])$")
        .expect("a constant")
});
static ENUMERATED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:\d{1,2}[.)]|\[\d{1,2}\]|\(\w\)|\w\))\s+\S").expect("a constant")
});

fn set(patterns: &[&str]) -> RegexSet {
    RegexSet::new(patterns.iter().map(|pattern| ascii_words(pattern)))
        .expect("constants, compiled by tests")
}

#[must_use]
pub fn find(view: &View<'_>) -> AtCursor {
    let nothing = AtCursor { dialog: None, prompt: None };
    if view.cursor_row().trim().is_empty() {
        return nothing;
    }
    let dialog = |kind, name| AtCursor { dialog: Some(Found { kind, name }), prompt: None };
    let prompt = |kind, name| AtCursor { dialog: None, prompt: Some(Found { kind, name }) };
    if is_composer(view) {
        return prompt(Kind::Composer, "composer");
    }
    if !view.cursor_parked() {
        return nothing;
    }
    let question = question(view);
    if view.after.is_empty() && CONFIRM.is_match(&question) {
        return dialog(Kind::Confirm, "yes_no_question");
    }
    let single: Vec<usize> = SINGLE.matches(view.before.trim_start()).into_iter().collect();
    match single.first() {
        Some(0) if view.after.is_empty() => return prompt(Kind::Password, "password_prompt"),
        Some(1) => return prompt(Kind::Login, "login_prompt"),
        Some(2) if options_above(view) >= 2 => return dialog(Kind::Menu, "numbered_choice"),
        Some(3) if view.after.is_empty() => return dialog(Kind::Confirm, "letter_choice"),
        Some(_) | None => {}
    }
    if looks_like_prompt(&view.before) {
        return prompt(Kind::Prompt, "prompt_line");
    }
    nothing
}

/// The text before the cursor, joined with the row above when that wrapped into it.
fn question(view: &View<'_>) -> String {
    let y = view.cursor_y();
    let above =
        y.checked_sub(1).filter(|&row| view.frame.rows.get(row).is_some_and(|row| row.wrapped));
    match above {
        Some(row) => format!("{}{}", view.row(row), view.before),
        None => view.before.clone(),
    }
}

/// A glyph to type behind, between rules or the sides of a box.
fn is_composer(view: &View<'_>) -> bool {
    let y = view.cursor_y();
    let row = view.cursor_row();
    if !COMPOSER.is_match(row) {
        return false;
    }
    let codex_like = row.trim_start().starts_with('›')
        && !ENUMERATED.is_match(row.trim_start().trim_start_matches(['›', ' ']));
    let above = y.checked_sub(1).is_some_and(|row| is_rule(view.row(row)));
    let below = (y + 1..y + 6)
        .map(|row| view.row(row))
        .find(|row| is_rule(row) || row.trim().is_empty())
        .is_some_and(is_rule);
    above || codex_like || (below && y > 0 && !view.row(y - 1).trim().is_empty() && is_boxed(row))
}

fn is_boxed(row: &str) -> bool {
    row.trim_start().starts_with(['│', '┃'])
}

/// A horizontal rule or the edge of a box.
#[must_use]
pub fn is_rule(row: &str) -> bool {
    let row = row.trim();
    let line = |c: char| {
        matches!(
            c,
            '─' | '━'
                | '═'
                | '▔'
                | '▁'
                | '▄'
                | '▀'
                | '╭'
                | '╮'
                | '╰'
                | '╯'
                | '┌'
                | '┐'
                | '└'
                | '┘'
                | '├'
                | '┤'
                | '╌'
        )
    };
    let mut chars = row.chars();
    let starts = chars.next().is_some_and(line);
    let long = row.chars().filter(|c| line(*c)).take(8).count() >= 8;
    starts && long && row.chars().rev().take(1).all(line)
}

fn options_above(view: &View<'_>) -> usize {
    let y = view.cursor_y();
    let from = y.saturating_sub(20);
    (from..y)
        .rev()
        .take_while(|&row| !view.row(row).is_empty() || row + 1 == y)
        .filter(|&row| ENUMERATED.is_match(view.row(row)))
        .count()
}

/// Ends as prompts end.
#[must_use]
pub fn looks_like_prompt(before: &str) -> bool {
    let text = before.trim_end();
    let Some(last) = text.chars().next_back() else { return false };
    match last {
        '%' => !text.trim_end_matches('%').ends_with(|c: char| c.is_ascii_digit()),
        '.' => matches!(text.trim_start(), "..." | "....") || text.ends_with("...>"),
        ')' | ']' => DEFAULTED.is_match(text),
        c => "$#>❯➜λ»:?⟩›→▶".contains(c),
    }
}
