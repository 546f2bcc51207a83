//! Drives one send: effects of its machine become requests to the worker, answers become
//! events. It runs in the caller's task; when that is dropped, nothing more is written.

use std::time::Duration;

use policy::outgoing::Wrap;
use tokio::time::{Instant, timeout_at};
use worker::protocol::{Reply, Request};

use super::super::handle::{Session, gone};
use super::super::marks::Mark;
use super::super::observe::Look;
use super::super::view::View;
use super::machine::{Effect, Event, State};
use super::text::{Typed, prepare};
use crate::caller::Caller;
use crate::clock;
use crate::error::{ConflictReason, Error};
use crate::events::{Event as Told, KeystrokeKind};
use crate::session_limits::{
    KEYS_MAX, PASTE_ENTER_GAP, SETTLE_PATIENCE, WAIT_MAX, WORKER_REQUEST_MAX,
};
use crate::session_types::{OnDialog, SendKey, SendReply, SendText};

/// What one send is about to do, after all checks.
struct Send {
    bytes: Vec<u8>,
    enter: Option<Vec<u8>>,
    pasted: bool,
    settle: Duration,
    deadline: Instant,
}

/// Deadline of keys, which have none of their own (contract: as send_text's default).
const KEYS_TIMEOUT: Duration = Duration::from_secs(15);

impl Session {
    /// Types a text as one transaction.
    ///
    /// # Errors
    /// A dialog is open, the session has ended, or the text cannot be typed as asked; then
    /// nothing was written.
    pub async fn send_text(&self, caller: &Caller, ask: SendText) -> Result<SendReply, Error> {
        let deadline = clock::deadline(ask.timeout.min(WAIT_MAX));
        let _turn = self.turn(deadline).await?;
        let view = self.look_now().await?;
        refuse_dialog(&view, ask.on_dialog)?;
        let look = view.look.as_ref().ok_or_else(gone)?;
        let tty = look.observation.facts.tty;
        let canonical = tty.is_some_and(|tty| tty.canonical);
        let modes = look.frame().modes;
        let Typed { bytes, pasted } = prepare(&ask.text, ask.paste, &modes, canonical)?;
        let key = term::keys::parse("Enter")
            .map_err(|error| Error::Internal { detail: error.to_string() })?;
        let enter = ask.submit.then(|| term::keys::encode(&key, &modes, canonical));
        let send = Send { bytes, enter, pasted, settle: ask.settle, deadline };
        let echo = tty.is_none_or(|tty| tty.echo || !tty.canonical);
        self.marks().set(&caller.owner, Mark::before(look, echo.then_some(&ask.text)));
        let reply = self.transact(send, caller, ask.wrap).await?;
        self.told_keystroke(KeystrokeKind::Text, &reply);
        Ok(reply)
    }

    /// Presses keys; all are encoded before the first byte is written.
    ///
    /// # Errors
    /// An unknown key, or the session has ended; then nothing was written.
    pub async fn send_key(&self, caller: &Caller, ask: SendKey) -> Result<SendReply, Error> {
        let deadline = clock::deadline(KEYS_TIMEOUT);
        if ask.keys.is_empty() || ask.keys.len() > KEYS_MAX {
            return Err(Error::InvalidValue {
                field: "keys".to_owned(),
                detail: format!("{} keys; one call takes 1 to {KEYS_MAX}", ask.keys.len()),
                hint: None,
            });
        }
        let mut keys = Vec::with_capacity(ask.keys.len());
        for name in &ask.keys {
            let key = term::keys::parse(name).map_err(|error| Error::InvalidValue {
                field: "keys".to_owned(),
                detail: error.to_string(),
                hint: Some(error.hint()),
            })?;
            keys.push(key);
        }
        let _turn = self.turn(deadline).await?;
        let view = self.look_now().await?;
        let look = view.look.as_ref().ok_or_else(gone)?;
        let cooked = look.observation.facts.tty.is_some_and(|tty| tty.canonical && tty.signals);
        let modes = look.frame().modes;
        let bytes = keys.iter().flat_map(|key| term::keys::encode(key, &modes, cooked)).collect();
        let send = Send { bytes, enter: None, pasted: false, settle: ask.settle, deadline };
        self.marks().set(&caller.owner, Mark::before(look, None));
        let reply = self.transact(send, caller, ask.wrap).await?;
        self.told_keystroke(KeystrokeKind::Key, &reply);
        Ok(reply)
    }

    fn told_keystroke(&self, kind: KeystrokeKind, reply: &SendReply) {
        self.emit(Told::Keystroke {
            kind,
            byte_length: reply.bytes_written,
            redactions: 0,
            outcome: reply.outcome,
        });
    }

    async fn transact(&self, send: Send, caller: &Caller, wrap: Wrap) -> Result<SendReply, Error> {
        let (mut state, mut effect) =
            State::Checking { submit: send.enter.is_some() }.step(Event::MayType);
        let mut before_enter = None;
        let done = loop {
            if let State::Done(done) = state {
                break done;
            }
            let event = match effect {
                Some(Effect::WriteText) => self.write(&send.bytes, &send, true).await?,
                Some(Effect::AwaitSettle) => self.await_settle(&send).await?,
                Some(Effect::WriteEnter) => {
                    before_enter = self.observe().await.ok();
                    if let Some(look) = &before_enter {
                        self.marks().move_on(&caller.owner, look);
                    }
                    let enter = send.enter.clone().unwrap_or_default();
                    self.write(&enter, &send, false).await?
                }
                Some(Effect::AwaitChange) => {
                    self.await_change(&send, before_enter.as_ref()).await?
                }
                // Every state but the last asks for something; this ends a broken table.
                None => Event::Deadline,
            };
            (state, effect) = state.step(event);
        };
        let view = self.look_now().await?;
        let look = view.look.as_ref().ok_or_else(gone)?;
        Ok(SendReply {
            outcome: done.outcome,
            bytes_written: done.written,
            screen: self.screen(look, wrap),
            cursor: super::super::read::cursor_of(look.frame()),
            frame: look.frame().number,
            state: view.state,
            reason: view.reason(),
            hint: done.why.hint().map(str::to_owned),
        })
    }

