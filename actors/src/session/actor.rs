//! Runs the machines of one session: messages and pushes in, effects out.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use actix::{
    Actor, ActorContext, Addr, AsyncContext, Context, Handler, SpawnHandle, StreamHandler,
};
use policy::Classification;
use tokio::sync::{mpsc, oneshot};
use worker::LinkSender;
use worker::protocol::{Push, WireClock};

use super::card::Card;
use super::inputs::Inputs;
use super::looking::Looks;
use super::machine::{Activity, Admission, Command, Effect, Event, LostReason, State};
use super::messages::{Call, Evict, Forget, Heartbeat};
use super::reading::Reading;
use super::seen::{self, Seen};
use super::sending::Sending;
use super::waiting::Waiting;
use crate::classifier::ClassifierActor;
use crate::clock;
use crate::error::{ConflictReason, Error};
use crate::guard::guarded;
use crate::limits::{KILL_HARD_MS, SESSION_INBOX};
use crate::records::Records;
use crate::session_types::KillReply;

pub(crate) struct SessionActor {
    // Links to others.
    pub(super) card: Arc<Card>,
    pub(super) records: Records,
    pub(super) classifier: Addr<ClassifierActor>,
    pub(super) link: Option<LinkSender>,
    // Own state.
    pub(super) state: State,
    pub(super) lost: Option<LostReason>,
    pub(super) seen: Seen,
    /// Newest word of the worker about time, and when it came.
    pub(super) clock: (WireClock, i64),
    /// Output came that no look has covered yet.
    pub(super) dirty: bool,
    pub(super) looks: Looks,
    pub(super) verdict: Option<Classification>,
    pub(super) since_unix_ms: i64,
    /// Inputs there had been when the state was last confirmed.
    pub(super) state_inputs: u64,
    pub(super) inputs: Inputs,
    pub(super) attention: super::looking::Attention,
    pub(super) sends: VecDeque<Sending>,
    pub(super) waits: BTreeMap<u64, Waiting>,
    pub(super) reads: Vec<Reading>,
    pub(super) kills: Vec<oneshot::Sender<Result<KillReply, Error>>>,
    pub(super) viewers: Vec<mpsc::Sender<Vec<u8>>>,
    /// The look after the end, with the lines that scrolled off.
    pub(super) final_look: Option<u64>,
    pub(super) release_wanted: bool,
    pub(super) released: bool,
    pub(super) next_id: u64,
    alarm: Option<(i64, SpawnHandle)>,
}

/// What a session begins with.
pub(crate) struct Begin {
    pub(crate) card: Arc<Card>,
    pub(crate) records: Records,
    pub(crate) classifier: Addr<ClassifierActor>,
    /// `None`: it is lost already.
    pub(crate) link: Option<worker::Link>,
    pub(crate) lost: Option<LostReason>,
    /// It ran before this service did.
    pub(crate) recovered: bool,
}

impl SessionActor {
    /// Starts the actor on the current arbiter. It lives until it is forgotten.
    pub(crate) fn begin(begin: Begin) -> Addr<Self> {
        Self::create(|ctx| {
            ctx.set_mailbox_capacity(SESSION_INBOX);
            let Begin { card, records, classifier, link, lost, recovered } = begin;
            let now = card.now();
            let seen = Seen::nothing(now.cols, now.rows);
            let requests = link.map(|link| {
                let mut pushes = link.pushes;
                ctx.add_stream(futures_util::stream::poll_fn(move |cx| pushes.poll_recv(cx)));
                link.requests
            });
            Self {
                card,
                records,
                classifier,
                link: requests,
                state: match lost {
                    Some(reason) => State::Lost { reason },
                    None if recovered => State::Running { activity: Activity::Working },
                    None => State::Created,
                },
                lost,
                clock: (seen.clock, clock::monotonic_ms()),
                seen,
                dirty: true,
                looks: Looks::default(),
                verdict: None,
                since_unix_ms: clock::unix_ms(),
                state_inputs: 0,
                inputs: Inputs::default(),
                attention: super::looking::Attention::default(),
                sends: VecDeque::new(),
                waits: BTreeMap::new(),
                reads: Vec::new(),
                kills: Vec::new(),
                viewers: Vec::new(),
                final_look: None,
                release_wanted: false,
                released: false,
                next_id: 0,
                alarm: None,
            }
        })
    }

