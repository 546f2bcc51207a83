//! The life of one session. Pure; drawn in the module above.

use policy::Exit;

/// What the program does while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Activity {
    Working,
    AwaitingInput,
    Stuck,
}

/// Why nobody knows how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LostReason {
    /// Its worker is gone.
    Worker,
    /// A restart of the service did not find it again.
    Gone,
    /// A defect of the service.
    Internal,
}

impl LostReason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Worker => "worker_gone",
            Self::Gone => "session_gone",
            Self::Internal => "internal",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Created,
    Running {
        activity: Activity,
    },
    /// Told to end; `hard` once KILL was sent.
    Ending {
        until_ms: i64,
        hard: bool,
    },
    Exited {
        exit: Exit,
    },
    Lost {
        reason: LostReason,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Started,
    Perceived(Activity),
    KillAsked {
        /// As the kernel numbers it.
        signal: i32,
        /// When KILL follows; now for KILL itself.
        until_ms: i64,
    },
    TimePassed {
        now_ms: i64,
        /// When a KILL that is sent now must have worked.
        hard_until_ms: i64,
    },
    Ended(Exit),
    /// The worker says that nothing of the session is left.
    AllGone,
    WorkerGone,
    Broken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// A `terminal:session_state` event.
    Announce,
    Signal(i32),
    /// KILL to everything the session started; answered by `AllGone`.
    KillAll,
    /// Waits and sends get their last word.
    SettleWaiters,
    AnswerKills,
    /// The worker may go.
    ReleaseWorker,
}

/// What somebody asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Type,
    Resize,
    Watch,
    Kill,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    Accept,
    /// It is what was asked for.
    AlreadySo,
    /// The session has ended or is ending.
    SessionExited,
}

const KILL: i32 = 9;

impl State {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Running { activity: Activity::Working } => "running: working",
            Self::Running { activity: Activity::AwaitingInput } => "running: awaiting-input",
            Self::Running { activity: Activity::Stuck } => "running: stuck",
            Self::Ending { .. } => "ending",
            Self::Exited { .. } => "exited",
            Self::Lost { .. } => "lost",
        }
    }

    pub(crate) fn is_alive(self) -> bool {
        match self {
            Self::Created | Self::Running { .. } | Self::Ending { .. } => true,
            Self::Exited { .. } | Self::Lost { .. } => false,
        }
    }

    pub(crate) fn admit(self, command: Command) -> Admission {
        match (self, command) {
            (
                Self::Created | Self::Running { .. },
                Command::Type | Command::Resize | Command::Watch | Command::Kill,
            )
            | (Self::Ending { .. }, Command::Watch | Command::Kill) => Admission::Accept,
            (Self::Exited { .. } | Self::Lost { .. }, Command::Kill) => Admission::AlreadySo,
            (Self::Ending { .. }, Command::Type | Command::Resize)
            | (
                Self::Exited { .. } | Self::Lost { .. },
                Command::Type | Command::Resize | Command::Watch,
            ) => Admission::SessionExited,
        }
    }

    pub(crate) fn step(self, event: Event) -> (Self, Vec<Effect>) {
        match (self, event) {
            (Self::Created, Event::Started) => {
                (Self::Running { activity: Activity::Working }, vec![Effect::Announce])
            }
            (Self::Running { .. }, Event::Perceived(activity)) => {
                (Self::Running { activity }, Vec::new())
            }
            (
                Self::Created | Self::Running { .. } | Self::Ending { .. },
                Event::KillAsked { signal, until_ms },
            ) => self.kill(signal, until_ms),
            (
                Self::Ending { until_ms, hard: false },
                Event::TimePassed { now_ms, hard_until_ms },
            ) if now_ms >= until_ms => {
                (Self::Ending { until_ms: hard_until_ms, hard: true }, vec![Effect::KillAll])
            }
            (Self::Ending { until_ms, hard: true }, Event::TimePassed { now_ms, .. })
                if now_ms >= until_ms =>
            {
                // The kernel did not do it in time; whoever waits is told that it lives.
                (Self::Ending { until_ms: i64::MAX, hard: true }, vec![Effect::AnswerKills])
            }
            (Self::Created | Self::Running { .. }, Event::Ended(exit)) => (
                Self::Exited { exit },
                vec![Effect::Announce, Effect::SettleWaiters, Effect::ReleaseWorker],
            ),
            (Self::Ending { .. }, Event::Ended(exit)) => (
                Self::Exited { exit },
                vec![Effect::Announce, Effect::SettleWaiters, Effect::KillAll],
            ),
            (Self::Exited { .. } | Self::Lost { .. }, Event::AllGone) => {
                (self, vec![Effect::AnswerKills, Effect::ReleaseWorker])
            }
            (Self::Created | Self::Running { .. } | Self::Ending { .. }, Event::WorkerGone) => {
                Self::lose(LostReason::Worker, Vec::new())
            }
            (Self::Created | Self::Running { .. } | Self::Ending { .. }, Event::Broken) => {
                Self::lose(LostReason::Internal, vec![Effect::KillAll])
            }
            // Whoever waits for the end of everything learns that there is nobody to ask.
            (Self::Exited { .. } | Self::Lost { .. }, Event::WorkerGone) => {
                (self, vec![Effect::AnswerKills])
            }
            (Self::Created, Event::Perceived(_) | Event::TimePassed { .. } | Event::AllGone)
            | (Self::Running { .. }, Event::Started | Event::TimePassed { .. } | Event::AllGone)
            | (
                Self::Ending { .. },
                Event::Started | Event::Perceived(_) | Event::TimePassed { .. } | Event::AllGone,
            )
            | (
                Self::Exited { .. } | Self::Lost { .. },
                Event::Started
                | Event::Perceived(_)
                | Event::KillAsked { .. }
                | Event::TimePassed { .. }
                | Event::Ended(_)
                | Event::Broken,
            ) => (self, Vec::new()),
        }
    }

    fn kill(self, signal: i32, until_ms: i64) -> (Self, Vec<Effect>) {
        match self {
            // Already as hard as it gets.
            Self::Ending { hard: true, .. } => (self, Vec::new()),
            Self::Created
            | Self::Running { .. }
            | Self::Ending { hard: false, .. }
            | Self::Exited { .. }
            | Self::Lost { .. } => {
                if signal == KILL {
                    (Self::Ending { until_ms, hard: true }, vec![Effect::KillAll])
                } else {
                    (Self::Ending { until_ms, hard: false }, vec![Effect::Signal(signal)])
                }
            }
        }
    }

    fn lose(reason: LostReason, mut first: Vec<Effect>) -> (Self, Vec<Effect>) {
        first.extend([Effect::Announce, Effect::SettleWaiters, Effect::AnswerKills]);
        (Self::Lost { reason }, first)
    }
}
