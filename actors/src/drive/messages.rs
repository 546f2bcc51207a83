//! Everything the drives actor accepts, and what it answers.

use std::sync::Arc;

use actix::Message;
use policy::SafeText;

use crate::caller::{Caller, Owner};
use crate::events::StoredEvent;
use crate::journal::Journal;
use crate::settings::DriveSettings;

/// The session of a drive.
#[derive(Debug, Clone)]
pub struct Subject {
    pub session_id: String,
    pub allow_id: String,
    pub owner: Owner,
    pub settings: DriveSettings,
}

/// A drive as its owner sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct DriveInfo {
    pub session_id: String,
    pub owner: Owner,
    /// `working`, `parked`, `re-attaching`, `done`, `failed`.
    pub state: &'static str,
    /// RFC 3339, UTC.
    pub promoted_at: String,
    pub cost_usd: f64,
}

/// Why nothing can be said about a drive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    #[error("there is no such drive")]
    NotFound,
    #[error("the amount must be a number from 0 on")]
    NotAnAmount,
}

/// From the facade, after an owner's text was delivered.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Sent {
    pub(super) subject: Subject,
    pub(super) objective: SafeText,
}

/// From the facade, after an owner's wait came back.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Waited {
    pub(super) session_id: String,
    pub(super) complete: bool,
    pub(super) producing: bool,
    pub(super) matched_own: bool,
}

/// From the event log: what a session did.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Happened {
    pub(super) event: Arc<StoredEvent>,
}

/// From the start of the service: which sessions were found alive.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Recovered {
    pub(super) alive: Vec<String>,
}

/// From the facade: the promoted drives of a caller.
#[derive(Message)]
#[rtype(result = "Vec<DriveInfo>")]
pub(super) struct List {
    pub(super) caller: Caller,
}

/// From the facade: a drive's journal.
#[derive(Message)]
#[rtype(result = "Result<Journal, DriveError>")]
pub(super) struct ReadJournal {
    pub(super) caller: Caller,
    pub(super) session_id: String,
}

/// From the facade: money was spent. Answers with the total.
#[derive(Message)]
#[rtype(result = "Result<f64, DriveError>")]
pub(super) struct Spent {
    pub(super) caller: Caller,
    pub(super) session_id: String,
    pub(super) usd: f64,
}
