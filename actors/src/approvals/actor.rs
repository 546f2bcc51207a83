//! Glue: mailbox, store, event log, and the slots of whoever waits.

use std::collections::BTreeMap;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use tokio::sync::oneshot;

use super::ApprovalError;
use super::machine::{Admission, Decision, Effect, Event, State};
use super::messages::{ApprovalInfo, ApprovalOutcome, ApprovalRequest, Ask, Decide, List};
use super::table::{self, Resolution};
use crate::audit::{Audit, AuditAction, AuditEntry};
use crate::caller::Role;
use crate::clock;
use crate::events::{ApprovalDecision, Code, Emit, Event as LogEvent, Events};
use crate::ids;
use crate::store::{Store, StoreError};

/// Undecided or unused at once, over all agents. A human reads this list.
const OPEN_MAX: usize = 256;
const EXPIRY_EVERY: Duration = Duration::from_millis(500);
const ID_BYTES: usize = 8;

type Waiter = oneshot::Sender<Result<ApprovalOutcome, ApprovalError>>;

pub(super) struct ApprovalsActor {
    // Links.
    store: Store,
    events: Events,
    audit: Audit,
    ttl: Duration,
    // Own state. By a rising number: the list is in the order of asking.
    open: BTreeMap<u64, Open>,
    next: u64,
}

struct Open {
    id: String,
    request: ApprovalRequest,
    state: State,
    created_ms: i64,
    /// At most one: an approval is for one request.
    waiter: Option<Waiter>,
    note: Option<String>,
    /// A decision is on its way to the disk.
    writing: bool,
}

impl ApprovalsActor {
    pub(super) async fn recover(
        store: Store,
        events: Events,
        audit: Audit,
        ttl: Duration,
    ) -> Result<Self, StoreError> {
        let now = clock::unix_ms();
        for left in store.write(move |tx| table::expire_leftovers(tx, now)).await? {
            events.emit(Emit {
                owner: Some(left.owner),
                session_id: left.session_id,
                event: LogEvent::ApprovalResolved {
                    approval_id: left.id,
                    kind: Code::clean(&left.kind),
                    decision: ApprovalDecision::Expired,
                },
            });
        }
        Ok(Self { store, events, audit, ttl, open: BTreeMap::new(), next: 0 })
    }

    fn add(&mut self, request: ApprovalRequest, waiter: Waiter, ctx: &mut Context<Self>) {
        let Ok(id) = new_id() else {
            let _ = waiter.send(Err(StoreError::Stopped.into()));
            return;
        };
        let now = clock::unix_ms();
        let ttl = i64::try_from(self.ttl.as_millis()).unwrap_or(i64::MAX);
        let expires_ms = now.saturating_add(ttl);
        let key = self.next;
        self.next += 1;
        self.open.insert(
            key,
            Open {
                id: id.clone(),
                request: request.clone(),
                state: State::Pending { expires_ms },
                created_ms: now,
                waiter: Some(waiter),
                note: None,
                writing: true,
            },
        );
        let store = self.store.clone();
        let stored = async move {
            store.write(move |tx| table::insert(tx, &id, &request, now, expires_ms)).await
        };
        ctx.spawn(stored.into_actor(self).map(move |stored, actor, _| match stored {
            Ok(()) => actor.announce_request(key),
            Err(error) => actor.refuse(key, error.into()),
        }));
    }

    fn announce_request(&mut self, key: u64) {
        let Some(open) = self.open.get_mut(&key) else { return };
        open.writing = false;
        self.events.emit(Emit {
            owner: Some(open.request.owner.clone()),
            session_id: open.request.session_id.clone(),
            event: LogEvent::ApprovalRequested {
                approval_id: open.id.clone(),
                kind: open.request.kind.clone(),
            },
        });
        let entry = AuditEntry {
            owner: Some(open.request.owner.clone()),
            session_id: open.request.session_id.clone(),
            ..AuditEntry::by_service(AuditAction::ApprovalRequest, Code::of("pending"))
        };
        self.audit.record(entry.detail("approvalId", open.id.clone()));
    }

    fn refuse(&mut self, key: u64, error: ApprovalError) {
        if let Some(waiter) = self.open.remove(&key).and_then(|open| open.waiter) {
            let _ = waiter.send(Err(error));
        }
    }

    /// Stores where `event` leads, then takes the step.
    fn resolve(
        &mut self,
        key: u64,
        event: Event,
        how: Resolution,
        reply: Option<oneshot::Sender<Result<(), ApprovalError>>>,
        ctx: &mut Context<Self>,
    ) {
        let Some(open) = self.open.get_mut(&key) else { return };
        open.writing = true;
        let (store, id, note) = (self.store.clone(), open.id.clone(), how.note.clone());
        let stored = async move { store.write(move |tx| table::resolve(tx, &id, &how)).await };
        ctx.spawn(stored.into_actor(self).map(move |stored, actor, _| {
            if let Some(open) = actor.open.get_mut(&key) {
                open.writing = false;
                if stored.is_ok() {
                    open.note = note;
                    actor.step(key, event);
                }
            }
            if let Some(reply) = reply {
                let _ = reply.send(stored.map_err(Into::into));
            }
        }));
    }

    fn step(&mut self, key: u64, event: Event) {
        let Some(open) = self.open.get_mut(&key) else { return };
        let (state, effects) = open.state.step(event);
        open.state = state;
        for effect in effects {
            match effect {
                Effect::Announce => self.announce(key),
                Effect::Forget => {
                    self.open.remove(&key);
                }
            }
        }
    }

