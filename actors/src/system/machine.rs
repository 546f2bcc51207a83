//! The life of the service. Pure.
//!
//! ```text
//! booting ──opened──▶ recovering ──recovered──▶ ready ──drain──▶ draining ──drained──▶ stopped
//!                         └──────────── drain ──────────────────────▲
//! ```

/// Where the service is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Readiness {
    Booting,
    Recovering,
    Ready,
    Draining,
    Stopped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Event {
    /// The data dir is ours.
    Opened,
    Recovered,
    DrainAsked,
    Drained,
}

impl Readiness {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Booting => "booting",
            Self::Recovering => "recovering",
            Self::Ready => "ready",
            Self::Draining => "draining",
            Self::Stopped => "stopped",
        }
    }

    pub(crate) fn step(self, event: Event) -> Self {
        match (self, event) {
            (Self::Booting, Event::Opened) => Self::Recovering,
            (Self::Recovering, Event::Recovered) => Self::Ready,
            (Self::Booting | Self::Recovering | Self::Ready, Event::DrainAsked) => Self::Draining,
            (Self::Draining, Event::Drained) => Self::Stopped,
            (Self::Booting, Event::Recovered | Event::Drained)
            | (Self::Recovering, Event::Opened | Event::Drained)
            | (Self::Ready, Event::Opened | Event::Recovered | Event::Drained)
            | (Self::Draining, Event::Opened | Event::Recovered | Event::DrainAsked)
            | (
                Self::Stopped,
                Event::Opened | Event::Recovered | Event::DrainAsked | Event::Drained,
            ) => self,
        }
    }
}
