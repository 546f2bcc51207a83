//! Glue of one session: pushes and messages become events, effects become requests, events
//! of the service, timers and the published view.

use std::sync::Arc;
use std::time::Duration;

use actix::{
    Actor, ActorContext, ActorFutureExt, Addr, AsyncContext, Context, Handler, SpawnHandle,
    StreamHandler, WrapFuture,
};
use policy::{Classification, Exit};
use tokio::sync::{oneshot, watch};
use worker::LinkSender;
use worker::protocol::{Push, Reply, Request};

use super::guard::guarded;
use super::info::Info;
use super::machine::{Admission, Effect, Event, LostReason, State};
use super::messages::{Detach, InputSent, Kill, LookNow, Requested};
use super::observe::{Look, exit as exit_of};
use super::view::View;
use crate::classifier::{Classifier, Classify};
use crate::clock;
use crate::events::{Cap, Code, Emit, Event as Told, EvictionReason, SessionPhase};
use crate::limits::{
    MAILBOX, RELOOK_FIRST, RELOOK_MAX, SETTLE, WORKED_ON, WORKER_REQUEST_MAX,
};
use crate::records::Records;
use crate::session_types::{KillReply, KillSignal};

pub struct SessionActor {
    pub(super) info: Arc<Info>,
    pub(super) state: State,
    pub(super) link: LinkSender,
    pub(super) view: watch::Sender<View>,
    pub(super) records: Records,
    pub(super) classifier: Addr<Classifier>,
    pub(super) waiting_for_end: Vec<oneshot::Sender<KillReply>>,
    pub(super) look_timer: Option<SpawnHandle>,
    pub(super) kill_timer: Option<SpawnHandle>,
    /// Pause before the next look at a settled screen that reads as working.
    pub(super) relook: Duration,
    /// Since when output has not settled (monotonic milliseconds).
    pub(super) unsettled_since_ms: Option<i64>,
    /// A drain lets the worker live.
    pub(super) detached: bool,
}

impl Actor for SessionActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        ctx.set_mailbox_capacity(MAILBOX);
        self.tell(SessionPhase::Created, None, None);
        self.apply(Event::Started, ctx);
    }
}

impl SessionActor {
    pub(super) fn apply(&mut self, event: Event, ctx: &mut Context<Self>) {
        let before = self.state.clone();
        let stepped = guarded(&self.info.session_id, || before.step(event));
        let (state, effects) = stepped.unwrap_or_else(|| {
            self.state.clone().step(Event::Panicked)
        });
        let shown_before = self.state.shown();
        self.state = state;
        let shown = self.state.shown();
        if shown != shown_before {
            self.view.send_modify(|view| {
                view.state = shown;
                view.since_ms = clock::unix_ms();
            });
        }
        for effect in effects {
            self.run(effect, ctx);
        }
    }

    fn run(&mut self, effect: Effect, ctx: &mut Context<Self>) {
        match effect {
            Effect::AnnounceRunning => self.tell(SessionPhase::Running, None, None),
            Effect::AnnounceExited(exit) => self.announce_exit(exit),
            Effect::AnnounceLost(reason) => self.announce_lost(reason),
            Effect::AnnounceInputNeeded(found) => self.emit(Told::InputNeeded {
                state: found.state,
                kind: found.kind.unwrap_or(policy::Kind::Unknown),
                reason: found.reason,
                confidence: found.confidence,
            }),
            Effect::AnnounceStuck(reason, found) => {
                let quiet = self.view.borrow().clock.unchanged_ms;
                self.emit(Told::Stuck {
                    no_progress: Duration::from_millis(quiet),
                    reason,
                    confidence: found.confidence,
                });
            }
            Effect::Signal(signal) => self.signal(number(signal), false),
            Effect::KillTree => self.signal(number(KillSignal::Kill), true),
            Effect::ArmKillTimer(after) => {
                if let Some(timer) = self.kill_timer.take() {
                    ctx.cancel_future(timer);
                }
                let timer = ctx.run_later(after, |actor, ctx| {
                    actor.kill_timer = None;
                    actor.apply(Event::KillDeadline, ctx);
                });
                self.kill_timer = Some(timer);
            }
            Effect::LookSoon => {
                self.relook = RELOOK_FIRST;
                self.look_after(SETTLE + Duration::from_millis(5), false, ctx);
            }
            Effect::Finish => self.finish(ctx),
        }
    }

