//! Programs that own the screen: pagers, editors, monitors with function keys.

use super::ascii_words;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::Found;
use crate::classification::Kind;
use crate::view::{View, is_inverse};

/// The last row of a pager.
const PAGER: &[&str] = &[
    r"^:$",
    r"\(END\)$",
    r"^--More--",
    r"--More--\s*\(?\d{0,3}%?\)?$",
    r"(?i)\(press h for help or q to quit\)$",
    r"(?i)^--Type <RET> for more, q to quit",
    r"(?i)^(?:HELP -- )?Press RETURN (?:for more|when done)",
    r"^lines \d+-\d+(?:/\d+)?(?: \(END\)|\s+\d+%)?$",
    r"(?i)^\s*Manual page \S+ line \d+",
];

/// The last rows of an editor.
const EDITOR: &[&str] = &[
    r"\d+,\d+(?:-\d+)?\s+(?:All|Top|Bot|\d{1,2}%)$",
    r"^-- (?:\(?(?:INSERT|REPLACE|VISUAL|SELECT|NORMAL|TERMINAL)[ \w)]*|VISUAL (?:LINE|BLOCK)) ?--",
    r#"^"[^"]+" (?:\[\w[\w ]*\] ?)?(?:\d+L, \d+[BC]|\d+ lines?|\[New\])"#,
    r"^[-=][-\w():%*@\\]{2,10}\s+\S.*\([A-Z][\w +-]*\)",
];

static PAGERS: LazyLock<RegexSet> = LazyLock::new(|| set(PAGER));
static EDITORS: LazyLock<RegexSet> = LazyLock::new(|| set(EDITOR));
static SHORTCUTS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:\^[A-Z\\_/]|M-\w)\s+[A-Z]\w+").expect("a constant"));
static FUNCTION_KEYS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&ascii_words(r"F1\s?Help\b.*F10\s?Quit|\b1Help\b.*\b10Quit")).expect("a constant")
});
static MONITOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^top - \d\d:\d\d:\d\d up ").expect("a constant"));
static YES_KEY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&ascii_words(r"^ ?Y\s+Yes\b")).expect("a constant"));

fn set(patterns: &[&str]) -> RegexSet {
    RegexSet::new(patterns.iter().map(|pattern| ascii_words(pattern)))
        .expect("constants, compiled by tests")
}

#[must_use]
pub fn find(view: &View<'_>) -> Option<Found> {
    let found = |kind, name| Some(Found { kind, name });
    let last = view.rows.iter().rposition(|row| !row.is_empty())?;
    let bottom = view.row(last).trim_end();
    let y = view.cursor_y();
    let fillers = fillers_above(view, last);
    if y == last && PAGERS.is_match(bottom.trim_start()) && !(bottom == ":" && fillers) {
        return found(Kind::Pager, "pager_line");
    }
    if y == last && view.after.is_empty() && is_file_prompt(view, last) {
        return found(Kind::Pager, "pager_file");
    }
    if shortcuts(view, last) {
        return found(Kind::Editor, "editor_shortcuts");
    }
    let status = EDITORS.is_match(bottom) || (last > 0 && EDITORS.is_match(view.row(last - 1)));
    if (fillers || status) && (view.frame.modes.alternate_screen || fillers || y != last) {
        return found(Kind::Editor, if fillers { "editor_fillers" } else { "editor_status" });
    }
    if FUNCTION_KEYS.is_match(bottom) {
        return found(Kind::Unknown, "function_keys");
    }
    if MONITOR.is_match(view.row(0)) {
        return found(Kind::Unknown, "monitor");
    }
    None
}

/// A question of an editor that answers with single keys.
#[must_use]
pub fn dialog(view: &View<'_>) -> Option<Found> {
    let y = view.cursor_y();
    let yes = (y + 1..y + 3).any(|row| YES_KEY.is_match(view.row(row)));
    (yes && view.before.ends_with('?'))
        .then_some(Found { kind: Kind::Confirm, name: "key_question" })
}

/// Rows of `~` above the last row, as vi shows behind the end of the text.
fn fillers_above(view: &View<'_>, last: usize) -> bool {
    let is_filler = |row: usize| view.row(row) == "~";
    let total = view.rows.len();
    let end = if is_filler(last) { last + 1 } else { last };
    let above = end >= 2 && is_filler(end - 1);
    above && end + 2 >= total && (end < 3 || total < 4 || is_filler(end - 2))
}

/// A file name, inverse, on the last row of the screen with the cursor behind it.
fn is_file_prompt(view: &View<'_>, last: usize) -> bool {
    let inverse = view.frame.rows.get(last).is_some_and(is_inverse);
    inverse && view.row(last).len() > 1 && (last + 1 == view.rows.len() || last >= 2)
}

/// Two rows of key names, as nano shows at the bottom.
fn shortcuts(view: &View<'_>, last: usize) -> bool {
    let keys = |row: &str| SHORTCUTS.find_iter(row).count();
    last > 0 && keys(view.row(last)) >= 2 && keys(view.row(last - 1)) >= 2
}
