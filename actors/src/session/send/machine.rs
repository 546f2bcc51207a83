//! One send of text or keys: a transaction. Pure.
//!
//! ```text
//! checking ──clear──▶ typing ──taken──▶ settling ──still──▶ submitting ──taken──▶ confirming
//!    │                  │                  │ nothing to submit   │                   │
//!    ▼ dialog, draft    ▼ not taken        ▼                     ▼ not taken         ▼
//!  refused            stalled          delivered              stalled    submitted, queued,
//!                                                                        stalled
//! ```
//!
//! Nothing is ever `submitted` because bytes were written: only a change of screen or state
//! after Enter makes it so. It is answered exactly once.

use crate::session_types::Outcome;

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) submit: bool,
    pub(crate) settle_ms: i64,
    /// Between the text and Enter; some programs ignore Enter right behind a paste.
    pub(crate) typed_settle_ms: i64,
    pub(crate) deadline_ms: i64,
    /// A screen that never stands still holds nothing back for longer than these.
    pub(crate) check_ms_max: i64,
    pub(crate) typed_ms_max: i64,
    pub(crate) effect_ms_max: i64,
}

impl Plan {
    /// A screen that stands still for this long shows all of what it shows.
    fn clear_ms(&self) -> i64 {
        self.check_ms_max / 3
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Checking { since_ms: i64 },
    Typing,
    Settling { since_ms: i64, written: u64 },
    Submitting { written: u64 },
    Confirming { since_ms: i64, written: u64, effect_at_ms: Option<i64> },
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Refusal {
    DialogOpen,
    ForeignDraft,
    SessionExited,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stall {
    /// The program did not take the text.
    NotTaken,
    /// It took the text but not Enter.
    EnterNotTaken,
    /// Enter changed nothing.
    NoEffect,
}

/// One look, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) now_ms: i64,
    /// How long nothing has changed since the last input; `None` inside a synchronized update.
    pub(crate) still_ms: Option<i64>,
    /// Why nothing may be typed.
    pub(crate) refusal: Option<Refusal>,
    /// Screen or state changed since Enter.
    pub(crate) effect: bool,
    /// The program shows that it queued the message.
    pub(crate) queued: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Seen(Seen),
    Written {
        now_ms: i64,
        bytes: u64,
        complete: bool,
    },
    TimePassed {
        now_ms: i64,
    },
    /// The program has ended.
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    WriteInput,
    WriteEnter,
    Refuse(Refusal),
    Answer { outcome: Outcome, written: u64, stall: Option<Stall> },
}

impl State {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Checking { .. } => "checking",
            Self::Typing => "typing",
            Self::Settling { .. } => "settling",
            Self::Submitting { .. } => "submitting",
            Self::Confirming { .. } => "confirming",
            Self::Done => "done",
        }
    }

    pub(crate) fn step(self, plan: &Plan, event: Event) -> (Self, Vec<Effect>) {
        match (self, event) {
            (Self::Checking { since_ms }, Event::Seen(seen)) => check(plan, since_ms, seen),
            (Self::Typing, Event::Written { now_ms, bytes, complete }) => {
                if complete {
                    (Self::Settling { since_ms: now_ms, written: bytes }, Vec::new())
                } else {
                    answer(Outcome::Stalled, bytes, Some(Stall::NotTaken))
                }
            }
            (Self::Settling { since_ms, written }, Event::Seen(seen)) => {
                let patience = plan.typed_ms_max.max(plan.typed_settle_ms);
                let over = seen.now_ms >= plan.deadline_ms || seen.now_ms - since_ms >= patience;
                self.settled(plan, written, over || still(plan.typed_settle_ms, seen))
            }
            (Self::Settling { written, .. }, Event::TimePassed { now_ms }) => {
                self.settled(plan, written, now_ms >= plan.deadline_ms)
            }
            (Self::Submitting { written }, Event::Written { now_ms, bytes, complete }) => {
                let written = written.saturating_add(bytes);
                if complete {
                    (Self::Confirming { since_ms: now_ms, written, effect_at_ms: None }, Vec::new())
                } else {
                    answer(Outcome::Stalled, written, Some(Stall::EnterNotTaken))
                }
            }
            (Self::Confirming { since_ms, written, effect_at_ms }, Event::Seen(seen)) => {
                confirm(plan, (since_ms, written, effect_at_ms), seen)
            }
            (Self::Confirming { written, effect_at_ms, .. }, Event::TimePassed { now_ms })
                if now_ms >= plan.deadline_ms =>
            {
                match effect_at_ms {
                    Some(_) => answer(Outcome::Submitted, written, None),
                    None => answer(Outcome::Stalled, written, Some(Stall::NoEffect)),
                }
            }
            (Self::Checking { .. }, Event::Ended) => {
                (Self::Done, vec![Effect::Refuse(Refusal::SessionExited)])
            }
            (Self::Settling { written, .. }, Event::Ended) => {
                answer(Outcome::Delivered, written, None)
            }
            // That it ended is the effect.
            (Self::Confirming { written, .. }, Event::Ended) => {
                answer(Outcome::Submitted, written, None)
            }
            // The write itself says how much was taken, also when the program has ended.
            (Self::Typing | Self::Submitting { .. }, Event::Ended)
            | (Self::Checking { .. }, Event::Written { .. } | Event::TimePassed { .. })
            | (Self::Typing | Self::Submitting { .. }, Event::Seen(_) | Event::TimePassed { .. })
            | (Self::Settling { .. }, Event::Written { .. })
            | (Self::Confirming { .. }, Event::Written { .. } | Event::TimePassed { .. })
            | (
                Self::Done,
                Event::Seen(_) | Event::Written { .. } | Event::TimePassed { .. } | Event::Ended,
            ) => (self, Vec::new()),
        }
    }

