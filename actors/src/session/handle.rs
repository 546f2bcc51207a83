//! A session as the rest of the system holds it: cheap to clone, usable from any thread.
//! Long calls (waits, sends) run in their caller's task and watch the published view, so the
//! actor's mailbox is never behind them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix::Addr;
use policy::SafeText;
use policy::outgoing::{self, Format, Selection, Wrap};
use tokio::sync::{OwnedMutexGuard, oneshot, watch};
use tokio::time::{Instant, timeout_at};
use worker::protocol::{Reply, Request};
use worker::{LinkError, LinkSender};

use super::actor::SessionActor;
use super::info::Info;
use super::marks::Marks;
use super::messages::{InputSent, Kill, LookNow, Requested};
use super::observe::Look;
use super::view::View;
use crate::clock;
use crate::error::{ConflictReason, Error};
use crate::events::{Emit, Event as Told};
use crate::session_limits::{KILL_WAIT_MAX, SCREEN_BYTES_MAX, WORKER_REQUEST_MAX};
use crate::records::Records;
use crate::session_types::{KillReply, KillSignal};

#[derive(Clone)]
pub struct Session {
    pub info: Arc<Info>,
    pub(super) actor: Addr<SessionActor>,
    pub(super) link: LinkSender,
    pub(super) view: watch::Receiver<View>,
    pub(super) records: Records,
    marks: Arc<Mutex<Marks>>,
    /// Sends take turns, in the order they came.
    turns: Arc<tokio::sync::Mutex<()>>,
}

impl Session {
    pub(super) fn new(
        info: Arc<Info>,
        actor: Addr<SessionActor>,
        link: LinkSender,
        view: watch::Receiver<View>,
        records: Records,
    ) -> Self {
        Self { info, actor, link, view, records, marks: Arc::default(), turns: Arc::default() }
    }

    pub(super) fn marks(&self) -> MutexGuard<'_, Marks> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known without asking anybody.
    #[must_use]
    pub fn view(&self) -> View {
        self.view.borrow().clone()
    }

    pub(super) fn emit(&self, event: Told) {
        self.records.events.emit(Emit {
            owner: Some(self.info.owner.clone()),
            session_id: Some(self.info.session_id.clone()),
            event,
        });
    }

    /// This caller's turn to write, or the conflict that others still write.
    pub(super) async fn turn(&self, deadline: Instant) -> Result<OwnedMutexGuard<()>, Error> {
        self.require_alive()?;
        let turn = timeout_at(deadline, Arc::clone(&self.turns).lock_owned()).await;
        let turn = turn.map_err(|_| Error::Conflict {
            reason: ConflictReason::Busy,
            detail: "another send to this session is still in progress".to_owned(),
            hint: Some("wait for it to end, then send again".to_owned()),
        })?;
        self.require_alive()?;
        Ok(turn)
    }

    pub(super) fn require_alive(&self) -> Result<(), Error> {
        if self.view.borrow().alive() { Ok(()) } else { Err(gone()) }
    }

    /// Tells the actor that bytes are on their way.
    pub(super) fn input_sent(&self, counts: bool) {
        if self.actor.try_send(InputSent { counts }).is_err() {
            tracing::warn!(session_id = self.info.session_id, "the session actor is overloaded");
        }
    }

    /// Counts a call, and refuses it once the entry's cap is reached; the session lives on.
    ///
    /// # Errors
    /// `maxRequestsPerSession` is used up.
    pub fn requested(&self) -> Result<(), Error> {
        let used = self.view.borrow().requests;
        if let Some(max) = self.info.requests_max.filter(|max| used >= *max) {
            return Err(Error::RateLimited {
                retry_after: std::time::Duration::from_secs(60),
                detail: format!("this session has used its {max} requests"),
            });
        }
        // A full mailbox under-counts by one; the call itself is what matters.
        let _ = self.actor.try_send(Requested);
        Ok(())
    }

    /// A fresh picture from the worker.
    pub(super) async fn observe(&self) -> Result<Look, LinkError> {
        self.observe_from(None, 0).await
    }

    pub(super) async fn observe_from(
        &self,
        history_from: Option<u64>,
        history_max: u32,
    ) -> Result<Look, LinkError> {
        let request = Request::Observe { history_from, history_max, with_tree: false };
        match self.link.request(request, WORKER_REQUEST_MAX).await? {
            Reply::Observed(wire) => Ok(Look::new(&wire, clock::monotonic_ms())),
            Reply::Written { .. }
            | Reply::Resized { .. }
            | Reply::Signalled { .. }
            | Reply::Subscribed { .. }
            | Reply::Done => Err(LinkError::Closed),
        }
    }

