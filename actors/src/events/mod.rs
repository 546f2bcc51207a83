//! The event log: everything that happened, stored first, then sent.
//!
//! ```text
//! actors ──emit──▶ LogActor ──batch──▶ Store        subscriber streams
//!                     ▲                  │ committed    ▲   ▲
//!                     └──────────────────┘──────────────┘   │
//!                                        Store ──pages──────┘ (replay)
//! ```
//!
//! The log owns the order: ids rise by the commit, for the whole service and across restarts.
//! While one batch is on its way to the disk the next one gathers, so the disk's own speed
//! sets the size of a batch and no timer adds to the delay.
//!
//! Anybody may emit; `api` subscribes. An agent sees its own events, on replay as well.
//! A subscriber that does not read is cut off and told so; it costs the others nothing.
//! What it does not do: decide what is worth an event, or hold any text of a screen.

mod actor;
pub mod code;
mod draft;
pub mod event;
mod fields;
mod filter;
mod machine;
mod messages;
mod states;
mod stream;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Addr};
use tokio::sync::oneshot;

pub use code::{Cap, Code};
pub use draft::StoredEvent;
pub use event::{
    AnswerSource, ApprovalDecision, Emit, EscalationReason, Event, EvictionReason, KeystrokeKind,
    Notification, NotificationOutcome, SessionPhase, StuckReason, ToolStatus,
};
pub use fields::EVENT_TYPES;
pub(crate) use filter::glob_matches;
pub use filter::{EventFilter, FilterError};
pub use messages::LogStatus;
pub(crate) use states::states;
pub use stream::{EventItem, EventStream};

use crate::caller::Caller;
use crate::clock;
use crate::notify::Route;
use crate::store::{Store, StoreError};
use actor::LogActor;
use draft::Draft;
use filter::Filter;
use messages::{Append, GoLive, Joined};

/// Handle to the log. Cheap to clone, usable from any thread.
#[derive(Clone)]
pub struct Events {
    store: Store,
    log: Addr<LogActor>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubscribeError {
    #[error(transparent)]
    Filter(#[from] FilterError),
    #[error("too many event streams are open")]
    TooManyStreams,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Events {
    /// Starts the log on the current arbiter.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn start(store: Store) -> Result<Self, StoreError> {
        let last_id = store.read(table::last_id).await?;
        let log = LogActor::new(store.clone(), last_id).start();
        Ok(Self { store, log })
    }

    /// Reports a fact and goes on. In order of calls; kept and tried again while the disk
    /// refuses. Only when even the waiting room is full an event is lost, counted and logged.
    pub fn emit(&self, emit: Emit) {
        let draft = Draft::new(emit, clock::unix_ms());
        let kind = draft.kind;
        if self.log.try_send(Append { draft, reply: None }).is_err() {
            tracing::error!(kind, "event lost: the log does not keep up or has stopped");
        }
    }

    /// Reports a fact and waits for its commit.
    ///
    /// # Errors
    /// It could not be stored, and will not be.
    pub async fn emit_durable(&self, emit: Emit) -> Result<i64, StoreError> {
        let draft = Draft::new(emit, clock::unix_ms());
        let (reply, answer) = oneshot::channel();
        match self.log.try_send(Append { draft, reply: Some(reply) }) {
            Ok(()) => answer.await.unwrap_or(Err(StoreError::Stopped)),
            Err(actix::dev::SendError::Full(_)) => Err(StoreError::Overloaded),
            Err(actix::dev::SendError::Closed(_)) => Err(StoreError::Stopped),
        }
    }

    /// Opens a stream for this caller.
    ///
    /// # Errors
    /// The filter can never match, or too many streams are open.
    pub async fn subscribe(
        &self,
        caller: &Caller,
        wish: EventFilter,
    ) -> Result<EventStream, SubscribeError> {
        let filter = Filter::new(caller, &wish)?;
        let source = stream::Source {
            store: self.store.clone(),
            log: self.log.clone(),
            filter: filter.clone(),
        };
        if let Some(after) = wish.after {
            return Ok(stream::replay(source, after));
        }
        match self.log.send(GoLive { filter, after: None }).await {
            Ok(Joined::Live(live)) => Ok(stream::live(source, live)),
            Ok(Joined::Full) => Err(SubscribeError::TooManyStreams),
            Ok(Joined::Behind) | Err(_) => Err(StoreError::Stopped.into()),
        }
    }

    /// Which events also go into the outbox, and the bell of whoever empties it.
    pub(crate) async fn set_routes(&self, routes: Vec<Route>, bell: Arc<tokio::sync::Notify>) {
        let set = messages::SetRoutes { routes: routes.into(), bell };
        // A log that has stopped has nothing to route.
        let _ = self.log.send(set).await;
    }

    /// Stores what waits, ends all streams and stops the log. Returns after that, or when
    /// `patience` is over (a disk that refuses).
    pub async fn close(&self, patience: Duration) {
        let (done, closed) = oneshot::channel();
        let _ = tokio::time::timeout(patience, async {
            if self.log.send(messages::Close { done }).await.is_ok() {
                let _ = closed.await;
            }
        })
        .await;
    }

    /// Counts for metrics; zeros when the log has stopped.
    pub async fn status(&self) -> LogStatus {
        self.log.send(messages::Status).await.unwrap_or_default()
    }
}
