//! Resize, live view, kill, eviction, and what happens when the program has ended.

use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use tokio::sync::mpsc;
use worker::LinkError;
use worker::protocol::{Reply, Request};

use super::actor::SessionActor;
use super::looking::Want;
use super::machine::{Admission, Command, Event, State};
use super::messages::{Answer, Evict};
use crate::audit::{AuditAction, AuditEntry};
use crate::caller::Caller;
use crate::clock;
use crate::error::{ConflictReason, Error};
use crate::events::{Code, Event as Fact, SessionPhase};
use crate::limits::{
    ENDED_LINES_MAX, KILL_GRACE_MS, KILL_HARD_MS, REQUEST_MAX, VIEWER_QUEUE, VIEWERS_MAX,
};
use crate::session_types::{KillReply, KillSignal, LiveStream};

/// Colums and rows (contract).
const COLS: std::ops::RangeInclusive<u16> = 2..=500;
const ROWS: std::ops::RangeInclusive<u16> = 2..=200;

fn number(signal: KillSignal) -> i32 {
    match signal {
        KillSignal::Term => 15,
        KillSignal::Int => 2,
        KillSignal::Hup => 1,
        KillSignal::Kill => 9,
    }
}

/// Two to 500 columns and two to 200 rows.
pub(crate) fn check_size(cols: u16, rows: u16) -> Result<(), Error> {
    let invalid = |field: &str, range: &std::ops::RangeInclusive<u16>| Error::InvalidValue {
        field: field.to_owned(),
        detail: format!("must be {} to {}", range.start(), range.end()),
        hint: None,
    };
    if !COLS.contains(&cols) {
        Err(invalid("cols", &COLS))
    } else if !ROWS.contains(&rows) {
        Err(invalid("rows", &ROWS))
    } else {
        Ok(())
    }
}

impl SessionActor {
    pub(super) fn resize(
        &mut self,
        ctx: &mut Context<Self>,
        caller: Caller,
        (cols, rows): (u16, u16),
        reply: Answer<()>,
    ) {
        let allowed = check_size(cols, rows).and_then(|()| self.admit(Command::Resize));
        if let Err(error) = allowed {
            let _ = reply.send(Err(error));
            return;
        }
        let asked = self.ask(Request::Resize { cols, rows });
        ctx.spawn(asked.into_actor(self).map(move |result, this, ctx| {
            this.run(ctx, |this, ctx| {
                let answer = match result {
                    Ok(_) => {
                        this.card.update(|now| (now.cols, now.rows) = (cols, rows));
                        Ok(())
                    }
                    Err(error) => Err(this.link_error(&error)),
                };
                let outcome = if answer.is_ok() { "ok" } else { "failed" };
                this.records.audit.record(
                    AuditEntry::by(&caller, AuditAction::SessionResize, Code::of(outcome))
                        .session(&this.card.id)
                        .detail("cols", cols)
                        .detail("rows", rows),
                );
                let _ = reply.send(answer);
                this.look(ctx, Want::default());
            });
        }));
    }

