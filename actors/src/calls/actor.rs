//! Glue: steps of the machine to store, event log and the slots of whoever waits.

use std::collections::HashMap;
use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use tokio::sync::oneshot;

use super::machine::{Effect, Event, KEY_KEPT_MS, Keyed, OUTCOME_KEPT_MS, State};
use super::messages::{Begin, CallError, CallStart, Claim, Join, Outcome, StoredResponse};
use super::rows::{self, Asked, Claimed, Known, NewCall};
use super::ticket::CallTicket;
use crate::clock;
use crate::events::{Code, Emit, Event as LogEvent, Events, ToolStatus};
use crate::ids;
use crate::store::{Store, StoreError};

/// Requests that wait for one call.
const WAITERS_MAX: usize = 64;
/// Outcomes whose write failed, held in memory so that their keys stay true.
const UNSAVED_MAX: usize = 256;
const HANDLE_BYTES: usize = 16;

/// The media type of a response that says what went wrong.
const PROBLEM: &str = "application/problem+json";

pub(super) struct CallsActor {
    // Links.
    pub(super) store: Store,
    events: Events,
    // Own state.
    pub(super) open: HashMap<String, Open>,
    /// (token, key) to handle, for the open ones.
    pub(super) keys: HashMap<(String, String), String>,
    pub(super) rows: u64,
}

pub(super) struct Open {
    pub(super) call: NewCall,
    pub(super) state: State,
    /// The key is not ours before the store says so.
    claiming: bool,
    waiters: Vec<Waiter>,
    pub(super) response: Option<StoredResponse>,
}

pub(super) struct Waiter {
    outcome: oneshot::Sender<Outcome>,
    /// What a duplicate of a key asked for; it must be the same as what was asked first.
    asked: Option<Asked>,
}

impl CallsActor {
    pub(super) async fn recover(store: Store, events: Events) -> Result<Self, StoreError> {
        let now = clock::unix_ms();
        let (keyed, unkeyed) =
            (now.saturating_add(KEY_KEPT_MS), now.saturating_add(OUTCOME_KEPT_MS));
        let leftovers =
            store.write(move |tx| rows::interrupt_leftovers(tx, keyed, unkeyed)).await?;
        let rows = store.write(move |tx| rows::prune(tx, now)).await?;
        let actor = Self { store, events, open: HashMap::new(), keys: HashMap::new(), rows };
        for left in leftovers {
            let duration = elapsed(left.started_ms, now);
            actor.events.emit(Emit {
                owner: Some(left.owner),
                session_id: None,
                event: LogEvent::ToolCompleted {
                    handle: left.handle,
                    tool: Code::clean(&left.tool),
                    status: ToolStatus::Error,
                    duration,
                },
            });
        }
        Ok(actor)
    }

    pub(super) fn claim(&mut self, begin: Begin, handle: String, ctx: &mut Context<Self>) {
        let call = NewCall {
            handle: handle.clone(),
            caller: begin.caller,
            tool: begin.tool,
            key: begin.key,
            started_ms: clock::unix_ms(),
        };
        let claiming = call.key.is_some();
        if let Some(key) = &call.key {
            let name = (call.caller.token_id.clone(), key.key.clone());
            self.keys.insert(name, handle.clone());
        }
        let open = Open {
            call: call.clone(),
            state: State::Running,
            claiming,
            waiters: Vec::new(),
            response: None,
        };
        self.open.insert(handle.clone(), open);
        let ticket = CallTicket::new(handle.clone(), begin.actor);
        if !claiming {
            // When nobody takes the ticket its drop abandons the call.
            let _ = begin.reply.send(Ok(Claim::Start(CallStart::Fresh(ticket))));
            return;
        }
        let store = self.store.clone();
        let claimed = async move { store.write(move |tx| rows::claim(tx, &call)).await };
        ctx.spawn(claimed.into_actor(self).map(move |claimed, actor, ctx| {
            actor.claimed(&handle, ticket, begin.reply, claimed, ctx);
        }));
    }

