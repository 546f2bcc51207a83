//! One send, as a pure machine: nothing counts as submitted because bytes were written.
//!
//! ```text
//! checking ─refused▶
//!    │ may type
//! typing{written} ──settled──▶ (delivered, when not submitting)
//!    │                  └──▶ submitting ──▶ confirming ──changed, settled──▶ submitted | queued
//!    └─ not taken / no effect by the deadline ──▶ stalled
//! ```

use crate::session_types::Outcome;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Checking { submit: bool },
    Typing { submit: bool },
    Settling { submit: bool, written: u64 },
    Submitting { written: u64 },
    Confirming { written: u64 },
    Done(Done),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    pub outcome: Outcome,
    pub written: u64,
    pub why: Why,
}

/// What the hint tells about the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    AsAsked,
    /// The child did not take all bytes.
    NotRead,
    /// Enter was taken and nothing changed.
    NoEffect,
    /// The program ended before the send was over.
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    MayType,
    Written { bytes: u64, complete: bool },
    /// The screen stands still, or patience with a spinner is over.
    Settled,
    /// After Enter: the screen or the state changed, then settled.
    Changed { queued: bool },
    Deadline,
    ChildGone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    WriteText,
    AwaitSettle,
    WriteEnter,
    AwaitChange,
}

impl State {
    #[must_use]
    pub fn step(self, event: Event) -> (Self, Option<Effect>) {
        match event {
            Event::MayType => self.may_type(),
            Event::Written { bytes, complete } => self.written(bytes, complete),
            Event::Settled => self.settled(),
            Event::Changed { queued } => self.changed(queued),
            Event::Deadline => self.deadline(),
            Event::ChildGone => self.child_gone(),
        }
    }

    fn done(outcome: Outcome, written: u64, why: Why) -> (Self, Option<Effect>) {
        (Self::Done(Done { outcome, written, why }), None)
    }

    fn may_type(self) -> (Self, Option<Effect>) {
        match self {
            Self::Checking { submit } => (Self::Typing { submit }, Some(Effect::WriteText)),
            Self::Typing { .. }
            | Self::Settling { .. }
            | Self::Submitting { .. }
            | Self::Confirming { .. }
            | Self::Done(_) => (self, None),
        }
    }

    fn written(self, bytes: u64, complete: bool) -> (Self, Option<Effect>) {
        match self {
            Self::Typing { submit } if complete => {
                (Self::Settling { submit, written: bytes }, Some(Effect::AwaitSettle))
            }
            Self::Submitting { written } if complete => {
                let written = written.saturating_add(bytes);
                (Self::Confirming { written }, Some(Effect::AwaitChange))
            }
            Self::Typing { .. } => Self::done(Outcome::Stalled, bytes, Why::NotRead),
            Self::Submitting { written } => {
                Self::done(Outcome::Stalled, written.saturating_add(bytes), Why::NotRead)
            }
            Self::Checking { .. }
            | Self::Settling { .. }
            | Self::Confirming { .. }
            | Self::Done(_) => (self, None),
        }
    }

    fn settled(self) -> (Self, Option<Effect>) {
        match self {
            Self::Settling { submit: true, written } => {
                (Self::Submitting { written }, Some(Effect::WriteEnter))
            }
            Self::Settling { submit: false, written } => {
                Self::done(Outcome::Delivered, written, Why::AsAsked)
            }
            Self::Checking { .. }
            | Self::Typing { .. }
            | Self::Submitting { .. }
            | Self::Confirming { .. }
            | Self::Done(_) => (self, None),
        }
    }

    fn changed(self, queued: bool) -> (Self, Option<Effect>) {
        match self {
            Self::Confirming { written } => {
                let outcome = if queued { Outcome::Queued } else { Outcome::Submitted };
                Self::done(outcome, written, Why::AsAsked)
            }
            Self::Checking { .. }
            | Self::Typing { .. }
            | Self::Settling { .. }
            | Self::Submitting { .. }
            | Self::Done(_) => (self, None),
        }
    }

    fn deadline(self) -> (Self, Option<Effect>) {
        match self {
            Self::Checking { .. } | Self::Typing { .. } => {
                Self::done(Outcome::Stalled, 0, Why::NotRead)
            }
            // The text was taken; only the screen did not come to rest.
            Self::Settling { submit: false, written } => {
                Self::done(Outcome::Delivered, written, Why::AsAsked)
            }
            Self::Settling { submit: true, written } | Self::Submitting { written } => {
                Self::done(Outcome::Stalled, written, Why::NotRead)
            }
            Self::Confirming { written } => Self::done(Outcome::Stalled, written, Why::NoEffect),
            Self::Done(_) => (self, None),
        }
    }

    /// The end of the program after Enter is an effect of it (`exit`); before, it is not.
    fn child_gone(self) -> (Self, Option<Effect>) {
        match self {
            Self::Confirming { written } => Self::done(Outcome::Submitted, written, Why::Ended),
            Self::Settling { submit: false, written } => {
                Self::done(Outcome::Delivered, written, Why::Ended)
            }
            Self::Settling { submit: true, written } | Self::Submitting { written } => {
                Self::done(Outcome::Stalled, written, Why::Ended)
            }
            Self::Checking { .. } | Self::Typing { .. } => {
                Self::done(Outcome::Stalled, 0, Why::Ended)
            }
            Self::Done(_) => (self, None),
        }
    }
}

impl Why {
    #[must_use]
    pub fn hint(self) -> Option<&'static str> {
        match self {
            Self::AsAsked => None,
            Self::NotRead => Some(
                "the program did not take the input in time: it is not reading; wait until it \
                 is ready, or send C-c",
            ),
            Self::NoEffect => Some(
                "Enter was delivered and nothing changed by the deadline: read the screen before \
                 sending again, the program may still act on it",
            ),
            Self::Ended => Some("the program has ended; read shows its last screen"),
        }
    }
}
