//! Everything the log actor accepts.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix::Message;
use tokio::sync::{mpsc, oneshot};

use super::draft::{Draft, StoredEvent};
use super::filter::Filter;
use crate::notify::Route;
use crate::store::StoreError;

/// From every actor that reports a fact. Reply: the id after the commit, when asked for.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Append {
    pub(super) draft: Draft,
    pub(super) reply: Option<oneshot::Sender<Result<i64, StoreError>>>,
}

/// From a stream that has read the stored events up to `after` (`None`: wants none of them)
/// and wants the live ones. Cost: one entry in a list.
#[derive(Message)]
#[rtype(result = "Joined")]
pub(super) struct GoLive {
    pub(super) filter: Filter,
    pub(super) after: Option<i64>,
}

#[derive(actix::MessageResponse)]
pub(super) enum Joined {
    Live(Live),
    /// Something later than `after` has been sent already: read on in the store.
    Behind,
    Full,
}

pub(super) struct Live {
    /// Nothing up to this id will come.
    pub(super) after: i64,
    pub(super) events: mpsc::Receiver<Arc<StoredEvent>>,
    /// Set before the channel closes when the subscriber was too slow.
    pub(super) overflowed: Arc<AtomicBool>,
}

/// From the end of the service: store what waits, then stop. Streams end.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Close {
    pub(super) done: oneshot::Sender<()>,
}

/// From the notifier, on start and reload: what also goes into the outbox, and whom to ring.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct SetRoutes {
    pub(super) routes: Arc<[Route]>,
    pub(super) bell: Arc<tokio::sync::Notify>,
}

/// Counts for metrics and posture.
#[derive(Message)]
#[rtype(result = "LogStatus")]
pub(super) struct Status;

/// The answer to `Status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, actix::MessageResponse)]
pub struct LogStatus {
    pub last_id: i64,
    pub subscribers: usize,
    pub waiting: usize,
    pub lost: u64,
    pub cut_off: u64,
}
