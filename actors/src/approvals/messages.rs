//! Everything the approvals actor accepts, and what it answers.

use actix::Message;
use serde_json::Value;
use tokio::sync::oneshot;

use super::ApprovalError;
use super::fingerprint::Fingerprint;
use super::machine::Decision;
use crate::caller::{Caller, Owner};
use crate::events::Code;

/// What is to be approved.
#[derive(Debug, Clone)]
pub struct ApprovalRequest {
    pub owner: Owner,
    pub session_id: Option<String>,
    /// `create` …
    pub kind: Code,
    pub fingerprint: Fingerprint,
    /// Redacted; shown to the admin.
    pub summary: Value,
}

/// What whoever asked is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalOutcome {
    Granted,
    Denied {
        note: Option<String>,
    },
    /// Nobody decided in time.
    Expired,
}

/// A pending approval as an admin sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalInfo {
    /// `ap_<hex>`
    pub id: String,
    pub kind: String,
    pub owner: Owner,
    pub session_id: Option<String>,
    pub summary: Value,
    /// Hex.
    pub fingerprint: String,
    /// RFC 3339, UTC.
    pub requested_at: String,
    pub expires_at: String,
}

/// From whoever must not go on without. Answered when decided or expired.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Ask {
    pub(super) request: ApprovalRequest,
    pub(super) reply: oneshot::Sender<Result<ApprovalOutcome, ApprovalError>>,
}

/// From an admin. Answered after the decision is stored.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Decide {
    pub(super) caller: Caller,
    pub(super) id: String,
    pub(super) decision: Decision,
    pub(super) note: Option<String>,
    pub(super) reply: oneshot::Sender<Result<(), ApprovalError>>,
}

/// From anybody: what is pending that this caller may see.
#[derive(Message)]
#[rtype(result = "Vec<ApprovalInfo>")]
pub(super) struct List {
    pub(super) caller: Caller,
}
