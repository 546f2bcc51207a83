//! What stands in a program's input line, and what it says of a message it keeps for later.
//!
//! Text counts as typed only left of the cursor, where a prompt ends and before the cursor:
//! suggestions and placeholders stand at and right of it, or are dim. A prompt is known
//! from a profile's pattern, or because the same line was seen empty before (`prompt_of`).

use profiles::{Meaning, Pattern, Profile, Region};
use term::{Frame, Row};

use crate::regions;
use crate::view::{View, text_of};

/// Rows above the cursor that a long draft may take.
const DRAFT_ROWS_MAX: usize = 12;
/// What prompts of line editors end with.
const PROMPT_ENDS: [char; 11] = ['$', '#', '%', '>', '❯', '›', '»', 'λ', '➜', ':', '?'];

/// Whether unsubmitted text stands in a composer the profile knows.
#[must_use]
pub fn holds_text(frame: &Frame, profile: &Profile) -> bool {
    let composer = |pattern: &&Pattern| match pattern.means {
        Meaning::Composer | Meaning::Prompt => true,
        Meaning::Working | Meaning::Menu | Meaning::TurnEnd | Meaning::Queued => false,
    };
    profile.perception.iter().filter(composer).any(|pattern| holds_text_of(frame, pattern))
}

fn holds_text_of(frame: &Frame, pattern: &Pattern) -> bool {
    let (x, y) = (usize::from(frame.cursor.x), usize::from(frame.cursor.y));
    for above in 0..=DRAFT_ROWS_MAX.min(y) {
        let Some(row) = frame.rows.get(y - above) else { return false };
        let text = row.text();
        if let Some(found) = pattern.detect.find(&text) {
            let end = if above == 0 { x } else { row.cells.len() };
            return above > 0 || is_typed(row, found.end(), end);
        }
        // Composers indent what goes on in the next row; other patterns hold one row only.
        let goes_on = text.starts_with("  ") && is_typed(row, 0, row.cells.len());
        if pattern.region != Region::CursorRow || !goes_on {
            return false;
        }
    }
    false
}

/// The line left of the cursor, when it looks like an empty prompt of a line editor.
#[must_use]
pub fn prompt_of(frame: &Frame) -> Option<String> {
    let row = frame.rows.get(usize::from(frame.cursor.y))?;
    let text = before(row, usize::from(frame.cursor.x));
    text.trim_end().ends_with(PROMPT_ENDS).then_some(text)
}

/// Whether the cursor's line begins with this prompt.
#[must_use]
pub fn is_at(frame: &Frame, prompt: &str) -> bool {
    first_row(frame).is_some_and(|(row, end)| before(row, end).starts_with(prompt))
}

/// Whether text was typed behind this prompt.
#[must_use]
pub fn extends(frame: &Frame, prompt: &str) -> bool {
    first_row(frame).is_some_and(|(row, end)| {
        before(row, end).starts_with(prompt) && is_typed(row, prompt.len(), end)
    })
}

/// The row in which the cursor's logical line begins, and where in it the cursor's text ends.
fn first_row(frame: &Frame) -> Option<(&Row, usize)> {
    let y = usize::from(frame.cursor.y);
    let wraps = |row: usize| frame.rows.get(row).is_some_and(|row| row.wrapped);
    let above = (1..=DRAFT_ROWS_MAX.min(y)).take_while(|above| wraps(y - above)).count();
    let row = frame.rows.get(y - above)?;
    Some((row, if above == 0 { usize::from(frame.cursor.x) } else { row.cells.len() }))
}

fn before(row: &Row, end: usize) -> String {
    text_of(row.cells.iter().take(end))
}

/// Whether letters that are not dim stand in the first `end` cells, from a byte of their text on.
fn is_typed(row: &Row, from_byte: usize, end: usize) -> bool {
    let mut at = 0;
    row.cells.iter().take(end).any(|cell| {
        let mut text = String::new();
        cell.push_to(&mut text);
        let counts = at >= from_byte;
        at += text.len();
        counts && !cell.style.dim && !text.trim().is_empty()
    })
}

/// How often the program says, in the words of its profile, that it keeps a message for later.
#[must_use]
pub fn queued(frame: &Frame, profile: &Profile) -> usize {
    let view = View::of(frame);
    let said = profile.perception.iter().filter(|pattern| pattern.means == Meaning::Queued);
    said.map(|said| said.detect.find_iter(&regions::text(&view, said.region)).count()).sum()
}

#[cfg(test)]
#[path = "composer_tests.rs"]
mod tests;
