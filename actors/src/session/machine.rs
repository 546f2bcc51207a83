//! The life of one session, as a pure machine.
//!
//! ```text
//! created ──started──▶ running{working ⇄ awaiting-input ⇄ stuck}
//!                        │ kill            │ child exited        │ worker gone
//!                        ▼                 ▼                     ▼
//!                      ending{deadline} ─▶ exited{code|signal}   lost{reason}
//! ```

use std::time::Duration;

use policy::{Classification, Exit, State as Verdict};

use crate::events::StuckReason;
use crate::session_types::{KillSignal, SessionState};

/// From TERM to KILL (contract).
pub const KILL_GRACE: Duration = Duration::from_secs(2);
/// After KILL of the whole tree the kernel needs no longer than this.
pub const KILL_REAP: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    Created,
    Running(Attention),
    Ending { stage: Ending },
    Exited(Exit),
    Lost { reason: LostReason },
}

/// What the running program seems to do, and whether its operator was told already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attention {
    pub verdict: Running,
    /// The next entry into awaiting-input or stuck is news.
    pub armed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Running {
    Working,
    AwaitingInput,
    Stuck,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The polite signal was sent.
    Asked,
    /// The whole tree was killed.
    Killed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LostReason {
    WorkerGone,
    Unkillable,
    Internal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Started,
    /// Output came; the screen has not settled since.
    Changed,
    /// The screen is no longer settled for so long that this is real work, not a redraw.
    WorkedOn,
    InputSent,
    Classified(Box<Classification>),
    Kill(KillSignal),
    KillDeadline,
    ChildExited(Exit),
    WorkerGone,
    Panicked,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    AnnounceRunning,
    AnnounceExited(Exit),
    AnnounceLost(LostReason),
    AnnounceInputNeeded(Box<Classification>),
    AnnounceStuck(StuckReason, Box<Classification>),
    Signal(KillSignal),
    KillTree,
    ArmKillTimer(Duration),
    /// Look again once the settle window has passed, output or not.
    LookSoon,
    /// Everybody who waits for the end is answered, the worker is dismissed.
    Finish,
}

/// Whether a kill is to be started, joined or is over already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    Accept,
    AlreadySo,
}

impl State {
    #[must_use]
    pub fn admit_kill(&self) -> Admission {
        match self {
            Self::Created | Self::Running(_) | Self::Ending { .. } => Admission::Accept,
            Self::Exited(_) | Self::Lost { .. } => Admission::AlreadySo,
        }
    }

    #[must_use]
    pub fn alive(&self) -> bool {
        match self {
            Self::Created | Self::Running(_) | Self::Ending { .. } => true,
            Self::Exited(_) | Self::Lost { .. } => false,
        }
    }

    /// The word clients see.
    #[must_use]
    pub fn shown(&self) -> SessionState {
        match self {
            Self::Created => SessionState::Created,
            Self::Running(Attention { verdict, .. }) => match verdict {
                Running::Working => SessionState::Working,
                Running::AwaitingInput => SessionState::AwaitingInput,
                Running::Stuck => SessionState::Stuck,
            },
            Self::Ending { .. } => SessionState::Ending,
            Self::Exited(_) => SessionState::Exited,
            Self::Lost { .. } => SessionState::Lost,
        }
    }

    /// The next state and what has to happen. Total: an event that means nothing changes
    /// nothing.
    #[must_use]
    pub fn step(self, event: Event) -> (Self, Vec<Effect>) {
        match event {
            Event::Started => self.started(),
            Event::Changed => (self.with(|now| now.verdict = Running::Working), Vec::new()),
            Event::WorkedOn => (self.with(|now| now.armed = true), Vec::new()),
            Event::InputSent => self.input_sent(),
            Event::Classified(verdict) => self.classified(verdict),
            Event::Kill(signal) => self.kill(signal),
            Event::KillDeadline => self.kill_deadline(),
            Event::ChildExited(exit) => self.child_exited(exit),
            Event::WorkerGone => self.lost(LostReason::WorkerGone),
            Event::Panicked => self.lost(LostReason::Internal),
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Attention)) -> Self {
        if let Self::Running(attention) = &mut self {
            change(attention);
        }
        self
    }

