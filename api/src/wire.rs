//! Pieces of JSON that several replies share, converted by hand from the actors' types: here
//! is where compatibility of the wire is decided.

use std::time::Duration;

use actors::session_types as inner;
use actors::settings::Backend;
use policy::{Exit, SafeText};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Cursor {
    pub x: u16,
    pub y: u16,
    pub visible: bool,
}

impl From<inner::CursorAt> for Cursor {
    fn from(at: inner::CursorAt) -> Self {
        Self { x: at.x, y: at.y, visible: at.visible }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SessionState {
    Created,
    Working,
    AwaitingInput,
    Stuck,
    Ending,
    Exited,
    Lost,
    Recovering,
}

impl From<inner::SessionState> for SessionState {
    fn from(state: inner::SessionState) -> Self {
        match state {
            inner::SessionState::Created => Self::Created,
            inner::SessionState::Working => Self::Working,
            inner::SessionState::AwaitingInput => Self::AwaitingInput,
            inner::SessionState::Stuck => Self::Stuck,
            inner::SessionState::Ending => Self::Ending,
            inner::SessionState::Exited => Self::Exited,
            inner::SessionState::Lost => Self::Lost,
            inner::SessionState::Recovering => Self::Recovering,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BackendName {
    Tmux,
    Spawn,
}

impl From<Backend> for BackendName {
    fn from(backend: Backend) -> Self {
        match backend {
            Backend::Tmux => Self::Tmux,
            Backend::Spawn => Self::Spawn,
        }
    }
}

/// A session that was given a task and outlived a wait.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Drive {
    pub state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promoted_at: Option<String>,
    pub cost_usd: f64,
}

impl From<inner::DriveSummary> for Drive {
    fn from(drive: inner::DriveSummary) -> Self {
        Self { state: drive.state, promoted_at: drive.promoted_at, cost_usd: drive.cost_usd }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Evidence {
    pub name: &'static str,
    pub detail: String,
}

impl From<policy::Evidence> for Evidence {
    fn from(evidence: policy::Evidence) -> Self {
        Self { name: evidence.name, detail: evidence.detail }
    }
}

#[must_use]
pub fn exit_code(exit: Option<Exit>) -> Option<i32> {
    match exit {
        Some(Exit::Code(code)) => Some(code),
        Some(Exit::Signal(_)) | None => None,
    }
}

/// The signal's name without `SIG`, as `terminal_session_kill` takes it.
#[must_use]
pub fn exit_signal(exit: Option<Exit>) -> Option<String> {
    match exit {
        Some(Exit::Signal(number)) => Some(signal_name(number)),
        Some(Exit::Code(_)) | None => None,
    }
}

fn signal_name(number: i32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    usize::try_from(number - 1)
        .ok()
        .and_then(|index| NAMES.get(index))
        .map_or_else(|| number.to_string(), |name| (*name).to_owned())
}

/// Detectors that fired on a screen, or nothing.
#[must_use]
pub fn signals(screen: &SafeText) -> Option<Vec<&'static str>> {
    (!screen.injection_signals.is_empty()).then(|| screen.injection_signals.clone())
}

#[must_use]
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_is_a_code_or_a_signal() {
        assert_eq!(exit_code(Some(Exit::Code(7))), Some(7));
        assert_eq!(exit_signal(Some(Exit::Code(7))), None);
        assert_eq!(exit_signal(Some(Exit::Signal(9))).as_deref(), Some("KILL"));
        assert_eq!(exit_signal(Some(Exit::Signal(15))).as_deref(), Some("TERM"));
        assert_eq!(exit_signal(Some(Exit::Signal(31))).as_deref(), Some("SYS"));
        assert_eq!(exit_signal(Some(Exit::Signal(64))).as_deref(), Some("64"));
        assert_eq!(exit_signal(Some(Exit::Signal(0))).as_deref(), Some("0"));
        assert_eq!(exit_code(Some(Exit::Signal(9))), None);
    }
}