    fn emit(&self, event: Told) {
        self.records.events.emit(Emit {
            owner: Some(self.info.owner.clone()),
            session_id: Some(self.info.session_id.clone()),
            event,
        });
    }

    fn tell(&self, phase: SessionPhase, exit_code: Option<i32>, reason: Option<Code>) {
        let duration = self.info.age();
        self.emit(Told::SessionState { phase, duration, exit_code, reason });
    }

    fn announce_exit(&mut self, exit: Exit) {
        self.view.send_modify(|view| view.exit = Some(exit));
        let (code, reason) = match exit {
            Exit::Code(code) => (Some(code), None),
            Exit::Signal(signal) => (None, Some(Code::clean(&format!("signal_{signal}")))),
        };
        self.tell(SessionPhase::Exited, code, reason);
    }

    fn announce_lost(&mut self, reason: LostReason) {
        self.view.send_modify(|view| view.lost = Some(reason));
        self.tell(SessionPhase::Lost, None, Some(Code::of(reason.as_str())));
    }

    /// Fire and forget: the child's end comes as a push, and the kill timer covers the rest.
    fn signal(&self, signal: i32, whole_tree: bool) {
        let link = self.link.clone();
        actix_rt::spawn(async move {
            let request = Request::Signal { signal, whole_tree };
            if let Err(error) = link.request(request, WORKER_REQUEST_MAX).await {
                tracing::debug!(%error, "signal not delivered");
            }
        });
    }

    /// Nothing of the session runs any more: answer who waits, dismiss the worker, forget
    /// the descriptor. The last picture stays in the view.
    fn finish(&mut self, ctx: &mut Context<Self>) {
        for timer in [self.look_timer.take(), self.kill_timer.take()].into_iter().flatten() {
            ctx.cancel_future(timer);
        }
        let link = self.link.clone();
        let store = self.records.store.clone();
        let session_id = self.info.session_id.clone();
        let done = async move {
            // Whatever the program left behind goes with it.
            let kill = Request::Signal { signal: number(KillSignal::Kill), whole_tree: true };
            let _ = link.request(kill, WORKER_REQUEST_MAX).await;
            let _ = link.request(Request::Shutdown, WORKER_REQUEST_MAX).await;
            if let Err(error) = store.descriptor_remove(&session_id).await {
                tracing::warn!(session_id, %error, "descriptor not removed");
            }
        };
        ctx.spawn(done.into_actor(self).map(|(), actor, _| {
            let reply = KillReply { exit: actor.view.borrow().exit, alive: false };
            for waiting in actor.waiting_for_end.drain(..) {
                // Whoever asked may have gone; then nobody misses the answer.
                let _ = waiting.send(reply);
            }
        }));
    }

    /// At most one look is pending; a newer reason for one replaces it.
    fn look_after(&mut self, after: Duration, with_tree: bool, ctx: &mut Context<Self>) {
        if let Some(timer) = self.look_timer.take() {
            ctx.cancel_future(timer);
        }
        let timer = ctx.run_later(after, move |actor, ctx| {
            actor.look_timer = None;
            actor.look(with_tree, None, ctx);
        });
        self.look_timer = Some(timer);
    }