    /// The newest picture: the worker's while it lives, the last one afterwards.
    pub(super) async fn newest(&self, history: Option<u64>, max: u32) -> Result<Look, Error> {
        if self.view.borrow().alive() {
            match self.observe_from(history, max).await {
                Ok(look) => return Ok(look),
                Err(error) if self.view.borrow().alive() => return Err(link_error(&error)),
                Err(_) => {}
            }
        }
        self.view.borrow().look.clone().ok_or_else(gone)
    }

    /// Has the actor look and classify now.
    pub(super) async fn look_now(&self) -> Result<View, Error> {
        if !self.view.borrow().alive() {
            return Ok(self.view());
        }
        let (reply, answer) = oneshot::channel();
        let look = LookNow { with_tree: false, reply: Some(reply) };
        let sent = self.actor.send(look).await;
        sent.map_err(|_| Error::Internal { detail: "the session actor is gone".to_owned() })?;
        match tokio::time::timeout(WORKER_REQUEST_MAX * 2, answer).await {
            Ok(Ok(view)) => Ok(view),
            Ok(Err(_)) | Err(_) => Ok(self.view()),
        }
    }

    /// Ends everything the session started and returns when it is gone.
    ///
    /// # Errors
    /// It could not be ended in time.
    pub async fn kill(&self, signal: KillSignal) -> Result<KillReply, Error> {
        let (reply, answer) = oneshot::channel();
        let sent = self.actor.send(Kill { signal, reply: Some(reply) }).await;
        if sent.is_err() {
            return Ok(KillReply { exit: self.view.borrow().exit, alive: false });
        }
        match tokio::time::timeout(KILL_WAIT_MAX, answer).await {
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(_)) => Ok(KillReply { exit: self.view.borrow().exit, alive: false }),
            Err(_) => Ok(KillReply { exit: None, alive: true }),
        }
    }

    /// # Errors
    /// The session has ended, or the worker does not answer.
    pub async fn resize(&self, cols: u16, rows: u16) -> Result<(u16, u16), Error> {
        self.require_alive()?;
        match self.link.request(Request::Resize { cols, rows }, WORKER_REQUEST_MAX).await {
            Ok(Reply::Resized { cols, rows }) => Ok((cols, rows)),
            Ok(_) => Err(Error::Internal { detail: "unexpected answer to a resize".to_owned() }),
            Err(_) if !self.view.borrow().alive() => Err(gone()),
            Err(error) => Err(link_error(&error)),
        }
    }

    /// The viewport as it may leave, at the cap of `digest`.
    pub(super) fn screen(&self, look: &Look, wrap: Wrap) -> SafeText {
        self.marks().saw(look.frame());
        let selection = Selection { frame: look.frame(), history: &[], changed_since: None };
        self.outgoing(Format::Text, SCREEN_BYTES_MAX, wrap, |request| {
            outgoing::screen(selection, request)
        })
    }

    /// The one place where a request to `policy::outgoing` is put together.
    pub(super) fn outgoing(
        &self,
        format: Format,
        bytes_max: usize,
        wrap: Wrap,
        make: impl FnOnce(&outgoing::Request<'_>) -> SafeText,
    ) -> SafeText {
        let delimiter = crate::ids::random_hex(12);
        make(&outgoing::Request {
            format,
            bytes_max,
            redact: self.info.redact,
            wrap,
            allow_id: &self.info.allow_id,
            delimiter: &delimiter,
        })
    }
}

pub fn gone() -> Error {
    Error::Conflict {
        reason: ConflictReason::SessionExited,
        detail: "the program has ended".to_owned(),
        hint: Some("terminal_session_read shows its last screen and exit code".to_owned()),
    }
}

/// A link that fails while the session lives.
pub fn link_error(error: &LinkError) -> Error {
    match error {
        LinkError::Busy => Error::Conflict {
            reason: ConflictReason::Busy,
            detail: error.to_string(),
            hint: error.hint(),
        },
        LinkError::Refused(refusal)
            if refusal.kind == worker::protocol::RefusalKind::NotRunning =>
        {
            gone()
        }
        LinkError::Closed => Error::Conflict {
            reason: ConflictReason::SessionExited,
            detail: "the session's worker is gone".to_owned(),
            hint: Some("create a new session".to_owned()),
        },
        LinkError::Spawn(_)
        | LinkError::Failed { .. }
        | LinkError::Connect(_)
        | LinkError::Timeout
        | LinkError::Version { .. }
        | LinkError::WrongSession { .. }
        | LinkError::Protocol(_)
        | LinkError::Refused(_) => Error::Internal { detail: error.to_string() },
    }
}