    fn claimed(
        &mut self,
        handle: &str,
        ticket: CallTicket,
        reply: oneshot::Sender<Result<Claim, CallError>>,
        claimed: Result<Claimed, StoreError>,
        ctx: &mut Context<Self>,
    ) {
        match claimed {
            Ok(Claimed::Ours) => {
                self.rows = self.rows.saturating_add(1);
                if let Some(open) = self.open.get_mut(handle) {
                    open.claiming = false;
                    open.refuse_others();
                }
                let start = Ok(Claim::Start(CallStart::Fresh(ticket)));
                if let Err(Ok(Claim::Start(CallStart::Fresh(unused)))) = reply.send(start) {
                    self.release(unused, ctx);
                }
            }
            Ok(Claimed::Theirs(known)) => {
                let _ = ticket.spend();
                let Some(open) = self.forget(handle) else { return };
                for waiter in open.waiters {
                    let _ = waiter.outcome.send(replay(&known, waiter.asked.as_ref()));
                }
                let start = replay(&known, open.call.asked().as_ref()).map(CallStart::Replay);
                let _ = reply.send(start.map(Claim::Start));
            }
            Err(error) => {
                let _ = ticket.spend();
                for waiter in self.forget(handle).into_iter().flat_map(|open| open.waiters) {
                    let _ = waiter.outcome.send(Err(error.clone().into()));
                }
                let _ = reply.send(Err(error.into()));
            }
        }
    }

    /// Whoever asked is gone before the tool was started: the key is free again.
    fn release(&mut self, unused: CallTicket, ctx: &mut Context<Self>) {
        let handle = unused.spend();
        let store = self.store.clone();
        self.forget(&handle);
        let removed = async move { store.write(move |tx| rows::remove(tx, &handle)).await };
        ctx.spawn(removed.into_actor(self).map(|removed, _, _| {
            if let Err(error) = removed {
                tracing::warn!(%error, "an unused key stays taken");
            }
        }));
    }

    pub(super) fn join(&mut self, handle: &str, asked: Asked) -> Result<Claim, CallError> {
        let open = self.open.get_mut(handle).ok_or(CallError::Busy)?;
        // While the store is being asked even the first one may turn out to be the wrong one.
        if !open.claiming && open.call.asked().as_ref() != Some(&asked) {
            return Err(CallError::KeyReused);
        }
        if let Some(response) = &open.response {
            return Ok(Claim::Start(CallStart::Replay(response.clone())));
        }
        let (handle, tool) = (handle.to_owned(), asked.tool.clone());
        if open.state == State::Pending {
            return Ok(Claim::Start(CallStart::Pending { handle, tool }));
        }
        Ok(Claim::Join(Join { handle, tool, outcome: open.wait(Some(asked))? }))
    }

    fn forget(&mut self, handle: &str) -> Option<Open> {
        let open = self.open.remove(handle)?;
        if let Some(key) = &open.call.key {
            self.keys.remove(&(open.call.caller.token_id.clone(), key.key.clone()));
        }
        Some(open)
    }

    /// Takes a step and runs its effects; `stored` is told how the write went, at once when
    /// there is nothing to write.
    pub(super) fn step(
        &mut self,
        handle: &str,
        event: Event,
        stored: impl FnOnce(Result<(), StoreError>) + 'static,
        ctx: &mut Context<Self>,
    ) {
        let Some(open) = self.open.get_mut(handle) else {
            return stored(Ok(()));
        };
        let (state, effects) = open.state.step(open.call.keyed(), event);
        open.state = state;
        let mut write = None;
        for effect in &effects {
            match effect {
                Effect::StorePending
                | Effect::StoreOutcome { .. }
                | Effect::StoreInterruption { .. } => write = Some(*effect),
                Effect::AnswerWaiters | Effect::ReportCompletion | Effect::Forget => {}
            }
        }
        match write {
            None => {
                self.after_write(handle, &effects);
                stored(Ok(()));
            }
            Some(write) => {
                let written = write_effect(self.store.clone(), open, write);
                let handle = handle.to_owned();
                ctx.spawn(written.into_actor(self).map(move |written, actor, _| {
                    actor.after_write(&handle, &effects);
                    if matches!(write, Effect::StoreOutcome { .. }) {
                        actor.settle(&handle, written.is_ok());
                    }
                    stored(written);
                }));
            }
        }
    }

