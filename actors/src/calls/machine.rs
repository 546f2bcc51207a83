//! One call. Pure; drawn in the module above.

/// How long an outcome can be collected, and how long a key is remembered (contract).
pub(super) const OUTCOME_KEPT_MS: i64 = 3_600 * 1000;
pub(super) const KEY_KEPT_MS: i64 = 24 * 3_600 * 1000;

/// Whether the request carried an `Idempotency-Key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyed {
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Running,
    /// Its handle was given out.
    Pending,
    Finished {
        keep_until_ms: i64,
    },
    Gone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    HandedOut,
    Finished {
        now_ms: i64,
    },
    /// It will never finish: the connection, the task or the service ended.
    Abandoned {
        now_ms: i64,
    },
    TimePassed {
        now_ms: i64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    StorePending,
    StoreOutcome {
        keep_until_ms: i64,
    },
    StoreInterruption {
        keep_until_ms: i64,
    },
    /// Whoever waits gets the outcome, or learns that there will be none.
    AnswerWaiters,
    /// `tool:completed`.
    ReportCompletion,
    /// Nothing refers to it any more.
    Forget,
}

impl Keyed {
    fn keep_until(self, now_ms: i64) -> i64 {
        now_ms.saturating_add(match self {
            Self::Yes => KEY_KEPT_MS,
            Self::No => OUTCOME_KEPT_MS,
        })
    }
}

impl State {
    pub(super) fn step(self, keyed: Keyed, event: Event) -> (Self, Vec<Effect>) {
        match (self, event) {
            (Self::Running, Event::HandedOut) => (Self::Pending, vec![Effect::StorePending]),
            (Self::Running, Event::Finished { now_ms }) => match keyed {
                Keyed::Yes => {
                    let keep_until_ms = keyed.keep_until(now_ms);
                    let store = Effect::StoreOutcome { keep_until_ms };
                    (Self::Finished { keep_until_ms }, vec![store, Effect::AnswerWaiters])
                }
                // The client has the response in its hand and no name to ask for it again.
                Keyed::No => (Self::Gone, vec![Effect::Forget]),
            },
            (Self::Running, Event::Abandoned { now_ms }) => match keyed {
                Keyed::Yes => (Self::Gone, interruption(keyed, now_ms, &[])),
                Keyed::No => (Self::Gone, vec![Effect::Forget]),
            },
            (Self::Pending, Event::Finished { now_ms }) => {
                let keep_until_ms = keyed.keep_until(now_ms);
                let effects = vec![
                    Effect::StoreOutcome { keep_until_ms },
                    Effect::AnswerWaiters,
                    Effect::ReportCompletion,
                ];
                (Self::Finished { keep_until_ms }, effects)
            }
            (Self::Pending, Event::Abandoned { now_ms }) => {
                (Self::Gone, interruption(keyed, now_ms, &[Effect::ReportCompletion]))
            }
            (Self::Finished { keep_until_ms }, Event::TimePassed { now_ms })
                if now_ms >= keep_until_ms =>
            {
                (Self::Gone, vec![Effect::Forget])
            }
            (Self::Running, Event::TimePassed { .. })
            | (Self::Pending, Event::HandedOut | Event::TimePassed { .. })
            | (
                Self::Finished { .. } | Self::Gone,
                Event::HandedOut
                | Event::Finished { .. }
                | Event::Abandoned { .. }
                | Event::TimePassed { .. },
            ) => (self, Vec::new()),
        }
    }
}

fn interruption(keyed: Keyed, now_ms: i64, also: &[Effect]) -> Vec<Effect> {
    let keep_until_ms = keyed.keep_until(now_ms);
    let mut effects = vec![Effect::StoreInterruption { keep_until_ms }, Effect::AnswerWaiters];
    effects.extend_from_slice(also);
    effects.push(Effect::Forget);
    effects
}
