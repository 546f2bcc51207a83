//! One session's auto-answers: seen, queued for a turn, looked at again, written, confirmed.
//!
//! ```text
//! idle -> seen -> rechecking -> answering -> confirming -> answered
//!   \________________________________\____________\-----> escalated{reason}
//! ```
//! Invariants: nothing is written that a second look right before did not decide the same
//! way; an answer counts only when its prompt is gone; the same prompt twice within the loop
//! window is escalated before anything is typed; a prompt is escalated once; a turn that was
//! asked for is given back exactly once.

use std::time::Duration;

use super::{Answer, Decision, Escalation, LoopGuard, Prompt, PromptId};

/// Consecutive answers that did not make their prompt go away.
pub const FAILING_ANSWERS_MAX: u32 = 8;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum State {
    #[default]
    Idle,
    /// Waits for one of the turns that all sessions share.
    Seen {
        id: PromptId,
        answer: Answer,
    },
    Rechecking {
        id: PromptId,
        answer: Answer,
    },
    Answering {
        id: PromptId,
        answer: Answer,
    },
    Confirming {
        id: PromptId,
        answer: Answer,
    },
    Answered {
        id: PromptId,
    },
    Escalated {
        id: PromptId,
        reason: Escalation,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The session awaits input, and this is decided about it.
    PromptShown {
        prompt: Prompt,
        now: Duration,
    },
    /// The prompt went away, or the session ended.
    PromptGone,
    TurnGranted,
    /// The second look; nothing when there is no prompt any more.
    Rechecked {
        prompt: Option<Prompt>,
        now: Duration,
    },
    /// All keys were taken, or not.
    Written {
        complete: bool,
    },
    /// A look after the answer.
    Looked {
        prompt: Option<PromptId>,
    },
    /// The prompt had its time to go.
    ConfirmTimedOut,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    AskForTurn,
    GiveTurnBack,
    /// Look at the current frame and decide again.
    Recheck,
    Write(Answer),
    /// Look after every change, and say when the time is over.
    WatchForEnd,
    /// `terminal:auto_answered`.
    AnnounceAnswered(Answer),
    /// `terminal:escalated`.
    Escalate(Escalation),
    /// The prompt is still there; it is to be shown again as a new one.
    LookAgain,
}

/// All the memory of one session's auto-answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Machine {
    state: State,
    guard: LoopGuard,
    failing: u32,
}

impl Machine {
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// A machine in the middle of its life, for the printed table.
    #[cfg(test)]
    pub(super) fn in_state(state: State) -> Self {
        Self { state, ..Self::default() }
    }

    pub fn step(&mut self, event: Event) -> Vec<Effect> {
        let state = std::mem::take(&mut self.state);
        let (next, effects) = self.next(state, event);
        self.state = next;
        effects
    }

    fn next(&mut self, state: State, event: Event) -> (State, Vec<Effect>) {
        match (state, event) {
            (State::Idle | State::Answered { .. }, Event::PromptShown { prompt, now }) => {
                self.shown(prompt, now)
            }
            (State::Escalated { id, reason }, Event::PromptShown { prompt, now }) => {
                if prompt.id == id {
                    (State::Escalated { id, reason }, Vec::new())
                } else {
                    self.shown(prompt, now)
                }
            }
            (State::Seen { id, answer }, Event::TurnGranted) => {
                (State::Rechecking { id, answer }, vec![Effect::Recheck])
            }
            (State::Rechecking { id, answer }, Event::Rechecked { prompt, now }) => {
                self.rechecked(id, answer, prompt, now)
            }
            (State::Answering { id, answer }, Event::Written { complete: true }) => {
                (State::Confirming { id, answer }, vec![Effect::WatchForEnd])
            }
            (State::Answering { id, .. }, Event::Written { complete: false }) => {
                let reason = Escalation::Stuck;
                let effects = vec![Effect::GiveTurnBack, Effect::Escalate(reason)];
                (State::Escalated { id, reason }, effects)
            }
            (State::Confirming { id, answer }, Event::Looked { prompt }) if prompt != Some(id) => {
                self.confirmed(id, answer)
            }
            (State::Confirming { id, answer }, Event::PromptGone) => self.confirmed(id, answer),
            (State::Confirming { id, .. }, Event::ConfirmTimedOut) => self.failed(id),
            // Keys are on their way; what became of the prompt is seen afterwards.
            (state @ State::Answering { .. }, Event::PromptGone) => (state, Vec::new()),
            (State::Seen { .. } | State::Rechecking { .. }, Event::PromptGone) => {
                (State::Idle, vec![Effect::GiveTurnBack])
            }
            // Somebody else took care of it, so what failed before is over.
            (State::Escalated { .. }, Event::PromptGone) => {
                self.failing = 0;
                (State::Idle, Vec::new())
            }
            (State::Idle | State::Answered { .. }, Event::PromptGone) => (State::Idle, Vec::new()),
            // A turn that came too late goes back; everything else is late news.
            (
                state @ (State::Idle | State::Answered { .. } | State::Escalated { .. }),
                Event::TurnGranted,
            ) => (state, vec![Effect::GiveTurnBack]),
            (
                state,
                Event::PromptShown { .. }
                | Event::TurnGranted
                | Event::Rechecked { .. }
                | Event::Written { .. }
                | Event::Looked { .. }
                | Event::ConfirmTimedOut,
            ) => (state, Vec::new()),
        }
    }

    fn shown(&mut self, prompt: Prompt, now: Duration) -> (State, Vec<Effect>) {
        let Prompt { id, decision } = prompt;
        let escalate = |reason| (State::Escalated { id, reason }, vec![Effect::Escalate(reason)]);
        match decision {
            Decision::Escalate(reason) => escalate(reason),
            Decision::Answer(_) if self.guard.is_loop(id, now) => {
                escalate(Escalation::LoopDetected)
            }
            Decision::Answer(_) if self.failing >= FAILING_ANSWERS_MAX => {
                escalate(Escalation::HopLimit)
            }
            Decision::Answer(answer) => (State::Seen { id, answer }, vec![Effect::AskForTurn]),
        }
    }

    fn rechecked(
        &mut self,
        id: PromptId,
        answer: Answer,
        prompt: Option<Prompt>,
        now: Duration,
    ) -> (State, Vec<Effect>) {
        let same = prompt.as_ref().is_some_and(|prompt| {
            prompt.id == id && prompt.decision == Decision::Answer(answer.clone())
        });
        if same {
            self.guard.answered(id, now);
            return (State::Answering { id, answer: answer.clone() }, vec![Effect::Write(answer)]);
        }
        let again = prompt.map(|_| Effect::LookAgain);
        (State::Idle, std::iter::once(Effect::GiveTurnBack).chain(again).collect())
    }

    fn confirmed(&mut self, id: PromptId, answer: Answer) -> (State, Vec<Effect>) {
        self.failing = 0;
        let effects = vec![Effect::GiveTurnBack, Effect::AnnounceAnswered(answer)];
        (State::Answered { id }, effects)
    }

    fn failed(&mut self, id: PromptId) -> (State, Vec<Effect>) {
        self.failing += 1;
        if self.failing < FAILING_ANSWERS_MAX {
            return (State::Idle, vec![Effect::GiveTurnBack, Effect::LookAgain]);
        }
        let reason = Escalation::HopLimit;
        let effects = vec![Effect::GiveTurnBack, Effect::Escalate(reason)];
        (State::Escalated { id, reason }, effects)
    }
}
