//! Pure decisions: what a screen means, what may be answered, what may leave.

pub mod answer;
pub mod classification;
mod classify;
pub mod composer;
pub mod corpus;
pub mod explain;
pub mod observation;
pub mod outgoing;
mod regions;
mod structure;
pub mod tool_policy;
mod view;

pub use classification::{Classification, Confidence, Evidence, Kind, Reason, State};
pub use classify::classify;
pub use observation::{
    Exit, Facts, Foreground, History, Observation, ProgramReport, ProgramState, ShellMark,
    TreeActivity, TtyMode,
};
pub use outgoing::SafeText;
pub use view::cursor_parked;
