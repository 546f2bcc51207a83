//! Everything the calls actor accepts, and what it answers.

use std::time::Duration;

use actix::{Addr, Message};
use tokio::sync::oneshot;

use super::actor::CallsActor;
use super::ticket::CallTicket;
use crate::caller::Caller;
use crate::store::StoreError;

/// The header and what it was sent with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    pub key: String,
    pub body_sha256: [u8; 32],
}

/// A response as it went over the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    pub status: u16,
    pub content_type: String,
    pub body: Vec<u8>,
}

/// What to do with a request.
#[derive(Debug)]
pub enum CallStart {
    /// Run the tool; end with `Calls::finish`. Dropping the ticket abandons the call.
    Fresh(CallTicket),
    /// Answered before: the same bytes again.
    Replay(StoredResponse),
    /// The first request with this key still runs; here is its handle.
    Pending { handle: String, tool: String },
}

/// What a handle stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallState {
    Pending { tool: String, elapsed: Duration },
    Finished(StoredResponse),
}

/// What became of handing a call out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOut {
    /// Collectable from now on.
    Pending,
    /// It finished at this moment: the response is with whoever ran the tool.
    Finished,
}

/// Why a call cannot be begun, handed out, finished or collected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    #[error("this Idempotency-Key was used for a different request")]
    KeyReused,
    #[error("the call was interrupted; its outcome is unknown")]
    Interrupted,
    #[error("too many requests wait for the same call")]
    Busy,
    #[error("too many calls are open or remembered")]
    TooMany,
    #[error("there is no such call")]
    NotFound,
    #[error("the response has {bytes} bytes, more than can be kept")]
    TooLarge { bytes: usize },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CallError {
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::KeyReused => Some("use a new key for every new request"),
            Self::Interrupted => Some(
                "it may or may not have taken effect: look at the session (read, status), then \
                 send again with a new Idempotency-Key if it is needed",
            ),
            Self::Busy => Some("wait for the first request with this key to finish"),
            Self::TooMany => Some("finish or collect open calls, then try again"),
            Self::NotFound => Some("a result is kept for an hour after the call finished"),
            Self::TooLarge { .. } => Some("ask for less at once"),
            Self::Store(error) => error.hint(),
        }
    }
}

/// A second request with a key whose first one still runs.
pub(super) struct Join {
    pub(super) handle: String,
    pub(super) tool: String,
    pub(super) outcome: oneshot::Receiver<Outcome>,
}

pub(super) type Outcome = Result<StoredResponse, CallError>;

/// What a request with a key is told.
pub(super) enum Claim {
    Start(CallStart),
    Join(Join),
}

/// From `api`, before a tool runs.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Begin {
    pub(super) caller: Caller,
    pub(super) tool: String,
    pub(super) key: Option<IdempotencyKey>,
    /// For the ticket, which reports back.
    pub(super) actor: Addr<CallsActor>,
    pub(super) reply: oneshot::Sender<Result<Claim, CallError>>,
}

/// From `api`, when `Prefer: wait` ran out.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct HandOutCall {
    pub(super) handle: String,
    pub(super) reply: oneshot::Sender<Result<HandOut, CallError>>,
}

/// From `api`, with the tool's response.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Finish {
    pub(super) handle: String,
    pub(super) response: StoredResponse,
    pub(super) reply: oneshot::Sender<Result<(), CallError>>,
}

/// From a ticket that was dropped unfinished.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Abandon {
    pub(super) handle: String,
}

/// From a client that has a handle.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Collect {
    pub(super) caller: Caller,
    pub(super) handle: String,
    pub(super) reply: oneshot::Sender<Result<Collected, CallError>>,
}

/// What is known of a call at the moment.
pub(super) enum Collected {
    Finished(StoredResponse),
    Running { tool: String, elapsed: Duration, outcome: oneshot::Receiver<Outcome> },
}