    fn look(
        &mut self,
        with_tree: bool,
        reply: Option<oneshot::Sender<View>>,
        ctx: &mut Context<Self>,
    ) {
        if !self.state.alive() {
            self.answer_look(reply);
            return;
        }
        let link = self.link.clone();
        let observe = async move {
            let request = Request::Observe { history_from: None, history_max: 0, with_tree };
            link.request(request, WORKER_REQUEST_MAX).await
        };
        ctx.spawn(observe.into_actor(self).map(move |result, actor, ctx| match result {
            Ok(Reply::Observed(wire)) => {
                let look = Look::new(&wire, clock::monotonic_ms());
                actor.take_in(look, reply, ctx);
            }
            Ok(other) => {
                tracing::warn!(?other, "an observation was answered with something else");
                actor.answer_look(reply);
            }
            Err(error) => {
                tracing::debug!(%error, "no observation");
                actor.answer_look(reply);
            }
        }));
    }

    fn answer_look(&self, reply: Option<oneshot::Sender<View>>) {
        if let Some(reply) = reply {
            let _ = reply.send(self.view.borrow().clone());
        }
    }

    /// A new picture: publish it, have it classified, decide when to look next.
    fn take_in(
        &mut self,
        look: Look,
        reply: Option<oneshot::Sender<View>>,
        ctx: &mut Context<Self>,
    ) {
        let question = Classify {
            observation: Arc::clone(&look.observation),
            allow_id: self.info.allow_id.clone(),
            stuck_after: self.info.stuck_after,
            hint_patterns: Arc::clone(&self.info.hint_texts),
        };
        self.view.send_modify(|view| {
            if look.clock.output_bytes != view.clock.output_bytes {
                view.last_activity_ms = clock::unix_ms();
            }
            view.clock = look.clock;
            view.clock_at_ms = look.at_ms;
            view.look = Some(look);
        });
        let answer = self.classifier.send(question);
        ctx.spawn(answer.into_actor(self).map(move |found, actor, ctx| {
            match found {
                Ok(found) => actor.classified(found, ctx),
                Err(error) => tracing::error!(%error, "the classifier does not answer"),
            }
            actor.answer_look(reply);
        }));
    }

    fn classified(&mut self, found: Classification, ctx: &mut Context<Self>) {
        let working = found.state == policy::State::Working;
        let unsettled = found.reason == policy::Reason::UnsettledOutput;
        let shared = Arc::new(found.clone());
        self.view.send_modify(|view| view.classification = Some(shared));
        self.apply(Event::Classified(Box::new(found)), ctx);
        if !self.state.alive() {
            return;
        }
        if unsettled {
            self.look_after(SETTLE, false, ctx);
            return;
        }
        self.unsettled_since_ms = None;
        if working {
            // A prompt can come without output, such as a reader that starts late, and a
            // program can hang: look again, ever more rarely.
            let quiet = Duration::from_millis(self.view.borrow().clock.unchanged_ms);
            let past_stuck = quiet + self.relook >= self.info.stuck_after;
            self.look_after(self.relook, past_stuck, ctx);
            self.relook = (self.relook * 2).min(RELOOK_MAX);
        } else if self.state.shown() == crate::session_types::SessionState::AwaitingInput {
            self.relook = RELOOK_FIRST;
        }
    }

    fn evict(&mut self, reason: EvictionReason, limit: Cap, ctx: &mut Context<Self>) {
        self.emit(Told::SessionEvicted { reason, limit, duration: self.info.age() });
        self.apply(Event::Kill(KillSignal::Term), ctx);
    }

    fn clock_moved(&mut self, moved: worker::protocol::WireClock, ctx: &mut Context<Self>) {
        let now = clock::monotonic_ms();
        let content = self.view.borrow().clock.content;
        self.view.send_modify(|view| {
            view.clock = moved;
            view.clock_at_ms = now;
            view.last_activity_ms = clock::unix_ms();
        });
        if moved.content == content {
            return;
        }
        self.relook = RELOOK_FIRST;
        let since = *self.unsettled_since_ms.get_or_insert(now);
        let worked_ms = u64::try_from(now - since).unwrap_or(0);
        if Duration::from_millis(worked_ms) >= WORKED_ON {
            self.apply(Event::WorkedOn, ctx);
        }
        self.apply(Event::Changed, ctx);
    }
}