    fn started(self) -> (Self, Vec<Effect>) {
        match self {
            Self::Created => {
                let attention = Attention { verdict: Running::Working, armed: true };
                (Self::Running(attention), vec![Effect::AnnounceRunning, Effect::LookSoon])
            }
            Self::Running(_) | Self::Ending { .. } | Self::Exited(_) | Self::Lost { .. } => {
                (self, Vec::new())
            }
        }
    }

    fn input_sent(self) -> (Self, Vec<Effect>) {
        match self {
            Self::Running(_) => {
                let attention = Attention { verdict: Running::Working, armed: true };
                (Self::Running(attention), vec![Effect::LookSoon])
            }
            Self::Created | Self::Ending { .. } | Self::Exited(_) | Self::Lost { .. } => {
                (self, Vec::new())
            }
        }
    }

    fn classified(self, found: Box<Classification>) -> (Self, Vec<Effect>) {
        let Self::Running(mut attention) = self else { return (self, Vec::new()) };
        let mut effects = Vec::new();
        match found.state {
            Verdict::Working => {
                attention.verdict = Running::Working;
                // A settled screen that reads as working is work; the next prompt is news.
                if found.reason != policy::Reason::UnsettledOutput {
                    attention.armed = true;
                }
            }
            Verdict::AwaitingInput => {
                attention.verdict = Running::AwaitingInput;
                if attention.armed {
                    attention.armed = false;
                    effects.push(Effect::AnnounceInputNeeded(found));
                }
            }
            Verdict::Stuck => {
                let was = std::mem::replace(&mut attention.verdict, Running::Stuck);
                if was != Running::Stuck && attention.armed {
                    attention.armed = false;
                    let reason = StuckReason::Classified(found.reason);
                    effects.push(Effect::AnnounceStuck(reason, found));
                }
            }
            // The worker's word on the exit comes as `ChildExited`.
            Verdict::Exited => {}
        }
        (Self::Running(attention), effects)
    }

    fn kill(self, signal: KillSignal) -> (Self, Vec<Effect>) {
        match (self, signal) {
            (Self::Created | Self::Running(_) | Self::Ending { .. }, KillSignal::Kill) => (
                Self::Ending { stage: Ending::Killed },
                vec![Effect::KillTree, Effect::ArmKillTimer(KILL_REAP)],
            ),
            (
                Self::Created | Self::Running(_),
                KillSignal::Term | KillSignal::Int | KillSignal::Hup,
            ) => (
                Self::Ending { stage: Ending::Asked },
                vec![Effect::Signal(signal), Effect::ArmKillTimer(KILL_GRACE)],
            ),
            (
                state @ (Self::Ending { .. } | Self::Exited(_) | Self::Lost { .. }),
                KillSignal::Term | KillSignal::Int | KillSignal::Hup | KillSignal::Kill,
            ) => (state, Vec::new()),
        }
    }

    fn kill_deadline(self) -> (Self, Vec<Effect>) {
        match self {
            Self::Ending { stage: Ending::Asked } => (
                Self::Ending { stage: Ending::Killed },
                vec![Effect::KillTree, Effect::ArmKillTimer(KILL_REAP)],
            ),
            Self::Ending { stage: Ending::Killed } => self.lost(LostReason::Unkillable),
            Self::Created | Self::Running(_) | Self::Exited(_) | Self::Lost { .. } => {
                (self, Vec::new())
            }
        }
    }

    fn child_exited(self, exit: Exit) -> (Self, Vec<Effect>) {
        if !self.alive() {
            return (self, Vec::new());
        }
        (Self::Exited(exit), vec![Effect::AnnounceExited(exit), Effect::Finish])
    }

    fn lost(self, reason: LostReason) -> (Self, Vec<Effect>) {
        if !self.alive() {
            return (self, Vec::new());
        }
        (Self::Lost { reason }, vec![Effect::AnnounceLost(reason), Effect::Finish])
    }
}

impl LostReason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WorkerGone => "worker_gone",
            Self::Unkillable => "unkillable",
            Self::Internal => "internal",
        }
    }
}
