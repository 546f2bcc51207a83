//! What everybody may know of a session without asking its actor: published by the actor on
//! each change, watched by waits, sends, the reaper and listings.

use std::sync::Arc;

use policy::{Classification, Exit};
use worker::protocol::WireClock;

use super::machine::LostReason;
use super::observe::Look;
use crate::session_types::SessionState;

#[derive(Debug, Clone)]
pub struct View {
    pub state: SessionState,
    pub classification: Option<Arc<Classification>>,
    /// When `state` was entered (milliseconds since 1970).
    pub since_ms: i64,
    /// The newest picture the actor has; a reader asks the worker for a fresher one.
    pub look: Option<Look>,
    pub clock: WireClock,
    /// When `clock` was taken (monotonic milliseconds).
    pub clock_at_ms: i64,
    /// The newest input by anybody (monotonic milliseconds).
    pub input_at_ms: Option<i64>,
    /// Output or input (milliseconds since 1970).
    pub last_activity_ms: i64,
    pub interactions: u64,
    pub requests: u64,
    pub exit: Option<Exit>,
    pub lost: Option<LostReason>,
}

impl View {
    #[must_use]
    pub fn new(now_ms: i64) -> Self {
        Self {
            state: SessionState::Created,
            classification: None,
            since_ms: now_ms,
            look: None,
            clock: WireClock {
                frame: 0,
                content: 0,
                output_bytes: 0,
                unchanged_ms: 0,
                quiet_ms: 0,
                synchronized_update: false,
            },
            clock_at_ms: 0,
            input_at_ms: None,
            last_activity_ms: now_ms,
            interactions: 0,
            requests: 0,
            exit: None,
            lost: None,
        }
    }

    #[must_use]
    pub fn alive(&self) -> bool {
        match self.state {
            SessionState::Created
            | SessionState::Working
            | SessionState::AwaitingInput
            | SessionState::Stuck
            | SessionState::Ending
            | SessionState::Recovering => true,
            SessionState::Exited | SessionState::Lost => false,
        }
    }

    /// The reason clients see beside the state.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        if let Some(lost) = self.lost {
            return Some(lost.as_str().to_owned());
        }
        self.classification.as_ref().map(|found| found.reason.as_str().to_owned())
    }
}
