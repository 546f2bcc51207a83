//! One wait, as a pure machine: it ends at the earliest armed condition, exactly once.
//!
//! ```text
//! armed{conditions} ──▶ idle | text | state | exit | timeout
//! ```

use std::time::Duration;

use crate::session_types::{SessionState, WaitReason};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    Armed(Conditions),
    Ended(WaitReason),
}

/// Exit and timeout are always armed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conditions {
    pub idle: Option<Duration>,
    pub text: bool,
    pub state: Option<SessionState>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    Looked(Facts),
    Deadline,
}

/// What one look tells a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    pub exited: bool,
    /// The armed text or pattern stands in what is new.
    pub text_found: bool,
    pub state: SessionState,
    /// Content unchanged, outside a synchronized update.
    pub still_for: Duration,
    pub synchronized_update: bool,
    /// Since the newest input; `None`: there was none.
    pub since_input: Option<Duration>,
}

impl State {
    #[must_use]
    pub fn step(self, event: Event) -> Self {
        match (self, event) {
            (Self::Armed(conditions), Event::Looked(facts)) => match met(&conditions, facts) {
                Some(reason) => Self::Ended(reason),
                None => Self::Armed(conditions),
            },
            (Self::Armed(_), Event::Deadline) => Self::Ended(WaitReason::Timeout),
            (ended @ Self::Ended(_), Event::Looked(_) | Event::Deadline) => ended,
        }
    }

    /// When the picture should be looked at again although nothing happens.
    #[must_use]
    pub fn look_again_after(&self, facts: Facts) -> Option<Duration> {
        match self {
            Self::Armed(Conditions { idle: Some(window), .. }) => {
                let missing = window.saturating_sub(facts.still_for);
                let input = facts.since_input.map_or(Duration::ZERO, |since| {
                    window.saturating_sub(since)
                });
                Some(missing.max(input).max(Duration::from_millis(5)))
            }
            Self::Armed(Conditions { idle: None, .. }) | Self::Ended(_) => None,
        }
    }
}

/// What was asked for wins over the exit that may have come with it.
fn met(conditions: &Conditions, facts: Facts) -> Option<WaitReason> {
    if conditions.text && facts.text_found {
        return Some(WaitReason::Text);
    }
    if conditions.state == Some(facts.state) {
        return Some(WaitReason::State);
    }
    if facts.exited {
        return Some(WaitReason::Exit);
    }
    let window = conditions.idle?;
    let still = facts.still_for >= window && !facts.synchronized_update;
    let after_input = facts.since_input.is_none_or(|since| since >= window);
    (still && after_input).then_some(WaitReason::Idle)
}
