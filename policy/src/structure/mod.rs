//! What stands on a screen, without knowing the program: dialogs, prompts, signs of work.
//!
//! Everything looks only at where a program that waits would show it: the row of the cursor
//! and the trailing block. The same words higher up are prose.

mod boxes;
mod cues;
mod line;
mod options;
mod screens;
mod working;

use crate::classification::Kind;
use crate::view::View;

pub use cues::kind_of_block;
pub use line::is_rule;

/// Something recognised, with a stable name for the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub kind: Kind,
    pub name: &'static str,
}

/// All that was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// A question with given answers.
    pub dialog: Option<Found>,
    /// A place to type into, or a program that owns the screen and reads keys.
    pub prompt: Option<Found>,
    /// A sign of work in progress.
    pub working: Option<&'static str>,
    pub parked: bool,
}

/// Word boundaries of ASCII: those of Unicode make the fast engine give up on every row with a
/// character beyond it, and all words here are ASCII.
pub(crate) fn ascii_words(pattern: &str) -> String {
    pattern.replace(r"\b", r"(?-u:\b)")
}

impl Structure {
    #[must_use]
    pub fn of(view: &View<'_>) -> Self {
        let screen = screens::find(view);
        let at_cursor = line::find(view);
        let dialog = boxes::find(view)
            .or_else(|| screens::dialog(view))
            .or(at_cursor.dialog)
            .or_else(|| if screen.is_some() { None } else { options::find(view) });
        let prompt = screen.or(at_cursor.prompt);
        let working = working::find(view, prompt.is_some());
        Self { dialog, prompt, working, parked: view.cursor_parked() }
    }
}
