//! Dialog boxes with buttons, as dialog and whiptail draw them.

use std::sync::LazyLock;

use regex::Regex;
use term::{Color, Row};

use super::Found;
use crate::classification::Kind;
use crate::view::View;

static BUTTON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)<\s*(ok|yes|no|cancel|back|next|help|exit|finish|continue|go back",
        r"|extra|edit|select|done|quit)\s*>",
    ))
    .expect("a constant")
});

#[must_use]
pub fn find(view: &View<'_>) -> Option<Found> {
    let last = view.last?;
    let from = last.saturating_sub(6);
    let buttons = (from..=last).rev().find(|&row| BUTTON.is_match(view.row(row)))?;
    let is_side = |row: usize| view.row(row).contains(['│', '┃', '|']);
    if !is_side(buttons) {
        return None;
    }
    let top = (0..buttons).rev().find(|&row| !is_side(row) && !is_edge(view.row(row)));
    let inside = top.map_or(0, |row| row + 1)..buttons;
    let found = |kind, name| Some(Found { kind, name });
    let labels: Vec<String> = BUTTON
        .captures_iter(view.row(buttons))
        .filter_map(|found| found.get(1).map(|label| label.as_str().to_ascii_lowercase()))
        .collect();
    let has = |label: &str| labels.iter().any(|known| known == label);
    if has("yes") && has("no") {
        return found(Kind::Confirm, "button_box");
    }
    let nested: Vec<usize> =
        inside.clone().filter(|&row| view.row(row).matches('│').count() >= 4).collect();
    let line = inside.clone().any(|row| view.row(row).contains("_____"));
    if line || nested.len() == 1 {
        return found(Kind::Prompt, "input_box");
    }
    let marked = inside.clone().any(|row| view.frame.rows.get(row).is_some_and(has_marked_run));
    if nested.len() >= 2 || marked {
        return found(Kind::Menu, "button_box");
    }
    found(Kind::Confirm, "button_box")
}

fn is_edge(row: &str) -> bool {
    row.contains(['┌', '└', '├', '╭', '╰', '╔', '╚']) || row.contains("──")
}

/// A run of cells on another paper than the rest of the row between its sides.
fn has_marked_run(row: &Row) -> bool {
    let paper = |cell: &term::Cell| (cell.style.background, cell.style.inverse);
    let sides: Vec<usize> = row
        .cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| matches!(cell.glyph, term::Glyph::Char('│' | '┃' | '|')))
        .map(|(column, _)| column)
        .collect();
    let (Some(&left), Some(&right)) = (sides.first(), sides.last()) else { return false };
    let inner: Vec<(Color, bool)> =
        row.cells.iter().take(right).skip(left + 1).map(paper).collect();
    let (Some(edge), true) = (inner.first(), inner.len() > 6) else { return false };
    inner.iter().filter(|paper| *paper != edge).count() >= 3 && inner.last() == Some(edge)
}
