//! Calls that outlive their request: `Prefer: wait` and `Idempotency-Key`.
//!
//! ```text
//!            handed out              finished
//! running ─────────────▶ pending ───────────────▶ finished ──kept 1 h (24 h with a key)──▶ gone
//!    │ └───────────────── finished ─────────────────▲
//!    └─ abandoned (connection gone, restart) ───────────▶ gone, "interrupted" when it had a key
//! ```
//!
//! The invariant that counts: **a key executes at most once.** It is on disk as running before
//! the tool starts; a second request with it waits for the first, gets its stored answer byte
//! for byte, or is told that the outcome is unknown. It never runs again.
//!
//! A call without a key that is never handed out touches neither disk nor another's memory.
//! What it does not do: run tools, or know what a status code means.

mod actor;
mod handlers;
mod machine;
mod messages;
mod rows;
mod states;
#[cfg(test)]
mod tests;
mod ticket;

use std::time::Duration;

use actix::{Actor, Addr, Message};
use tokio::sync::oneshot;

pub use messages::{CallError, CallStart, CallState, HandOut, IdempotencyKey, StoredResponse};
pub(crate) use states::states;
pub use ticket::CallTicket;

use crate::caller::Caller;
use crate::events::Events;
use crate::store::{Store, StoreError};
use actor::CallsActor;
use messages::{Begin, Claim, Collect, Collected, HandOutCall};

/// Longest `wait` of a collect (contract).
pub const COLLECT_WAIT_MAX: Duration = Duration::from_secs(45);
/// Longest wait of a duplicate for the first request: a bit more than the longest tool call,
/// `terminal_session_wait` with 10 minutes.
const JOIN_WAIT_MAX: Duration = Duration::from_secs(660);

/// Handle to the calls. Cheap to clone, usable from any thread.
#[derive(Clone)]
pub struct Calls {
    actor: Addr<CallsActor>,
}

impl Calls {
    /// Marks what an earlier life left unfinished as interrupted and starts the actor.
    ///
    /// # Errors
    /// The store refuses.
    pub async fn start(store: Store, events: Events) -> Result<Self, StoreError> {
        let actor = CallsActor::recover(store, events).await?;
        Ok(Self { actor: actor.start() })
    }

    /// Announces a tool call. With a key this returns only after the key is on disk.
    ///
    /// `join_wait` says how long a duplicate waits for the first request before it is handed
    /// the handle instead; `None`: until the longest tool call must be over.
    ///
    /// # Errors
    /// The key was used for something else, its outcome is unknown, or it cannot be stored.
    pub async fn begin(
        &self,
        caller: &Caller,
        tool: &str,
        key: Option<IdempotencyKey>,
        join_wait: Option<Duration>,
    ) -> Result<CallStart, CallError> {
        let (caller_of, tool) = (caller.clone(), tool.to_owned());
        let actor = self.actor.clone();
        let claim =
            self.answer(|reply| Begin { caller: caller_of, tool, key, actor, reply }).await?;
        let join = match claim {
            Claim::Start(start) => return Ok(start),
            Claim::Join(join) => join,
        };
        let patience = join_wait.unwrap_or(JOIN_WAIT_MAX).min(JOIN_WAIT_MAX);
        match tokio::time::timeout(patience, join.outcome).await {
            Ok(Ok(outcome)) => Ok(CallStart::Replay(outcome?)),
            // The first request ended without an outcome.
            Ok(Err(_)) => Err(CallError::Interrupted),
            Err(_) => match self.hand_out(&join.handle).await? {
                HandOut::Pending => Ok(CallStart::Pending { handle: join.handle, tool: join.tool }),
                // It finished while the patience ended.
                HandOut::Finished => {
                    match self.collect(caller, &join.handle, Duration::ZERO).await? {
                        CallState::Finished(response) => Ok(CallStart::Replay(response)),
                        CallState::Pending { .. } => Err(CallError::Busy),
                    }
                }
            },
        }
    }

    /// From now on the call can be collected by its handle; call it when `Prefer` ran out.
    ///
    /// # Errors
    /// That could not be stored; the caller should wait for the call instead.
    pub async fn hand_out(&self, handle: &str) -> Result<HandOut, CallError> {
        let handle = handle.to_owned();
        self.answer(|reply| HandOutCall { handle, reply }).await
    }

    /// Stores the outcome and wakes whoever waits for it. Whatever this returns, the response
    /// is true and may be given to the client.
    ///
    /// # Errors
    /// It is only in memory: after a restart it is unknown.
    pub async fn finish(
        &self,
        ticket: CallTicket,
        response: StoredResponse,
    ) -> Result<(), CallError> {
        let handle = ticket.spend();
        self.answer(|reply| messages::Finish { handle, response, reply }).await
    }

    /// The outcome of a handed-out call, or that it still runs. Waits at most 45 seconds.
    ///
    /// # Errors
    /// No such call of this caller, or its outcome is unknown.
    pub async fn collect(
        &self,
        caller: &Caller,
        handle: &str,
        wait: Duration,
    ) -> Result<CallState, CallError> {
        let (seen_by, wanted) = (caller.clone(), handle.to_owned());
        let collected =
            self.answer(|reply| Collect { caller: seen_by, handle: wanted, reply }).await?;
        let (tool, elapsed, outcome) = match collected {
            Collected::Finished(response) => return Ok(CallState::Finished(response)),
            Collected::Running { tool, elapsed, outcome } => (tool, elapsed, outcome),
        };
        let wait = wait.min(COLLECT_WAIT_MAX);
        match tokio::time::timeout(wait, outcome).await {
            Ok(Ok(outcome)) => Ok(CallState::Finished(outcome?)),
            Ok(Err(_)) => Err(CallError::Interrupted),
            Err(_) => Ok(CallState::Pending { tool, elapsed: elapsed + wait }),
        }
    }

    async fn answer<M, T>(
        &self,
        message: impl FnOnce(oneshot::Sender<Result<T, CallError>>) -> M,
    ) -> Result<T, CallError>
    where
        M: Message<Result = ()> + Send + 'static,
        CallsActor: actix::Handler<M>,
    {
        let (reply, answer) = oneshot::channel();
        self.actor.send(message(reply)).await.map_err(|_| StoreError::Stopped)?;
        answer.await.unwrap_or(Err(StoreError::Stopped.into()))
    }
}
