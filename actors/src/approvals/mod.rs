//! Approvals: an admin says yes or no before something happens.
//!
//! ```text
//!            approve
//! pending ─────────────▶ granted ──used──▶ (gone)
//!    │  │    deny
//!    │  └──────────────▶ denied
//!    └─ 10 min, restart ▶ expired
//! ```
//!
//! An approval is bound to the fingerprint of one exact request of one owner, and is for one
//! request. Whoever lost the connection and asks the same again takes over the pending
//! approval, or the grant that found nobody waiting, until it expires. A decision is stored
//! before anybody acts on it. After a restart everything pending is expired: whoever asked
//! has gone.

mod actor;
mod fingerprint;
mod machine;
mod messages;
mod states;
mod table;
#[cfg(test)]
mod tests;

use std::time::Duration;

use actix::{Actor, Addr, MailboxError, Message};
use tokio::sync::oneshot;

pub use fingerprint::{Fingerprint, fingerprint};
pub use machine::Decision;
pub use messages::{ApprovalInfo, ApprovalOutcome, ApprovalRequest};
pub(crate) use states::states;

use crate::audit::Audit;
use crate::caller::Caller;
use crate::events::Events;
use crate::store::{Store, StoreError};
use actor::ApprovalsActor;

/// How long an approval waits for a decision (contract).
pub const APPROVAL_TTL: Duration = Duration::from_secs(600);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApprovalError {
    #[error("there is no approval {id}")]
    NotFound { id: String },
    #[error("the approval is already {state}")]
    Resolved { state: &'static str },
    #[error("the approval is being decided by somebody else")]
    BeingDecided,
    #[error("only an admin decides")]
    NotAllowed,
    #[error("too many approvals are pending")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Handle to the approvals. Cheap to clone, usable from any thread.
#[derive(Clone)]
pub struct Approvals {
    actor: Addr<ApprovalsActor>,
}

impl Approvals {
    /// Expires what an earlier life left pending and starts the actor.
    ///
    /// # Errors
    /// The store refuses.
    pub async fn start(store: Store, events: Events, audit: Audit) -> Result<Self, StoreError> {
        Self::start_with(store, events, audit, APPROVAL_TTL).await
    }

    pub(crate) async fn start_with(
        store: Store,
        events: Events,
        audit: Audit,
        ttl: Duration,
    ) -> Result<Self, StoreError> {
        let actor = ApprovalsActor::recover(store, events, audit, ttl).await?;
        Ok(Self { actor: actor.start() })
    }

    /// Asks and waits for the decision, at most ten minutes. May be dropped at any time.
    ///
    /// # Errors
    /// The request could not be stored, or too many are pending.
    pub async fn ask(&self, request: ApprovalRequest) -> Result<ApprovalOutcome, ApprovalError> {
        self.answer(|reply| messages::Ask { request, reply }).await
    }

    /// What is pending, oldest first: an agent's own, or everything.
    ///
    /// # Errors
    /// The actor has stopped.
    pub async fn list(&self, caller: &Caller) -> Result<Vec<ApprovalInfo>, ApprovalError> {
        let list = messages::List { caller: caller.clone() };
        self.actor.send(list).await.map_err(|_: MailboxError| StoreError::Stopped.into())
    }

    /// Decides. Returns after the decision is stored.
    ///
    /// # Errors
    /// Not an admin, unknown, already decided, or not stored.
    pub async fn decide(
        &self,
        caller: &Caller,
        id: &str,
        decision: Decision,
        note: Option<String>,
    ) -> Result<(), ApprovalError> {
        let (caller, id) = (caller.clone(), id.to_owned());
        self.answer(|reply| messages::Decide { caller, id, decision, note, reply }).await
    }

    async fn answer<M, T>(
        &self,
        message: impl FnOnce(oneshot::Sender<Result<T, ApprovalError>>) -> M,
    ) -> Result<T, ApprovalError>
    where
        M: Message<Result = ()> + Send + 'static,
        ApprovalsActor: actix::Handler<M>,
    {
        let (reply, answer) = oneshot::channel();
        self.actor.send(message(reply)).await.map_err(|_: MailboxError| StoreError::Stopped)?;
        answer.await.unwrap_or(Err(StoreError::Stopped.into()))
    }
}
