//! Pure core of the log: what is written when, and what is sent after which commit.
//!
//! ```text
//!            append            written, nothing waits
//!   idle ──────────▶ writing ────────────────────────▶ idle
//!                     ▲  │ ▲ └─ written, more waits ─┐
//!                     │  │ └─────────────────────────┘
//!           retry due │  │ write failed
//!                     └─ resting
//! ```
//!
//! Invariants: events are sent in the order of their ids, each once, and only after their
//! commit; an append with a reply is answered exactly once; nothing waits without a bound.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::draft::{Draft, StoredEvent};
use crate::store::StoreError;

/// Events in one transaction.
pub(super) const BATCH_MAX: usize = 512;
/// Events that may wait while the disk refuses: about three minutes of the busiest load
/// planned for. Later ones are refused until there is room.
pub(super) const WAITING_MAX: usize = 16_384;
const RETRY_FIRST: Duration = Duration::from_millis(100);
const RETRY_LAST: Duration = Duration::from_secs(5);

/// One append; `R` is whatever answers its sender.
#[derive(Debug)]
pub(super) struct Entry<R> {
    pub(super) draft: Arc<Draft>,
    pub(super) reply: Option<R>,
}

#[derive(Debug)]
pub(super) enum Event<R> {
    Appended(Entry<R>),
    /// The batch in flight is on disk, with these ids.
    Written(Vec<i64>),
    WriteFailed(StoreError),
    RetryDue,
}

#[derive(Debug, PartialEq)]
pub(super) enum Effect<R> {
    Write(Vec<Arc<Draft>>),
    Send(Arc<StoredEvent>),
    Answer(R, Result<i64, StoreError>),
    RetryAfter(Duration),
    /// An event nobody waits for could not be kept.
    Lost,
}

#[derive(Debug)]
enum State<R> {
    Idle,
    Writing { batch: Vec<Entry<R>> },
    Resting,
}

#[derive(Debug)]
pub(super) struct Machine<R> {
    state: State<R>,
    waiting: VecDeque<Entry<R>>,
    failures: u32,
    last_sent: i64,
}

impl<R> Machine<R> {
    /// `last_id`: the last id ever given.
    pub(super) fn new(last_id: i64) -> Self {
        Self { state: State::Idle, waiting: VecDeque::new(), failures: 0, last_sent: last_id }
    }

    pub(super) fn last_sent(&self) -> i64 {
        self.last_sent
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Nothing is on its way and nothing waits.
    pub(super) fn is_at_rest(&self) -> bool {
        matches!(self.state, State::Idle) && self.waiting.is_empty()
    }

    pub(super) fn state_name(&self) -> &'static str {
        match self.state {
            State::Idle => "idle",
            State::Writing { .. } => "writing",
            State::Resting => "resting",
        }
    }

    pub(super) fn step(&mut self, event: Event<R>) -> Vec<Effect<R>> {
        let state = std::mem::replace(&mut self.state, State::Idle);
        let mut effects = Vec::new();
        self.state = match (state, event) {
            (state, Event::Appended(entry)) => {
                self.admit(entry, &mut effects);
                match state {
                    State::Idle => self.write_next(&mut effects),
                    State::Writing { .. } | State::Resting => state,
                }
            }
            (State::Writing { batch }, Event::Written(ids)) => {
                self.failures = 0;
                self.send(batch, &ids, &mut effects);
                self.write_next(&mut effects)
            }
            (State::Writing { batch }, Event::WriteFailed(error)) => {
                self.put_back(batch, &error, &mut effects);
                self.rest(&mut effects)
            }
            (State::Resting, Event::RetryDue) => self.write_next(&mut effects),
            // Late news: a retry timer of an earlier rest, an answer to nobody.
            (state @ (State::Idle | State::Writing { .. }), Event::RetryDue)
            | (state @ (State::Idle | State::Resting), Event::Written(_))
            | (state @ (State::Idle | State::Resting), Event::WriteFailed(_)) => state,
        };
        effects
    }

    fn admit(&mut self, entry: Entry<R>, effects: &mut Vec<Effect<R>>) {
        if self.waiting.len() < WAITING_MAX {
            self.waiting.push_back(entry);
        } else {
            effects.push(match entry.reply {
                Some(reply) => Effect::Answer(reply, Err(StoreError::Overloaded)),
                None => Effect::Lost,
            });
        }
    }

    fn write_next(&mut self, effects: &mut Vec<Effect<R>>) -> State<R> {
        if self.waiting.is_empty() {
            return State::Idle;
        }
        let size = self.waiting.len().min(BATCH_MAX);
        let batch: Vec<_> = self.waiting.drain(..size).collect();
        effects.push(Effect::Write(batch.iter().map(|entry| Arc::clone(&entry.draft)).collect()));
        State::Writing { batch }
    }

    fn send(&mut self, batch: Vec<Entry<R>>, ids: &[i64], effects: &mut Vec<Effect<R>>) {
        for (entry, id) in batch.into_iter().zip(ids) {
            self.last_sent = *id;
            effects.push(Effect::Send(Arc::new(entry.draft.stored_as(*id))));
            if let Some(reply) = entry.reply {
                effects.push(Effect::Answer(reply, Ok(*id)));
            }
        }
    }

    /// Whoever waits for an answer gets the failure and decides; the rest is tried again, in
    /// the same order, before anything newer.
    fn put_back(&mut self, batch: Vec<Entry<R>>, error: &StoreError, effects: &mut Vec<Effect<R>>) {
        for entry in batch.into_iter().rev() {
            match entry.reply {
                Some(reply) => effects.push(Effect::Answer(reply, Err(error.clone()))),
                None => self.waiting.push_front(entry),
            }
        }
    }

    fn rest(&mut self, effects: &mut Vec<Effect<R>>) -> State<R> {
        if self.waiting.is_empty() {
            return State::Idle;
        }
        let doublings = self.failures.min(10);
        self.failures = self.failures.saturating_add(1);
        effects.push(Effect::RetryAfter((RETRY_FIRST * 2_u32.pow(doublings)).min(RETRY_LAST)));
        State::Resting
    }
}