    /// Does a piece of work; a panic in it ends this session and nothing else.
    pub(super) fn run(
        &mut self,
        ctx: &mut Context<Self>,
        work: impl FnOnce(&mut Self, &mut Context<Self>),
    ) {
        if guarded(|| work(self, ctx)).is_err() {
            tracing::error!(session = %self.card.id, "a step panicked; the session is given up");
            self.sends.clear();
            self.waits.clear();
            self.reads.clear();
            self.step(ctx, Event::Broken);
        }
        self.set_alarm(ctx);
    }

    pub(super) fn step(&mut self, ctx: &mut Context<Self>, event: Event) {
        let (next, effects) = self.state.step(event);
        self.state = next;
        if let State::Lost { reason } = next {
            self.lost = Some(reason);
        }
        if !effects.is_empty() {
            self.publish_state();
        }
        for effect in effects {
            match effect {
                Effect::Announce => self.announce(),
                Effect::Signal(signal) => self.signal(ctx, signal),
                Effect::KillAll => self.kill_all(ctx),
                Effect::SettleWaiters => self.settle_waiters(ctx),
                Effect::AnswerKills => self.answer_kills(),
                Effect::ReleaseWorker => self.release_worker(ctx),
            }
        }
    }

    /// May this be done now?
    pub(super) fn admit(&self, command: Command) -> Result<(), Error> {
        match self.state.admit(command) {
            Admission::Accept | Admission::AlreadySo => Ok(()),
            Admission::SessionExited => Err(exited()),
        }
    }

    pub(super) fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// One timer for everything that is due some time.
    fn set_alarm(&mut self, ctx: &mut Context<Self>) {
        let now = clock::monotonic_ms();
        let due = [self.ending_due(), self.sends_due(now), self.waits_due(now), self.relook_due()]
            .into_iter()
            .flatten()
            .min();
        if self.alarm.map(|(at, _)| at) == due {
            return;
        }
        if let Some((_, handle)) = self.alarm.take() {
            ctx.cancel_future(handle);
        }
        if let Some(due) = due {
            let delay = u64::try_from(due.saturating_sub(now).max(1)).unwrap_or(1);
            let handle = ctx.run_later(std::time::Duration::from_millis(delay), |this, ctx| {
                this.alarm = None;
                this.run(ctx, Self::on_alarm);
            });
            self.alarm = Some((due, handle));
        }
    }

    fn on_alarm(&mut self, ctx: &mut Context<Self>) {
        let now = clock::monotonic_ms();
        if self.ending_due().is_some_and(|at| now >= at) {
            self.step(ctx, Event::TimePassed { now_ms: now, hard_until_ms: now + KILL_HARD_MS });
        }
        self.sends_on_time(ctx, now);
        self.waits_on_time(ctx, now);
        self.relook_on_time(ctx, now);
    }

    fn ending_due(&self) -> Option<i64> {
        match self.state {
            State::Ending { until_ms, .. } if until_ms < i64::MAX => Some(until_ms),
            State::Ending { .. }
            | State::Created
            | State::Running { .. }
            | State::Exited { .. }
            | State::Lost { .. } => None,
        }
    }

    fn on_push(&mut self, push: Push, ctx: &mut Context<Self>) {
        let now = clock::monotonic_ms();
        match push {
            Push::Started { .. } => self.step(ctx, Event::Started),
            // The start was answered by whoever launched the worker.
            Push::SpawnFailed { .. } => self.step(ctx, Event::WorkerGone),
            Push::Changed { clock } => {
                self.clock = (clock, now);
                self.dirty = true;
                self.on_changed(ctx, now);
            }
            Push::Settled(observation) => {
                self.take(Seen::new(&observation, now), ctx);
            }
            Push::Exited { exit, observation } => {
                self.take(Seen::new(&observation, now), ctx);
                self.step(ctx, Event::Ended(seen::exit(exit)));
            }
            Push::Output { bytes, .. } => self.show_viewers(bytes),
        }
    }