    async fn write(&self, bytes: &[u8], send: &Send, counts: bool) -> Result<Event, Error> {
        if bytes.is_empty() {
            return Ok(Event::Written { bytes: 0, complete: true });
        }
        let left = send.deadline.saturating_duration_since(clock::now());
        let deadline_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX).max(1);
        self.input_sent(counts);
        let request = Request::Write { bytes: bytes.to_vec(), deadline_ms };
        match self.link.request(request, left + WORKER_REQUEST_MAX).await {
            Ok(Reply::Written { bytes_written, complete }) => {
                Ok(Event::Written { bytes: bytes_written, complete })
            }
            Ok(_) => Err(Error::Internal { detail: "unexpected answer to a write".to_owned() }),
            Err(error) => self.ended(error),
        }
    }

    /// Until the screen stands still for the window; a spinner's patience or the deadline
    /// ends it too.
    async fn await_settle(&self, send: &Send) -> Result<Event, Error> {
        let began = clock::now();
        let gap = if send.pasted && send.enter.is_some() { PASTE_ENTER_GAP } else { send.settle };
        let patience = (began + SETTLE_PATIENCE.max(send.settle * 2)).min(send.deadline);
        match timeout_at(patience, self.until_still(send.settle, gap)).await {
            Ok(event) => event,
            Err(_) if patience >= send.deadline => Ok(Event::Deadline),
            Err(_) => Ok(Event::Settled),
        }
    }

    async fn until_still(&self, window: Duration, at_least: Duration) -> Result<Event, Error> {
        let began = clock::now();
        loop {
            let look = match self.observe().await {
                Ok(look) => look,
                Err(error) => return self.ended(error),
            };
            if look.observation.facts.exit.is_some() {
                return Ok(Event::ChildGone);
            }
            let waited = clock::now().saturating_duration_since(began);
            let still = Duration::from_millis(look.clock.unchanged_ms);
            let missing = window.saturating_sub(still).max(at_least.saturating_sub(waited));
            if missing.is_zero() && !look.clock.synchronized_update {
                return Ok(Event::Settled);
            }
            tokio::time::sleep(missing.max(Duration::from_millis(5))).await;
        }
    }

    /// After Enter: a changed picture or tty mode, then stillness.
    async fn await_change(&self, send: &Send, before: Option<&Look>) -> Result<Event, Error> {
        let changed = match timeout_at(send.deadline, self.until_effect(before)).await {
            Ok(event) => event?,
            Err(_) => return Ok(Event::Deadline),
        };
        if let Event::Changed { .. } = changed {
            // The second settle; the effect itself is certain already.
            let patience = (clock::now() + SETTLE_PATIENCE).min(send.deadline);
            let still = timeout_at(patience, self.until_still(send.settle, Duration::ZERO));
            let _ = still.await;
        }
        Ok(changed)
    }

    async fn until_effect(&self, before: Option<&Look>) -> Result<Event, Error> {
        let mut seen = self.view.clone();
        loop {
            let look = match self.observe().await {
                Ok(look) => look,
                Err(error) => return self.ended(error),
            };
            if look.observation.facts.exit.is_some() {
                return Ok(Event::ChildGone);
            }
            if before.is_none_or(|before| had_effect(before, &look)) {
                return Ok(Event::Changed { queued: false });
            }
            // Level-triggered: a lost wake-up costs one interval, never the answer.
            let _ = tokio::time::timeout(EFFECT_POLL, seen.changed()).await;
        }
    }

    /// A worker that is gone because its program ended is no error of the send.
    fn ended(&self, error: worker::LinkError) -> Result<Event, Error> {
        if self.view.borrow().alive() {
            return Err(super::super::handle::link_error(&error));
        }
        Ok(Event::ChildGone)
    }
}

/// How often the effect of Enter is looked for when no output tells.
const EFFECT_POLL: Duration = Duration::from_millis(50);

/// Whether Enter changed anything a person could see, or the tty's mode. An echo is no effect
/// as long as the program has not read what was echoed.
fn had_effect(before: &Look, now: &Look) -> bool {
    let (was, is) = (&before.observation.facts, &now.observation.facts);
    let changed = now.clock.frame != before.clock.frame || was.tty != is.tty;
    changed && now.unread_input != Some(true)
}

fn refuse_dialog(view: &View, wish: OnDialog) -> Result<(), Error> {
    let kind = view.classification.as_ref().and_then(|found| found.kind);
    match (wish, kind) {
        (OnDialog::Refuse, Some(kind)) if kind.is_dialog() => Err(Error::Conflict {
            reason: ConflictReason::DialogOpen,
            detail: format!("the program shows a {} dialog", kind.as_str()),
            hint: Some(
                "answer it with terminal_session_send_key, or pass onDialog: send".to_owned(),
            ),
        }),
        (OnDialog::Refuse | OnDialog::Send, Some(_) | None) => Ok(()),
    }
}
