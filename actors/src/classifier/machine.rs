//! When a session's attention is called for. Pure.
//!
//! ```text
//!            prompt seen                     worked or got input, prompt seen
//! working ────────────────▶ awaiting ─────────────────────────────────────▶ awaiting (told again)
//!    ▲ │ no progress           │ moved on
//!    │ └──────▶ stuck ─────────┴──▶ working
//! ```
//!
//! Each entry is told once. A moving clock on the screen is no work, so it tells nothing again.

/// What the last look said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum State {
    Working,
    Awaiting,
    Stuck,
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Event {
    /// Classified as working on a screen that stands still, or one that moved much.
    Works,
    /// `renewed`: input came, another kind of prompt, or a different screen.
    Awaits {
        renewed: bool,
    },
    Hangs,
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Effect {
    InputNeeded,
    Stuck,
}

impl State {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Awaiting => "awaiting",
            Self::Stuck => "stuck",
            Self::Ended => "ended",
        }
    }

    pub(crate) fn step(self, event: Event) -> (Self, Option<Effect>) {
        match (self, event) {
            (Self::Working | Self::Awaiting | Self::Stuck, Event::Works) => (Self::Working, None),
            (Self::Working | Self::Stuck, Event::Awaits { .. })
            | (Self::Awaiting, Event::Awaits { renewed: true }) => {
                (Self::Awaiting, Some(Effect::InputNeeded))
            }
            (Self::Working | Self::Awaiting, Event::Hangs) => (Self::Stuck, Some(Effect::Stuck)),
            (Self::Working | Self::Awaiting | Self::Stuck, Event::Ended) => (Self::Ended, None),
            (Self::Awaiting, Event::Awaits { renewed: false })
            | (Self::Stuck, Event::Hangs)
            | (Self::Ended, Event::Works | Event::Awaits { .. } | Event::Hangs | Event::Ended) => {
                (self, None)
            }
        }
    }
}