    fn announce(&mut self, key: u64) {
        let Some(open) = self.open.get_mut(&key) else { return };
        let (decision, outcome) = match open.state {
            State::Granted { .. } => (ApprovalDecision::Granted, ApprovalOutcome::Granted),
            State::Denied => {
                (ApprovalDecision::Denied, ApprovalOutcome::Denied { note: open.note.clone() })
            }
            State::Expired => (ApprovalDecision::Expired, ApprovalOutcome::Expired),
            State::Pending { .. } => return,
        };
        self.events.emit(Emit {
            owner: Some(open.request.owner.clone()),
            session_id: open.request.session_id.clone(),
            event: LogEvent::ApprovalResolved {
                approval_id: open.id.clone(),
                kind: open.request.kind.clone(),
                decision,
            },
        });
        let waiter = open.waiter.take();
        if waiter.is_some_and(|waiter| waiter.send(Ok(outcome)).is_ok()) {
            self.step(key, Event::Used);
        }
    }

    fn expire(&mut self, ctx: &mut Context<Self>) {
        let now_ms = clock::unix_ms();
        let due: Vec<_> = self
            .open
            .iter()
            .filter(|(_, open)| !open.writing)
            .filter(|(_, open)| match open.state {
                State::Pending { expires_ms } | State::Granted { expires_ms } => {
                    now_ms >= expires_ms
                }
                State::Denied | State::Expired => false,
            })
            .map(|(key, _)| *key)
            .collect();
        for key in due {
            let how = Resolution { state: "expired", now_ms, by: None, note: None };
            self.resolve(key, Event::TimePassed { now_ms }, how, None, ctx);
        }
    }

    fn admit(&self, decide: &Decide) -> Result<u64, ApprovalError> {
        if decide.caller.role != Role::Admin {
            return Err(ApprovalError::NotAllowed);
        }
        let (key, open) = self
            .open
            .iter()
            .find(|(_, open)| open.id == decide.id)
            .ok_or_else(|| ApprovalError::NotFound { id: decide.id.clone() })?;
        match open.state.admit(clock::unix_ms()) {
            Admission::Resolved(state) => Err(ApprovalError::Resolved { state }),
            Admission::Accept if open.writing => Err(ApprovalError::BeingDecided),
            Admission::Accept => Ok(*key),
        }
    }
}

fn new_id() -> Result<String, getrandom::Error> {
    Ok(format!("ap_{}", ids::random_hex::<ID_BYTES>()?))
}

impl Actor for ApprovalsActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(EXPIRY_EVERY, Self::expire);
    }
}

impl Handler<Ask> for ApprovalsActor {
    type Result = ();

    fn handle(&mut self, ask: Ask, ctx: &mut Self::Context) {
        let unclaimed = self.open.iter_mut().find(|(_, open)| {
            open.request.fingerprint == ask.request.fingerprint
                && open.request.owner == ask.request.owner
                && open.waiter.as_ref().is_none_or(oneshot::Sender::is_closed)
        });
        match unclaimed {
            Some((_, open)) if matches!(open.state, State::Pending { .. }) => {
                open.waiter = Some(ask.reply);
            }
            Some((key, open)) if matches!(open.state, State::Granted { .. }) => {
                let key = *key;
                if ask.reply.send(Ok(ApprovalOutcome::Granted)).is_ok() {
                    self.step(key, Event::Used);
                }
            }
            Some(_) | None => {
                if self.open.len() < OPEN_MAX {
                    self.add(ask.request, ask.reply, ctx);
                } else {
                    let _ = ask.reply.send(Err(ApprovalError::TooMany));
                }
            }
        }
    }
}

impl Handler<Decide> for ApprovalsActor {
    type Result = ();

    fn handle(&mut self, decide: Decide, ctx: &mut Self::Context) {
        let admitted = self.admit(&decide);
        let (outcome, state) = match decide.decision {
            Decision::Approve => (Code::of("granted"), "granted"),
            Decision::Deny => (Code::of("denied"), "denied"),
        };
        let outcome = if admitted.is_ok() { outcome } else { Code::of("refused") };
        let entry = AuditEntry::by(&decide.caller, AuditAction::ApprovalDecide, outcome);
        self.audit.record(entry.detail("approvalId", Code::clean(&decide.id).as_str()));
        match admitted {
            Ok(key) => {
                let how = Resolution {
                    state,
                    now_ms: clock::unix_ms(),
                    by: Some(decide.caller.token_id),
                    note: decide.note,
                };
                let event = Event::Decided(decide.decision);
                self.resolve(key, event, how, Some(decide.reply), ctx);
            }
            Err(error) => {
                let _ = decide.reply.send(Err(error));
            }
        }
    }
}

impl Handler<List> for ApprovalsActor {
    type Result = Vec<ApprovalInfo>;

    fn handle(&mut self, list: List, _: &mut Self::Context) -> Vec<ApprovalInfo> {
        self.open
            .values()
            .filter(|open| list.caller.may_see(&open.request.owner))
            .filter_map(|open| match open.state {
                State::Pending { expires_ms } => Some(ApprovalInfo {
                    id: open.id.clone(),
                    kind: open.request.kind.to_string(),
                    owner: open.request.owner.clone(),
                    session_id: open.request.session_id.clone(),
                    summary: open.request.summary.clone(),
                    fingerprint: open.request.fingerprint.to_string(),
                    requested_at: clock::rfc3339(open.created_ms),
                    expires_at: clock::rfc3339(expires_ms),
                }),
                State::Granted { .. } | State::Denied | State::Expired => None,
            })
            .collect()
    }
}