    /// Nobody is told before the disk was asked. A refusing disk does not make the outcome
    /// untrue, so they are told then as well.
    fn after_write(&mut self, handle: &str, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::AnswerWaiters => self.answer_waiters(handle),
                Effect::ReportCompletion => self.report(handle),
                Effect::Forget => {
                    self.forget(handle);
                }
                Effect::StorePending
                | Effect::StoreOutcome { .. }
                | Effect::StoreInterruption { .. } => {}
            }
        }
    }

    /// What is safely on disk need not stay in memory.
    fn settle(&mut self, handle: &str, saved: bool) {
        let unsaved = self.open.values().filter(|open| open.response.is_some()).count();
        if saved || unsaved > UNSAVED_MAX {
            self.forget(handle);
        }
    }

    fn answer_waiters(&mut self, handle: &str) {
        let Some(open) = self.open.get_mut(handle) else { return };
        for waiter in open.waiters.drain(..) {
            let outcome = open.response.clone().ok_or(CallError::Interrupted);
            let _ = waiter.outcome.send(outcome);
        }
    }

    fn report(&self, handle: &str) {
        let Some(open) = self.open.get(handle) else { return };
        let fine = open.response.as_ref().is_some_and(|r| r.content_type != PROBLEM);
        self.events.emit(Emit {
            owner: Some(open.call.caller.owner.clone()),
            session_id: None,
            event: LogEvent::ToolCompleted {
                handle: handle.to_owned(),
                tool: Code::clean(&open.call.tool),
                status: if fine { ToolStatus::Ok } else { ToolStatus::Error },
                duration: elapsed(open.call.started_ms, clock::unix_ms()),
            },
        });
    }

    pub(super) fn prune(&mut self, ctx: &mut Context<Self>) {
        let now_ms = clock::unix_ms();
        let handles: Vec<_> = self.open.keys().cloned().collect();
        for handle in handles {
            self.step(&handle, Event::TimePassed { now_ms }, |_| {}, ctx);
        }
        let store = self.store.clone();
        let pruned = async move { store.write(move |tx| rows::prune(tx, now_ms)).await };
        ctx.spawn(pruned.into_actor(self).map(|pruned, actor, _| match pruned {
            Ok(rows) => actor.rows = rows,
            Err(error) => tracing::warn!(%error, "cannot prune old calls"),
        }));
    }
}

impl Open {
    /// The key turned out to be free: it belongs to what was asked first.
    fn refuse_others(&mut self) {
        let first = self.call.asked();
        for waiter in std::mem::take(&mut self.waiters) {
            if waiter.asked == first {
                self.waiters.push(waiter);
            } else {
                let _ = waiter.outcome.send(Err(CallError::KeyReused));
            }
        }
    }

    pub(super) fn wait(
        &mut self,
        asked: Option<Asked>,
    ) -> Result<oneshot::Receiver<Outcome>, CallError> {
        self.waiters.retain(|waiter| !waiter.outcome.is_closed());
        if self.waiters.len() >= WAITERS_MAX {
            return Err(CallError::Busy);
        }
        let (outcome, receiver) = oneshot::channel();
        self.waiters.push(Waiter { outcome, asked });
        Ok(receiver)
    }
}

impl NewCall {
    fn asked(&self) -> Option<Asked> {
        self.key.as_ref().map(|key| Asked {
            owner: self.caller.owner.clone(),
            tool: self.tool.clone(),
            body_sha256: key.body_sha256,
        })
    }

    fn keyed(&self) -> Keyed {
        match self.key {
            Some(_) => Keyed::Yes,
            None => Keyed::No,
        }
    }
}

async fn run_write(
    store: Store,
    call: NewCall,
    response: Option<StoredResponse>,
    effect: Effect,
) -> Result<(), StoreError> {
    store
        .write(move |tx| match (effect, response) {
            (Effect::StorePending, _) => rows::store_pending(tx, &call),
            (Effect::StoreOutcome { keep_until_ms }, Some(response)) => {
                rows::store_outcome(tx, &call.handle, &response, keep_until_ms)
            }
            (
                Effect::StoreInterruption { keep_until_ms }
                | Effect::StoreOutcome { keep_until_ms },
                _,
            ) => rows::store_interruption(tx, &call.handle, keep_until_ms),
            (Effect::AnswerWaiters | Effect::ReportCompletion | Effect::Forget, _) => Ok(()),
        })
        .await
}

fn write_effect(
    store: Store,
    open: &Open,
    effect: Effect,
) -> impl Future<Output = Result<(), StoreError>> + use<> {
    run_write(store, open.call.clone(), open.response.clone(), effect)
}

/// What a known key answers to somebody who asked for `asked`.
fn replay(known: &Known, asked: Option<&Asked>) -> Outcome {
    if asked.is_none() || known.asked.as_ref() != asked {
        return Err(CallError::KeyReused);
    }
    known.response.clone().ok_or(CallError::Interrupted)
}

pub(super) fn elapsed(since_ms: i64, now_ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(now_ms.saturating_sub(since_ms)).unwrap_or(0))
}

pub(super) fn new_handle() -> Result<String, CallError> {
    let digits = ids::random_hex::<HANDLE_BYTES>();
    let digits = digits.map_err(|e| StoreError::Database(format!("no random: {e}")))?;
    Ok(format!("call_{digits}"))
}
