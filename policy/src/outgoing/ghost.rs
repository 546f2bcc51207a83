//! Suggestions that a program draws dim behind the cursor: no input of anybody, so they are
//! taken off the screen and told apart.

use std::sync::Arc;

use profiles::Profile;
use term::{Cell, Frame, Glyph, Style};

use super::{Format, Request, SafeText, Wrap, plain};

/// A screen without its suggestion, and the suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ghost {
    pub frame: Frame,
    pub text: SafeText,
}

/// Takes the dim text at or right of the cursor away when the profile calls that a suggestion.
#[must_use]
pub fn ghost(frame: &Frame, profile: Option<&Profile>, request: &Request<'_>) -> Option<Ghost> {
    if !profile?.render.ghost_text {
        return None;
    }
    let row = frame.rows.get(usize::from(frame.cursor.y))?;
    let from = usize::from(frame.cursor.x);
    let end = row.cells.len();
    let mut text = String::new();
    let mut seen_dim = false;
    for cell in row.cells.iter().skip(from) {
        if cell.glyph == Glyph::Char(' ') {
            cell.push_to(&mut text);
            continue;
        }
        // The cell under a drawn cursor is inverse, not dim.
        let under_cursor = text.is_empty() && cell.style.inverse;
        if !cell.style.dim && !under_cursor {
            return None;
        }
        seen_dim |= cell.style.dim;
        cell.push_to(&mut text);
    }
    if !seen_dim {
        return None;
    }
    let mut frame = frame.clone();
    let row = frame.rows.get_mut(usize::from(frame.cursor.y))?;
    let plain_style = Arc::new(Style::default());
    for cell in row.cells.iter_mut().take(end).skip(from) {
        *cell = Cell { glyph: Glyph::Char(' '), width: 1, style: Arc::clone(&plain_style) };
    }
    let request = Request { format: Format::Text, wrap: Wrap::None, ..request.clone() };
    let text = plain(text.trim(), &request);
    Some(Ghost { frame, text })
}
