//! The nine terminal tools. Ownership is checked here once, for all of them: somebody else's
//! session is a missing one.

use super::System;
use crate::caller::Caller;
use crate::error::Error;
use crate::session_types::{
    Create, Created, KillReply, KillSignal, LiveStream, Read, ReadReply, SendKey, SendReply,
    SendText, StatusReply, Summary, Wait, WaitReply,
};

fn not_yet() -> Error {
    Error::Internal { detail: "not built yet".to_owned() }
}

impl System {
    /// Starts a program; returns when it runs in its jail.
    ///
    /// # Errors
    /// Not allowed, no room, not approved, or it did not start.
    pub async fn create(&self, _caller: &Caller, _create: Create) -> Result<Created, Error> {
        Err(not_yet())
    }

    /// The sessions this caller may see, oldest first.
    ///
    /// # Errors
    /// The service is stopping.
    pub async fn list(&self, _caller: &Caller) -> Result<Vec<Summary>, Error> {
        Ok(Vec::new())
    }

    /// The screen as it is.
    ///
    /// # Errors
    /// No such session of this caller.
    pub async fn read(&self, _: &Caller, _id: &str, _read: Read) -> Result<ReadReply, Error> {
        Err(not_yet())
    }

    /// # Errors
    /// Refused (a dialog is open, the session has ended …), or not writable.
    pub async fn send_text(
        &self,
        _caller: &Caller,
        _id: &str,
        _send: SendText,
    ) -> Result<SendReply, Error> {
        Err(not_yet())
    }

    /// # Errors
    /// An unknown key; the session has ended.
    pub async fn send_key(
        &self,
        _caller: &Caller,
        _id: &str,
        _send: SendKey,
    ) -> Result<SendReply, Error> {
        Err(not_yet())
    }

    /// # Errors
    /// An impossible condition; no such session.
    pub async fn wait(&self, _: &Caller, _id: &str, _wait: Wait) -> Result<WaitReply, Error> {
        Err(not_yet())
    }

    /// # Errors
    /// No such session of this caller.
    pub async fn status(&self, _caller: &Caller, _id: &str) -> Result<StatusReply, Error> {
        Err(not_yet())
    }

    /// # Errors
    /// The session has ended; a size that cannot be.
    pub async fn resize(&self, _: &Caller, _id: &str, _c: u16, _r: u16) -> Result<(), Error> {
        Err(not_yet())
    }

    /// Ends everything the session started and returns when it is gone.
    ///
    /// # Errors
    /// No such session of this caller.
    pub async fn kill(&self, _: &Caller, _id: &str, _s: KillSignal) -> Result<KillReply, Error> {
        Err(not_yet())
    }

    /// A snapshot and the output from exactly there.
    ///
    /// # Errors
    /// The session has ended; no such session.
    pub async fn live(&self, _caller: &Caller, _id: &str) -> Result<LiveStream, Error> {
        Err(not_yet())
    }
}
