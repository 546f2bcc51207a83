//! Glue: mailbox to machine, effects to store, subscribers and timers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use tokio::sync::{mpsc, oneshot};

use super::draft::{Draft, StoredEvent};
use super::filter::Filter;
use super::machine::{Effect, Entry, Event, Machine};
use super::messages::{Append, Close, GoLive, Joined, Live, LogStatus, SetRoutes, Status};
use super::table;
use crate::clock;
use crate::notify::Route;
use crate::store::{Store, StoreError};

/// Events that wait for one slow subscriber before it is cut off (contract).
pub(super) const SUBSCRIBER_EVENTS_MAX: usize = 1_024;
/// Streams at once. 1,024 buffered pointers each: 16 MiB at the very most.
const SUBSCRIBERS_MAX: usize = 2_048;
/// Appends in the mailbox, on top of those in the machine.
const MAILBOX_MAX: usize = 16_384;
const PRUNE_EVERY: Duration = Duration::from_secs(60);
/// Between two prune runs when one was not enough.
const PRUNE_AGAIN: Duration = Duration::from_millis(50);
/// A burst must not wait a minute to be pruned.
const PRUNE_AFTER_EVENTS: u32 = 1_000;

type Reply = oneshot::Sender<Result<i64, StoreError>>;

pub(super) struct LogActor {
    // Links.
    store: Store,
    routes: Arc<[Route]>,
    /// Rung when something went into the outbox.
    bell: Arc<tokio::sync::Notify>,
    // Own state.
    machine: Machine<Reply>,
    subscribers: Vec<Subscriber>,
    since_prune: u32,
    pruning: bool,
    lost: u64,
    cut_off: u64,
    closing: Option<oneshot::Sender<()>>,
}

struct Subscriber {
    filter: Filter,
    /// Ids up to here were read from the store.
    after: i64,
    events: mpsc::Sender<Arc<StoredEvent>>,
    overflowed: Arc<AtomicBool>,
}

impl LogActor {
    pub(super) fn new(store: Store, last_id: i64) -> Self {
        Self {
            store,
            routes: Arc::from([]),
            bell: Arc::default(),
            machine: Machine::new(last_id),
            subscribers: Vec::new(),
            since_prune: 0,
            pruning: false,
            lost: 0,
            cut_off: 0,
            closing: None,
        }
    }

    fn step(&mut self, event: Event<Reply>, ctx: &mut Context<Self>) {
        for effect in self.machine.step(event) {
            match effect {
                Effect::Write(drafts) => self.write(drafts, ctx),
                Effect::Send(event) => self.send(&event),
                Effect::Answer(reply, result) => {
                    // Whoever asked may have gone.
                    let _ = reply.send(result);
                }
                Effect::RetryAfter(pause) => {
                    ctx.run_later(pause, |actor, ctx| actor.step(Event::RetryDue, ctx));
                }
                Effect::Lost => {
                    self.lost = self.lost.saturating_add(1);
                    tracing::error!(lost = self.lost, "event lost: the disk refuses for too long");
                }
            }
        }
        self.close_when_done(ctx);
    }

    fn close_when_done(&mut self, ctx: &mut Context<Self>) {
        if self.machine.is_at_rest()
            && let Some(done) = self.closing.take()
        {
            self.subscribers.clear();
            ctx.stop();
            let _ = done.send(());
        }
    }

    fn write(&mut self, drafts: Vec<Arc<Draft>>, ctx: &mut Context<Self>) {
        let count = u32::try_from(drafts.len()).unwrap_or(u32::MAX);
        let store = self.store.clone();
        let routes = Arc::clone(&self.routes);
        let written =
            async move { store.write(move |tx| table::append(tx, &drafts, &routes)).await };
        ctx.spawn(written.into_actor(self).map(move |written, actor, ctx| match written {
            Ok(ids) => {
                actor.step(Event::Written(ids), ctx);
                if !actor.routes.is_empty() {
                    actor.bell.notify_one();
                }
                actor.since_prune = actor.since_prune.saturating_add(count);
                if actor.since_prune >= PRUNE_AFTER_EVENTS {
                    actor.prune(ctx);
                }
            }
            Err(StoreError::Stopped) => ctx.stop(),
            Err(error) => {
                tracing::error!(%error, "cannot store events; they are kept and tried again");
                actor.step(Event::WriteFailed(error), ctx);
            }
        }));
    }

