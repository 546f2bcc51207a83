//! Pure decisions: what a screen means, what may be answered, what may leave.

pub mod classification;
pub mod observation;
pub mod outgoing;
mod structure;
pub mod tool_policy;

pub use classification::{Classification, Confidence, Evidence, Kind, Reason, State};
pub use observation::{
    Exit, Facts, Foreground, History, Observation, ProgramReport, ProgramState, ShellMark,
    TreeActivity, TtyMode,
};
pub use outgoing::SafeText;
pub use structure::cursor_parked;

use profiles::Profile;

/// What is this session doing? Pure and total; the first rule that matches decides.
#[must_use]
pub fn classify(
    observation: &Observation,
    history: &History,
    profile: Option<&Profile>,
) -> Classification {
    let _ = (observation, history, profile);
    Classification {
        state: State::Working,
        confidence: Confidence::Medium,
        reason: Reason::SettledCursorUnparked,
        kind: None,
        evidence: Vec::new(),
    }
}
