//! The nine terminal tools. Ownership is checked here once, for all of them: somebody else's
//! session is a missing one.

use tokio::sync::oneshot;

use super::{Readiness, System};
use crate::caller::{Caller, Role};
use crate::drive::DriveInfo;
use crate::error::{ConflictReason, Error};
use crate::registry::{All, CreateSession, Find, Known};
use crate::session::Call;
use crate::session_types::{
    Create, Created, DriveSummary, KillReply, KillSignal, LiveStream, Read, ReadReply, SendKey,
    SendReply, SendText, StatusReply, Summary, Wait, WaitReply,
};

type Answered<T> = oneshot::Receiver<Result<T, Error>>;

impl System {
    /// Starts a program; returns when it runs in its jail.
    ///
    /// # Errors
    /// Not allowed, no room, not approved, or it did not start.
    pub async fn create(&self, caller: &Caller, create: Create) -> Result<Created, Error> {
        self.check_ready()?;
        may_change(caller)?;
        let (reply, answered) = oneshot::channel();
        let (caller, settings) = (caller.clone(), self.settings());
        self.inner
            .registry
            .try_send(CreateSession { caller, create, settings, reply })
            .map_err(|_| busy())?;
        answered.await.unwrap_or_else(|_| Err(stopping()))
    }

    /// The sessions this caller may see, oldest first.
    ///
    /// # Errors
    /// The service is stopping.
    pub async fn list(&self, caller: &Caller) -> Result<Vec<Summary>, Error> {
        let all = self.inner.registry.send(All).await.map_err(|_| stopping())?;
        let seen = all.iter().filter(|known| caller.may_see(&known.card.owner));
        let mut summaries: Vec<Summary> = seen.map(|known| known.card.summary()).collect();
        let drives = self.drives(caller).await;
        summaries.iter_mut().for_each(|summary| summary.drive = drive_of(&drives, summary));
        Ok(summaries)
    }

    /// The screen as it is.
    ///
    /// # Errors
    /// No such session of this caller.
    pub async fn read(&self, caller: &Caller, id: &str, read: Read) -> Result<ReadReply, Error> {
        let by = caller.clone();
        self.call(caller, id, |reply| Call::Read { caller: by, read, reply }).await
    }

    /// # Errors
    /// Refused (a dialog is open, the session has ended …), or not writable.
    pub async fn send_text(
        &self,
        caller: &Caller,
        id: &str,
        send: SendText,
    ) -> Result<SendReply, Error> {
        may_change(caller)?;
        let (by, text) = (caller.clone(), send.text.clone());
        let subject = self.subject(caller, id).await;
        let sent = self.call(caller, id, |reply| Call::SendText { caller: by, send, reply });
        let sent = sent.await?;
        self.tasked(subject, &text, &sent).await;
        Ok(sent)
    }

    /// # Errors
    /// An unknown key; the session has ended.
    pub async fn send_key(
        &self,
        caller: &Caller,
        id: &str,
        send: SendKey,
    ) -> Result<SendReply, Error> {
        may_change(caller)?;
        let by = caller.clone();
        self.call(caller, id, |reply| Call::SendKey { caller: by, send, reply }).await
    }

    /// # Errors
    /// An impossible condition; no such session.
    pub async fn wait(&self, caller: &Caller, id: &str, wait: Wait) -> Result<WaitReply, Error> {
        let by = caller.clone();
        let waited = self.call(caller, id, |reply| Call::Wait { caller: by, wait, reply });
        let waited = waited.await?;
        self.waited(caller, id, &waited).await;
        Ok(waited)
    }

    /// # Errors
    /// No such session of this caller.
    pub async fn status(&self, caller: &Caller, id: &str) -> Result<StatusReply, Error> {
        let mut status = self.call(caller, id, |reply| Call::Status { reply }).await?;
        status.session.drive = drive_of(&self.drives(caller).await, &status.session);
        Ok(status)
    }

