//! The worker link. Pure; drawn in the module above. `now` is the time since any fixed moment.

use std::time::Duration;

/// A new worker has this long to be greeted.
pub const START_MAX: Duration = Duration::from_secs(30);
/// Pause before the first attempt to re-attach; doubled after each failure, …
pub const RETRY_MIN: Duration = Duration::from_millis(100);
/// … up to this.
pub const RETRY_MAX: Duration = Duration::from_secs(10);
/// Failed attempts after which it is given up, …
pub const TRIES_MAX: u32 = 5;
/// … and the time after which it is given up even with fewer.
pub const TRIES_WINDOW: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Starting { since: Duration },
    Connected,
    Lost { since: Duration, tries: u32, retry_at: Duration },
    Reattaching { since: Duration, tries: u32 },
    Gone(GoneReason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoneReason {
    /// It could not begin.
    StartFailed,
    StartTimedOut,
    /// Its process is not there any more.
    Died,
    /// Alive perhaps, but it does not answer.
    Unreachable,
    /// Somebody else serves the socket: never the session we meant.
    Stranger,
    /// The session ended in order.
    Released,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Hello exchanged, identity checked.
    Greeted,
    StartFailed,
    LinkClosed {
        now: Duration,
    },
    /// Its process was seen to be gone.
    WorkerDead,
    AttachFailed {
        now: Duration,
        why: AttachFailure,
    },
    /// The service shut it down.
    Released,
    TimePassed {
        now: Duration,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttachFailure {
    NoAnswer,
    /// Another session, process or protocol than the one remembered.
    Stranger,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    AnnounceConnected,
    AnnounceLost,
    AnnounceReattached,
    /// Ask the socket again; ends in `Greeted`, `AttachFailed` or `WorkerDead`.
    Connect,
    /// Send `TimePassed` then.
    WakeAt(Duration),
    /// Whatever is left of the worker must not run on unseen.
    KillWorker,
    EndSession(GoneReason),
}

impl State {
    /// A worker that was just started.
    #[must_use]
    pub fn start(now: Duration) -> (Self, Vec<Effect>) {
        (Self::Starting { since: now }, vec![Effect::WakeAt(now + START_MAX)])
    }

    /// A worker remembered from before the service was started.
    #[must_use]
    pub fn recover(now: Duration) -> (Self, Vec<Effect>) {
        (Self::Lost { since: now, tries: 0, retry_at: now }, vec![Effect::WakeAt(now)])
    }

    /// An answer to a question of an earlier state changes nothing.
    #[must_use]
    pub fn step(self, event: Event) -> (Self, Vec<Effect>) {
        match event {
            Event::Greeted => self.greeted(),
            Event::StartFailed => match self {
                Self::Starting { .. } => gone(GoneReason::StartFailed),
                Self::Connected | Self::Lost { .. } | Self::Reattaching { .. } | Self::Gone(_) => {
                    (self, Vec::new())
                }
            },
            Event::LinkClosed { now } => self.link_closed(now),
            Event::WorkerDead => match self {
                Self::Gone(_) => (self, Vec::new()),
                Self::Starting { .. }
                | Self::Connected
                | Self::Lost { .. }
                | Self::Reattaching { .. } => gone(GoneReason::Died),
            },
            Event::AttachFailed { now, why } => match self {
                Self::Reattaching { since, tries } => attach_failed(since, tries + 1, now, why),
                Self::Starting { .. } | Self::Connected | Self::Lost { .. } | Self::Gone(_) => {
                    (self, Vec::new())
                }
            },
            Event::Released => match self {
                Self::Gone(_) => (self, Vec::new()),
                Self::Starting { .. }
                | Self::Connected
                | Self::Lost { .. }
                | Self::Reattaching { .. } => (Self::Gone(GoneReason::Released), Vec::new()),
            },
            Event::TimePassed { now } => self.time_passed(now),
        }
    }

    fn greeted(self) -> (Self, Vec<Effect>) {
        match self {
            Self::Starting { .. } => (Self::Connected, vec![Effect::AnnounceConnected]),
            Self::Reattaching { .. } => (Self::Connected, vec![Effect::AnnounceReattached]),
            Self::Connected | Self::Lost { .. } | Self::Gone(_) => (self, Vec::new()),
        }
    }

    fn link_closed(self, now: Duration) -> (Self, Vec<Effect>) {
        match self {
            Self::Starting { .. } => gone(GoneReason::Died),
            Self::Connected => {
                let retry_at = now + RETRY_MIN;
                let effects = vec![Effect::AnnounceLost, Effect::WakeAt(retry_at)];
                (Self::Lost { since: now, tries: 0, retry_at }, effects)
            }
            Self::Lost { .. } | Self::Reattaching { .. } | Self::Gone(_) => (self, Vec::new()),
        }
    }

    fn time_passed(self, now: Duration) -> (Self, Vec<Effect>) {
        match self {
            Self::Starting { since } if now >= since + START_MAX => {
                let end = Effect::EndSession(GoneReason::StartTimedOut);
                (Self::Gone(GoneReason::StartTimedOut), vec![Effect::KillWorker, end])
            }
            Self::Lost { since, tries, retry_at } if now >= retry_at => {
                (Self::Reattaching { since, tries }, vec![Effect::Connect])
            }
            Self::Starting { .. }
            | Self::Connected
            | Self::Lost { .. }
            | Self::Reattaching { .. }
            | Self::Gone(_) => (self, Vec::new()),
        }
    }
}

fn attach_failed(
    since: Duration,
    tries: u32,
    now: Duration,
    why: AttachFailure,
) -> (State, Vec<Effect>) {
    match why {
        AttachFailure::Stranger => gone(GoneReason::Stranger),
        AttachFailure::NoAnswer if tries >= TRIES_MAX || now >= since + TRIES_WINDOW => {
            gone(GoneReason::Unreachable)
        }
        AttachFailure::NoAnswer => {
            let retry_at = now + back_off(tries);
            (State::Lost { since, tries, retry_at }, vec![Effect::WakeAt(retry_at)])
        }
    }
}

fn gone(reason: GoneReason) -> (State, Vec<Effect>) {
    (State::Gone(reason), vec![Effect::EndSession(reason)])
}

/// 0.1 s, 0.2 s, 0.4 s … 10 s.
fn back_off(tries: u32) -> Duration {
    RETRY_MIN.saturating_mul(2_u32.saturating_pow(tries)).min(RETRY_MAX)
}