    fn ask(&self, request: Request) -> impl Future<Output = Result<Reply, LinkError>> + 'static {
        let link = self.link.clone();
        async move {
            match link {
                Some(link) => link.request(request, REQUEST_MAX).await,
                None => Err(LinkError::Closed),
            }
        }
    }

    fn link_error(&self, error: &LinkError) -> Error {
        match error {
            LinkError::Refused(_) | LinkError::Closed => super::actor::exited(),
            LinkError::Busy => Error::Conflict {
                reason: ConflictReason::Busy,
                detail: error.to_string(),
                hint: error.hint(),
            },
            LinkError::Spawn(_)
            | LinkError::Failed { .. }
            | LinkError::Connect(_)
            | LinkError::Timeout
            | LinkError::Version { .. }
            | LinkError::WrongSession { .. }
            | LinkError::Protocol(_) => Error::Internal { detail: error.to_string() },
        }
    }

    pub(super) fn kill(
        &mut self,
        ctx: &mut Context<Self>,
        caller: Option<Caller>,
        signal: KillSignal,
        reply: Answer<KillReply>,
    ) {
        if self.state.admit(Command::Kill) == Admission::AlreadySo {
            let _ = reply.send(Ok(self.kill_reply()));
            return;
        }
        if let Some(caller) = &caller {
            self.records.audit.record(
                AuditEntry::by(caller, AuditAction::SessionKill, Code::of("ok"))
                    .session(&self.card.id)
                    .detail("signal", number(signal)),
            );
        }
        self.kills.push(reply);
        let now = clock::monotonic_ms();
        let patience = if signal == KillSignal::Kill { KILL_HARD_MS } else { KILL_GRACE_MS };
        let asked = Event::KillAsked { signal: number(signal), until_ms: now + patience };
        self.step(ctx, asked);
    }

    fn kill_reply(&self) -> KillReply {
        KillReply { exit: self.exit(), alive: self.state.is_alive() }
    }

    pub(super) fn answer_kills(&mut self) {
        let answer = self.kill_reply();
        for reply in self.kills.drain(..) {
            let _ = reply.send(Ok(answer));
        }
    }

    pub(super) fn signal(&mut self, ctx: &mut Context<Self>, signal: i32) {
        let asked = self.ask(Request::Signal { signal, whole_tree: false });
        ctx.spawn(asked.into_actor(self).map(|result, this, _| {
            if let Err(error) = result {
                tracing::debug!(session = %this.card.id, %error, "signal not sent");
            }
        }));
    }

    pub(super) fn kill_all(&mut self, ctx: &mut Context<Self>) {
        let asked = self.ask(Request::Signal { signal: 9, whole_tree: true });
        ctx.spawn(asked.into_actor(self).map(|result, this, ctx| {
            this.run(ctx, |this, ctx| match result {
                Ok(Reply::Signalled { alive: true, .. }) => {
                    tracing::error!(session = %this.card.id, "not everything could be killed");
                    this.answer_kills();
                }
                Ok(_) => this.step(ctx, Event::AllGone),
                Err(error) => {
                    tracing::debug!(session = %this.card.id, %error, "kill not confirmed");
                    if !this.state.is_alive() {
                        this.step(ctx, Event::AllGone);
                    }
                }
            });
        }));
    }

    /// A cap was reached: say which, and end.
    pub(super) fn evict(&mut self, ctx: &mut Context<Self>, evict: Evict) {
        if !self.state.is_alive() {
            return;
        }
        self.report_eviction(evict);
        let until_ms = clock::monotonic_ms() + KILL_GRACE_MS;
        self.step(ctx, Event::KillAsked { signal: 15, until_ms });
    }

    pub(super) fn report_eviction(&self, evict: Evict) {
        self.emit(Fact::SessionEvicted {
            reason: evict.reason,
            limit: evict.limit,
            duration: self.card.age(),
        });
        let mut entry = AuditEntry::by_service(AuditAction::SessionEvict, Code::of("ok"))
            .session(&self.card.id)
            .detail("limit", evict.limit.to_string());
        entry.owner = Some(self.card.owner.clone());
        self.records.audit.record(entry);
    }

    pub(super) fn announce(&self) {
        let (phase, exit_code, reason) = match self.state {
            State::Created => (SessionPhase::Created, None, None),
            State::Running { .. } | State::Ending { .. } => (SessionPhase::Running, None, None),
            State::Exited { exit: policy::Exit::Code(code) } => {
                (SessionPhase::Exited, Some(code), None)
            }
            State::Exited { exit: policy::Exit::Signal(signal) } => {
                (SessionPhase::Exited, None, Some(Code::clean(&format!("signal_{signal}"))))
            }
            State::Lost { reason } => (SessionPhase::Lost, None, Some(Code::of(reason.as_str()))),
        };
        self.emit(Fact::SessionState { phase, duration: self.card.age(), exit_code, reason });
    }

    /// The program has ended or is lost.
    pub(super) fn settle_waiters(&mut self, ctx: &mut Context<Self>) {
        self.end_sends(ctx);
        self.viewers.clear();
        self.inputs.draft = None;
        self.tell_end();
        if self.link.is_none() {
            self.answer_reads();
            self.finish_waits();
            self.forget_descriptor();
            return;
        }
        // One last look with the lines that scrolled off; then waits end, whatever it brings.
        let total = self.seen.frame.history_total;
        let want = Want {
            tree: false,
            history_from: Some(total.saturating_sub(u64::from(ENDED_LINES_MAX))),
            history_max: ENDED_LINES_MAX,
        };
        self.final_look = Some(self.look(ctx, want));
    }

    /// Whether the last look after the end has been had.
    pub(super) fn is_final(&self) -> bool {
        self.link.is_none() || self.final_look.is_some_and(|look| self.looks.done >= look)
    }

    /// After everything that was asked before: the worker may go.
    pub(super) fn release_worker(&mut self, ctx: &mut Context<Self>) {
        if self.link.is_none() || self.released {
            return;
        }
        if !self.is_final() {
            // `looked` comes back here.
            self.release_wanted = true;
            return;
        }
        self.released = true;
        let asked = self.ask(Request::Shutdown);
        ctx.spawn(asked.into_actor(self).map(|_, this, _| {
            this.link = None;
            this.forget_descriptor();
        }));
    }

    fn forget_descriptor(&self) {
        let (store, id) = (self.records.store.clone(), self.card.id.clone());
        actix_rt::spawn(async move {
            if let Err(error) = store.descriptor_remove(&id).await {
                tracing::warn!(session = id, %error, "descriptor not removed");
            }
        });
    }

    pub(super) fn live(&mut self, ctx: &mut Context<Self>, reply: Answer<LiveStream>) {
        let room = if self.viewers.len() < VIEWERS_MAX {
            Ok(())
        } else {
            let retry_after = Duration::from_secs(10);
            let detail = format!("{VIEWERS_MAX} viewers watch this session already");
            Err(Error::RateLimited { retry_after, detail })
        };
        if let Err(error) = self.admit(Command::Watch).and(room) {
            let _ = reply.send(Err(error));
            return;
        }
        let asked = self.ask(Request::SubscribeOutput { history_lines: 0 });
        ctx.spawn(asked.into_actor(self).map(|result, this, _| {
            let answer = match result {
                Ok(Reply::Subscribed { snapshot, cols, rows }) => {
                    // Output on its way to earlier viewers was dropped for the new snapshot.
                    this.show_viewers(snapshot.clone());
                    let (sender, output) = mpsc::channel(VIEWER_QUEUE);
                    this.viewers.push(sender);
                    Ok(LiveStream { snapshot, cols, rows, output })
                }
                Ok(_) => Err(Error::Internal { detail: "no snapshot".to_owned() }),
                Err(error) => Err(this.link_error(&error)),
            };
            let _ = reply.send(answer);
        }));
    }

    /// A viewer that does not keep up, or has gone, is dropped.
    pub(super) fn show_viewers(&mut self, bytes: Vec<u8>) {
        self.viewers.retain(|viewer| viewer.try_send(bytes.clone()).is_ok());
    }
}