    fn send(&mut self, event: &Arc<StoredEvent>) {
        let mut cut_off = 0;
        self.subscribers.retain(|subscriber| {
            let wanted = event.id > subscriber.after
                && subscriber.filter.matches(
                    &event.kind,
                    event.owner.as_ref(),
                    event.session_id.as_deref(),
                );
            if !wanted {
                return !subscriber.events.is_closed();
            }
            match subscriber.events.try_send(Arc::clone(event)) {
                Ok(()) => true,
                Err(mpsc::error::TrySendError::Closed(_)) => false,
                Err(mpsc::error::TrySendError::Full(_)) => {
                    subscriber.overflowed.store(true, Ordering::Release);
                    cut_off += 1;
                    false
                }
            }
        });
        self.cut_off = self.cut_off.saturating_add(cut_off);
    }

    fn prune(&mut self, ctx: &mut Context<Self>) {
        if std::mem::replace(&mut self.pruning, true) {
            return;
        }
        self.since_prune = 0;
        let (store, now) = (self.store.clone(), clock::unix_ms());
        let pruned = async move { store.write(move |tx| table::prune(tx, now)).await };
        ctx.spawn(pruned.into_actor(self).map(|pruned, actor, ctx| {
            actor.pruning = false;
            match pruned {
                Ok(true) => {
                    ctx.run_later(PRUNE_AGAIN, Self::prune);
                }
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "cannot prune old events"),
            }
        }));
    }
}

impl Actor for LogActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(MAILBOX_MAX);
        self.prune(ctx);
        ctx.run_interval(PRUNE_EVERY, Self::prune);
    }
}

impl Handler<Append> for LogActor {
    type Result = ();

    fn handle(&mut self, append: Append, ctx: &mut Self::Context) {
        let entry = Entry { draft: Arc::new(append.draft), reply: append.reply };
        self.step(Event::Appended(entry), ctx);
    }
}

impl Handler<GoLive> for LogActor {
    type Result = Joined;

    fn handle(&mut self, wish: GoLive, _: &mut Self::Context) -> Joined {
        let sent = self.machine.last_sent();
        let after = wish.after.unwrap_or(sent);
        if after < sent {
            return Joined::Behind;
        }
        self.subscribers.retain(|subscriber| !subscriber.events.is_closed());
        if self.subscribers.len() >= SUBSCRIBERS_MAX {
            return Joined::Full;
        }
        let (events, receiver) = mpsc::channel(SUBSCRIBER_EVENTS_MAX);
        let overflowed = Arc::new(AtomicBool::new(false));
        self.subscribers.push(Subscriber {
            filter: wish.filter,
            after,
            events,
            overflowed: Arc::clone(&overflowed),
        });
        Joined::Live(Live { after, events: receiver, overflowed })
    }
}

impl Handler<Close> for LogActor {
    type Result = ();

    fn handle(&mut self, close: Close, ctx: &mut Self::Context) {
        self.closing = Some(close.done);
        self.close_when_done(ctx);
    }
}

impl Handler<SetRoutes> for LogActor {
    type Result = ();

    fn handle(&mut self, set: SetRoutes, _: &mut Self::Context) {
        self.routes = set.routes;
        self.bell = set.bell;
    }
}

impl Handler<Status> for LogActor {
    type Result = LogStatus;

    fn handle(&mut self, _: Status, _: &mut Self::Context) -> LogStatus {
        LogStatus {
            last_id: self.machine.last_sent(),
            subscribers: self.subscribers.len(),
            waiting: self.machine.waiting(),
            lost: self.lost,
            cut_off: self.cut_off,
        }
    }
}