/// The signal's number on Linux.
fn number(signal: KillSignal) -> i32 {
    use nix::sys::signal::Signal;
    match signal {
        KillSignal::Term => Signal::SIGTERM as i32,
        KillSignal::Int => Signal::SIGINT as i32,
        KillSignal::Hup => Signal::SIGHUP as i32,
        KillSignal::Kill => Signal::SIGKILL as i32,
    }
}

impl StreamHandler<Push> for SessionActor {
    fn handle(&mut self, push: Push, ctx: &mut Context<Self>) {
        match push {
            Push::Changed { clock } => self.clock_moved(clock, ctx),
            Push::Settled(wire) => {
                if let Some(timer) = self.look_timer.take() {
                    ctx.cancel_future(timer);
                }
                let look = Look::new(&wire, clock::monotonic_ms());
                self.take_in(look, None, ctx);
            }
            Push::Exited { exit, observation } => {
                let look = Look::new(&observation, clock::monotonic_ms());
                self.view.send_modify(|view| {
                    view.clock = look.clock;
                    view.look = Some(look);
                    view.last_activity_ms = clock::unix_ms();
                });
                self.apply(Event::ChildExited(exit_of(exit)), ctx);
            }
            // The start was awaited before this actor existed.
            Push::Started { .. } | Push::SpawnFailed { .. } => {}
            // Subscribers of raw output have a link of their own.
            Push::Output { .. } => {}
        }
    }

    fn finished(&mut self, ctx: &mut Context<Self>) {
        if !self.detached {
            self.apply(Event::WorkerGone, ctx);
        }
    }
}

impl Handler<InputSent> for SessionActor {
    type Result = ();

    fn handle(&mut self, message: InputSent, ctx: &mut Context<Self>) {
        self.view.send_modify(|view| {
            view.input_at_ms = Some(clock::monotonic_ms());
            view.last_activity_ms = clock::unix_ms();
            view.interactions += u64::from(message.counts);
        });
        self.apply(Event::InputSent, ctx);
        let interactions = self.view.borrow().interactions;
        if let Some(max) = self.info.interactions_max.filter(|max| interactions > *max) {
            let limit = Cap { name: "max_interactions", value: max, unit: "" };
            self.evict(EvictionReason::MaxInteractions, limit, ctx);
        }
    }
}

impl Handler<LookNow> for SessionActor {
    type Result = ();

    fn handle(&mut self, message: LookNow, ctx: &mut Context<Self>) {
        self.look(message.with_tree, message.reply, ctx);
    }
}

impl Handler<Kill> for SessionActor {
    type Result = ();

    fn handle(&mut self, message: Kill, ctx: &mut Context<Self>) {
        match self.state.admit_kill() {
            Admission::AlreadySo => {
                if let Some(reply) = message.reply {
                    let exit = self.view.borrow().exit;
                    let _ = reply.send(KillReply { exit, alive: false });
                }
            }
            Admission::Accept => {
                self.waiting_for_end.extend(message.reply);
                self.apply(Event::Kill(message.signal), ctx);
            }
        }
    }
}

impl Handler<Requested> for SessionActor {
    type Result = ();

    fn handle(&mut self, _: Requested, _: &mut Context<Self>) {
        self.view.send_modify(|view| view.requests += 1);
    }
}

impl Handler<Detach> for SessionActor {
    type Result = ();

    fn handle(&mut self, _: Detach, ctx: &mut Context<Self>) {
        self.detached = true;
        ctx.stop();
    }
}

/// From the reaper: a cap or the idle time is over.
#[derive(actix::Message)]
#[rtype(result = "()")]
pub struct Evict {
    pub reason: EvictionReason,
    pub limit: Cap,
}

impl Handler<Evict> for SessionActor {
    type Result = ();

    fn handle(&mut self, message: Evict, ctx: &mut Context<Self>) {
        if self.state.alive() {
            self.evict(message.reason, message.limit, ctx);
        }
    }
}