    /// # Errors
    /// The session has ended; a size that cannot be.
    pub async fn resize(
        &self,
        caller: &Caller,
        id: &str,
        cols: u16,
        rows: u16,
    ) -> Result<(), Error> {
        may_change(caller)?;
        let by = caller.clone();
        self.call(caller, id, |reply| Call::Resize { caller: by, cols, rows, reply }).await
    }

    /// Ends everything the session started and returns when it is gone.
    ///
    /// # Errors
    /// No such session of this caller.
    pub async fn kill(
        &self,
        caller: &Caller,
        id: &str,
        signal: KillSignal,
    ) -> Result<KillReply, Error> {
        may_change(caller)?;
        let by = Some(caller.clone());
        self.call(caller, id, |reply| Call::Kill { caller: by, signal, reply }).await
    }

    /// A snapshot and the output from exactly there.
    ///
    /// # Errors
    /// The session has ended; no such session.
    pub async fn live(&self, caller: &Caller, id: &str) -> Result<LiveStream, Error> {
        self.call(caller, id, |reply| Call::Live { reply }).await
    }

    pub(super) async fn find(&self, caller: &Caller, id: &str) -> Result<Known, Error> {
        let find = Find { caller: caller.clone(), session_id: id.to_owned() };
        let found = self.inner.registry.send(find).await.map_err(|_| stopping())?;
        found.ok_or_else(|| match self.readiness() {
            // It may be one that is not found again yet.
            Readiness::Booting | Readiness::Recovering => Error::Recovering,
            Readiness::Ready | Readiness::Draining | Readiness::Stopped => {
                Error::NotFound { what: "there is no such session".to_owned() }
            }
        })
    }

    async fn call<T>(
        &self,
        caller: &Caller,
        id: &str,
        call: impl FnOnce(oneshot::Sender<Result<T, Error>>) -> Call,
    ) -> Result<T, Error> {
        let known = self.find(caller, id).await?;
        let (reply, answered): (_, Answered<T>) = oneshot::channel();
        known.actor.try_send(call(reply)).map_err(|_| busy())?;
        answered.await.unwrap_or_else(|_| match self.readiness() {
            // The session is let go, not gone.
            Readiness::Draining | Readiness::Stopped => Err(stopping()),
            Readiness::Booting | Readiness::Recovering | Readiness::Ready => {
                Err(Error::NotFound { what: "the session was forgotten meanwhile".to_owned() })
            }
        })
    }

    fn check_ready(&self) -> Result<(), Error> {
        match self.readiness() {
            Readiness::Ready => Ok(()),
            Readiness::Booting | Readiness::Recovering => Err(Error::Recovering),
            Readiness::Draining | Readiness::Stopped => Err(stopping()),
        }
    }
}

fn drive_of(drives: &[DriveInfo], session: &Summary) -> Option<DriveSummary> {
    let drive = drives.iter().find(|drive| drive.session_id == session.session_id)?;
    Some(DriveSummary {
        state: drive.state,
        promoted_at: Some(drive.promoted_at.clone()),
        cost_usd: drive.cost_usd,
    })
}

fn may_change(caller: &Caller) -> Result<(), Error> {
    match caller.role {
        Role::Agent | Role::Admin => Ok(()),
        Role::Viewer => Err(Error::PermissionDenied {
            reason: "role",
            detail: "a viewer reads everything and changes nothing".to_owned(),
            hint: Some("use an agent or admin token".to_owned()),
        }),
    }
}

fn busy() -> Error {
    Error::Conflict {
        reason: ConflictReason::Busy,
        detail: "too many calls wait for this already".to_owned(),
        hint: Some("let earlier calls end and try again".to_owned()),
    }
}

fn stopping() -> Error {
    Error::Conflict {
        reason: ConflictReason::Busy,
        detail: "the service is stopping".to_owned(),
        hint: Some("try again when it has started again".to_owned()),
    }
}
