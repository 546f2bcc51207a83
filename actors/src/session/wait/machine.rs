//! One wait. Pure: it is told what was seen and says when it is over and when to look again.
//!
//! ```text
//!               text / state / exit / idle seen
//! armed{conditions} ───────────────────────────▶ over{text | state | exit | idle}
//!        └───────────── time is up ────────────▶ over{timeout}
//! ```
//!
//! It ends exactly once, at the earliest of its conditions; when one look shows several, the
//! most telling one is the reason: text, state, exit, idle.

use crate::session_types::WaitReason;

/// What ends it. Exit and timeout always do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conditions {
    pub(crate) idle_ms: Option<i64>,
    /// A text or a regular expression.
    pub(crate) text: bool,
    pub(crate) state: bool,
    pub(crate) deadline_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Armed(Conditions),
    Over(WaitReason),
}

/// One look, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) now_ms: i64,
    /// The text stands in what is new.
    pub(crate) text: bool,
    /// The session is in the state, reached after the last input.
    pub(crate) state: bool,
    pub(crate) exited: bool,
    /// How long nothing has changed since the last input; `None` inside a synchronized update.
    pub(crate) still_ms: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Seen(Seen),
    TimePassed { now_ms: i64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    Answer(WaitReason),
}

impl State {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Armed(_) => "armed",
            Self::Over(WaitReason::Idle) => "idle",
            Self::Over(WaitReason::Text) => "text",
            Self::Over(WaitReason::State) => "state",
            Self::Over(WaitReason::Exit) => "exit",
            Self::Over(WaitReason::Timeout) => "timeout",
        }
    }

    pub(crate) fn step(self, event: Event) -> (Self, Vec<Effect>) {
        let over = |reason| (Self::Over(reason), vec![Effect::Answer(reason)]);
        match (self, event) {
            (Self::Armed(wanted), Event::Seen(seen)) => match wanted.met(seen) {
                Some(reason) => over(reason),
                None => (self, Vec::new()),
            },
            (Self::Armed(wanted), Event::TimePassed { now_ms }) => {
                if now_ms >= wanted.deadline_ms {
                    over(WaitReason::Timeout)
                } else {
                    (self, Vec::new())
                }
            }
            (Self::Over(_), Event::Seen(_) | Event::TimePassed { .. }) => (self, Vec::new()),
        }
    }

    /// When its idle condition may be met if nothing comes before; `still_ms` as of now.
    pub(crate) fn look_in_ms(self, still_ms: Option<i64>) -> Option<i64> {
        match self {
            Self::Armed(Conditions { idle_ms: Some(window), .. }) => {
                still_ms.map(|still| (window - still).max(1))
            }
            Self::Armed(Conditions { idle_ms: None, .. }) | Self::Over(_) => None,
        }
    }

    pub(crate) fn deadline_ms(self) -> Option<i64> {
        match self {
            Self::Armed(wanted) => Some(wanted.deadline_ms),
            Self::Over(_) => None,
        }
    }
}

impl Conditions {
    fn met(self, seen: Seen) -> Option<WaitReason> {
        let idle =
            self.idle_ms.is_some_and(|window| seen.still_ms.is_some_and(|still| still >= window));
        if self.text && seen.text {
            Some(WaitReason::Text)
        } else if self.state && seen.state {
            Some(WaitReason::State)
        } else if seen.exited {
            Some(WaitReason::Exit)
        } else if idle {
            Some(WaitReason::Idle)
        } else {
            None
        }
    }
}