    fn on_call(&mut self, call: Call, ctx: &mut Context<Self>) {
        if let Err(error) = self.count_request(&call) {
            call.refuse(error);
            return;
        }
        match call {
            Call::Read { caller, read, reply } => self.read(ctx, caller, read, reply),
            Call::SendText { caller, send, reply } => self.send_text(ctx, caller, send, reply),
            Call::SendKey { caller, send, reply } => self.send_key(ctx, caller, send, reply),
            Call::Wait { caller, wait, reply } => self.wait(ctx, caller, wait, reply),
            Call::Status { reply } => self.status(ctx, reply),
            Call::Resize { caller, cols, rows, reply } => {
                self.resize(ctx, caller, (cols, rows), reply);
            }
            Call::Kill { caller, signal, reply } => self.kill(ctx, caller, signal, reply),
            Call::Live { reply } => self.live(ctx, reply),
        }
    }

    fn count_request(&self, call: &Call) -> Result<(), Error> {
        if matches!(call, Call::Kill { .. }) {
            return Ok(());
        }
        let used = self.card.now().used.requests;
        if let Some(max) = self.card.entry.limits.requests_per_session_max
            && used >= max
        {
            return Err(Error::Conflict {
                reason: ConflictReason::Busy,
                detail: format!("the session's maxRequestsPerSession of {max} is used up"),
                hint: Some("kill this session and create a new one".to_owned()),
            });
        }
        self.card.update(|now| now.used.requests += 1);
        Ok(())
    }
}

pub(super) fn exited() -> Error {
    Error::Conflict {
        reason: ConflictReason::SessionExited,
        detail: "the session's program has ended".to_owned(),
        hint: Some(
            "read the last screen with terminal_session_read, or create a new session".to_owned(),
        ),
    }
}

impl Call {
    /// Whoever waits is told.
    pub(crate) fn refuse(self, error: Error) {
        // A caller that went away needs no answer.
        match self {
            Self::Read { reply, .. } => drop(reply.send(Err(error))),
            Self::SendText { reply, .. } | Self::SendKey { reply, .. } => {
                drop(reply.send(Err(error)));
            }
            Self::Wait { reply, .. } => drop(reply.send(Err(error))),
            Self::Status { reply } => drop(reply.send(Err(error))),
            Self::Resize { reply, .. } => drop(reply.send(Err(error))),
            Self::Kill { reply, .. } => drop(reply.send(Err(error))),
            Self::Live { reply } => drop(reply.send(Err(error))),
        }
    }
}

impl Actor for SessionActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        self.run(ctx, |this, ctx| {
            // The worker has told whoever launched it that the program runs.
            this.step(ctx, Event::Started);
            this.publish_state();
        });
    }
}

impl StreamHandler<Push> for SessionActor {
    fn handle(&mut self, push: Push, ctx: &mut Self::Context) {
        self.run(ctx, |this, ctx| this.on_push(push, ctx));
    }

    fn finished(&mut self, ctx: &mut Self::Context) {
        self.link = None;
        self.run(ctx, |this, ctx| this.step(ctx, Event::WorkerGone));
    }
}

impl Handler<Call> for SessionActor {
    type Result = ();

    fn handle(&mut self, call: Call, ctx: &mut Self::Context) {
        self.run(ctx, |this, ctx| this.on_call(call, ctx));
    }
}

impl Handler<Evict> for SessionActor {
    type Result = ();

    fn handle(&mut self, evict: Evict, ctx: &mut Self::Context) {
        self.run(ctx, |this, ctx| this.evict(ctx, evict));
    }
}

impl Handler<Heartbeat> for SessionActor {
    type Result = ();

    fn handle(&mut self, _: Heartbeat, ctx: &mut Self::Context) {
        self.run(ctx, |this, ctx| {
            if this.state.is_alive() {
                this.look(ctx, super::looking::Want { tree: true, ..Default::default() });
            }
        });
    }
}

impl Handler<Forget> for SessionActor {
    type Result = ();

    fn handle(&mut self, _: Forget, ctx: &mut Self::Context) {
        ctx.stop();
    }
}