    fn settled(self, plan: &Plan, written: u64, settled: bool) -> (Self, Vec<Effect>) {
        if !settled {
            (self, Vec::new())
        } else if plan.submit {
            (Self::Submitting { written }, vec![Effect::WriteEnter])
        } else {
            answer(Outcome::Delivered, written, None)
        }
    }

    /// When to look again if nothing comes before, given how still it is as of now and when
    /// the last look was: output that never ends must not put it off for ever.
    pub(crate) fn look_in_ms(
        self,
        plan: &Plan,
        now_ms: i64,
        still_ms: Option<i64>,
        looked_ms: i64,
    ) -> Option<i64> {
        let settle = still_ms.map(|still| plan.settle_ms - still);
        let at = match self {
            Self::Checking { since_ms } => {
                let cap = since_ms + plan.check_ms_max - now_ms;
                still_ms.map_or(cap, |still| (plan.clear_ms() - still).min(cap))
            }
            Self::Settling { since_ms, .. } => {
                let cap = since_ms + plan.typed_ms_max.max(plan.typed_settle_ms) - now_ms;
                still_ms.map_or(cap, |still| (plan.typed_settle_ms - still).min(cap))
            }
            Self::Confirming { effect_at_ms: Some(at), .. } => {
                let cap = at + plan.effect_ms_max.max(plan.settle_ms) - now_ms;
                settle.map_or(cap, |settle| settle.min(cap))
            }
            // A change of state may come without a change of the screen.
            Self::Confirming { effect_at_ms: None, since_ms, .. } => {
                let pause = ((now_ms - since_ms) / 4).clamp(plan.settle_ms.max(60), 500);
                let anchored = looked_ms.max(since_ms) + pause - now_ms;
                settle.filter(|settle| *settle > 0).map_or(anchored, |settle| settle.min(anchored))
            }
            Self::Typing | Self::Submitting { .. } | Self::Done => return None,
        };
        Some(at.min(plan.deadline_ms - now_ms).max(1))
    }
}

fn still(settle_ms: i64, seen: Seen) -> bool {
    seen.still_ms.is_some_and(|still| still >= settle_ms)
}

fn answer(outcome: Outcome, written: u64, stall: Option<Stall>) -> (State, Vec<Effect>) {
    (State::Done, vec![Effect::Answer { outcome, written, stall }])
}

fn check(plan: &Plan, since_ms: i64, seen: Seen) -> (State, Vec<Effect>) {
    if let Some(refusal) = seen.refusal {
        return (State::Done, vec![Effect::Refuse(refusal)]);
    }
    // On a screen that is just being drawn a dialog may be about to appear.
    let late = seen.now_ms - since_ms >= plan.check_ms_max || seen.now_ms >= plan.deadline_ms;
    if late || still(plan.clear_ms(), seen) {
        (State::Typing, vec![Effect::WriteInput])
    } else {
        (State::Checking { since_ms }, Vec::new())
    }
}

fn confirm(
    plan: &Plan,
    (since_ms, written, effect_at_ms): (i64, u64, Option<i64>),
    seen: Seen,
) -> (State, Vec<Effect>) {
    let effect_at_ms = effect_at_ms.or(seen.effect.then_some(seen.now_ms));
    let Some(at) = effect_at_ms else {
        if seen.now_ms >= plan.deadline_ms {
            return answer(Outcome::Stalled, written, Some(Stall::NoEffect));
        }
        return (State::Confirming { since_ms, written, effect_at_ms }, Vec::new());
    };
    let patience = plan.effect_ms_max.max(plan.settle_ms);
    let over = seen.now_ms >= plan.deadline_ms || seen.now_ms - at >= patience;
    if over || still(plan.settle_ms, seen) {
        let outcome = if seen.queued { Outcome::Queued } else { Outcome::Submitted };
        answer(outcome, written, None)
    } else {
        (State::Confirming { since_ms, written, effect_at_ms }, Vec::new())
    }
}
