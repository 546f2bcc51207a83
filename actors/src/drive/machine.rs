//! One drive. Pure; drawn in the module above.

use crate::events::EscalationReason;
use crate::settings::DriveMode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Attached { tasked: bool },
    Promoted { attention: Attention },
    Reattaching,
    Done,
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attention {
    Working,
    /// Waits for a human or its owner, who know.
    Parked,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A text of its owner was delivered.
    Sent,
    /// A key or an answer was typed, by whomever.
    Typed,
    Waited {
        complete: bool,
        producing: bool,
    },
    /// The owner's own condition came true.
    OwnerMatched,
    /// The session asks for input and nobody answers by itself.
    PromptSeen(EscalationReason),
    Escalated(EscalationReason),
    Exited(Ending),
    Lost,
    Evicted,
    CostExceeded,
    /// The service was restarted.
    Restarted,
    /// Recovery found the session alive.
    Found,
    /// Recovery did not find it.
    NotFound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Exit code 0.
    Clean,
    /// Another code, or a signal.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Begin a journal, `terminal:drive_promoted`, notify "started".
    Promote,
    /// `terminal:drive_reattached`.
    AnnounceReattached,
    /// `terminal:escalated`; it comes back as `Escalated`.
    Escalate(EscalationReason),
    NotifyNeedsYou(EscalationReason),
    NotifyDone,
    NotifyFailed(Why),
    SaveJournal,
    /// The journal goes in seven days.
    JournalDone,
    StopSession,
}

/// Why a drive failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    ExitCode,
    SessionGone,
    Cap,
    Spend,
}

impl State {
    pub(super) fn step(self, mode: DriveMode, event: Event) -> (Self, Vec<Effect>) {
        match self {
            Self::Attached { tasked } => attached(tasked, mode, event),
            Self::Promoted { attention } => promoted(attention, event),
            Self::Reattaching => reattaching(event),
            Self::Done => match event {
                // It lives on after its owner's condition came true, and gets a new task.
                Event::Sent => (Self::Attached { tasked: true }, Vec::new()),
                Event::Typed
                | Event::Waited { .. }
                | Event::OwnerMatched
                | Event::PromptSeen(_)
                | Event::Escalated(_)
                | Event::Exited(_)
                | Event::Lost
                | Event::Evicted
                | Event::CostExceeded
                | Event::Restarted
                | Event::Found
                | Event::NotFound => (self, Vec::new()),
            },
            Self::Failed => (self, Vec::new()),
        }
    }
}

fn attached(tasked: bool, mode: DriveMode, event: Event) -> (State, Vec<Effect>) {
    let same = State::Attached { tasked };
    match event {
        Event::Sent => (State::Attached { tasked: true }, Vec::new()),
        Event::Waited { complete, producing } => {
            let outlives = match mode {
                DriveMode::Auto => !complete && producing,
                DriveMode::Detached => true,
                DriveMode::Attached => false,
            };
            if tasked && outlives {
                (State::Promoted { attention: Attention::Working }, vec![Effect::Promote])
            } else {
                (same, Vec::new())
            }
        }
        Event::Typed
        | Event::OwnerMatched
        | Event::PromptSeen(_)
        | Event::Escalated(_)
        | Event::Exited(_)
        | Event::Lost
        | Event::Evicted
        | Event::CostExceeded
        | Event::Restarted
        | Event::Found
        | Event::NotFound => (same, Vec::new()),
    }
}

fn promoted(attention: Attention, event: Event) -> (State, Vec<Effect>) {
    let same = State::Promoted { attention };
    let working = State::Promoted { attention: Attention::Working };
    match event {
        Event::Sent | Event::Typed => (working, vec![Effect::SaveJournal]),
        Event::PromptSeen(reason) => (working, vec![Effect::Escalate(reason)]),
        Event::Escalated(reason) => match attention {
            Attention::Parked => (same, Vec::new()),
            Attention::Working => (
                State::Promoted { attention: Attention::Parked },
                vec![Effect::NotifyNeedsYou(reason), Effect::SaveJournal],
            ),
        },
        Event::OwnerMatched | Event::Exited(Ending::Clean) => (State::Done, done()),
        Event::Exited(Ending::Other) => (State::Failed, failed(Why::ExitCode)),
        Event::Lost => (State::Failed, failed(Why::SessionGone)),
        Event::Evicted => (State::Failed, failed(Why::Cap)),
        Event::CostExceeded => {
            let mut effects = vec![
                Effect::Escalate(EscalationReason::SpendLimit),
                Effect::NotifyNeedsYou(EscalationReason::SpendLimit),
                Effect::StopSession,
            ];
            effects.extend(failed(Why::Spend));
            (State::Failed, effects)
        }
        Event::Restarted => (State::Reattaching, Vec::new()),
        Event::Waited { .. } | Event::Found | Event::NotFound => (same, Vec::new()),
    }
}

fn done() -> Vec<Effect> {
    vec![Effect::NotifyDone, Effect::SaveJournal, Effect::JournalDone]
}

fn failed(why: Why) -> Vec<Effect> {
    vec![Effect::NotifyFailed(why), Effect::SaveJournal]
}

fn reattaching(event: Event) -> (State, Vec<Effect>) {
    match event {
        Event::Found => (
            State::Promoted { attention: Attention::Working },
            vec![Effect::AnnounceReattached, Effect::SaveJournal],
        ),
        Event::NotFound | Event::Lost => (State::Failed, failed(Why::SessionGone)),
        // It ended while nobody looked, and its worker says so first thing.
        Event::Exited(Ending::Clean) => (State::Done, done()),
        Event::Exited(Ending::Other) => (State::Failed, failed(Why::ExitCode)),
        Event::Evicted => (State::Failed, failed(Why::Cap)),
        Event::Sent
        | Event::Typed
        | Event::Waited { .. }
        | Event::OwnerMatched
        | Event::PromptSeen(_)
        | Event::Escalated(_)
        | Event::CostExceeded
        | Event::Restarted => (State::Reattaching, Vec::new()),
    }
}
