//! The audit trail: who did what to which session, and how it ended.
//!
//! `record` queues and returns (sends and keys: hundreds a second); `record_durable` returns
//! after the commit (create, kill, approvals). The queue is written in order and in batches;
//! while the disk refuses it is kept and tried again, and when it is full the loss is logged.
//!
//! A payload is a `SafeText`: redacted before it got here. `audit.enabled: false` silences an
//! agent's tool calls; approvals and tokens are always recorded.

mod entry;
mod table;
#[cfg(test)]
mod tests;
mod writer;

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::mpsc;

pub use entry::{AuditAction, AuditEntry, AuditFilter, AuditRecord};

use crate::clock;
use crate::settings::Settings;
use crate::store::{Store, StoreError};
use entry::Stamped;

/// Entries that may wait for the disk: half a minute of 200 calls a second.
const QUEUE_MAX: usize = 8_192;

/// Handle to the trail. Cheap to clone, usable from any thread.
#[derive(Clone)]
pub struct Audit {
    store: Store,
    queue: mpsc::Sender<Stamped>,
    silent_agents: Arc<RwLock<HashSet<String>>>,
}

impl Audit {
    /// Starts the writer on the current arbiter. It ends with the last handle.
    #[must_use]
    pub fn start(store: Store) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        actix_rt::spawn(writer::run(store.clone(), waiting));
        Self { store, queue, silent_agents: Arc::default() }
    }

    /// Takes over which agents are not audited.
    pub fn configure(&self, settings: &Settings) {
        let silent = settings
            .agents
            .iter()
            .filter(|(_, agent)| !agent.terminal.audit)
            .map(|(id, _)| id.clone())
            .collect();
        *self.silent_agents.write().unwrap_or_else(PoisonError::into_inner) = silent;
    }

    /// Records and goes on.
    pub fn record(&self, entry: AuditEntry) {
        if self.is_silent(&entry) {
            return;
        }
        let action = entry.action.as_str();
        if self.queue.try_send(Stamped::new(entry, clock::unix_ms())).is_err() {
            tracing::error!(action, "audit entry lost: the disk does not keep up");
        }
    }

    /// Records and waits for the commit.
    ///
    /// # Errors
    /// It could not be stored; what it records must not be done.
    pub async fn record_durable(&self, entry: AuditEntry) -> Result<(), StoreError> {
        if self.is_silent(&entry) {
            return Ok(());
        }
        let stamped = Stamped::new(entry, clock::unix_ms());
        self.store.write(move |tx| table::insert(tx, &[stamped])).await
    }

    /// Records in the order of time: from `since_ms` on, or else the latest.
    ///
    /// # Errors
    /// The database cannot be read.
    pub async fn query(&self, filter: AuditFilter) -> Result<Vec<AuditRecord>, StoreError> {
        self.store.read(move |tx| table::query(tx, &filter)).await
    }

    fn is_silent(&self, entry: &AuditEntry) -> bool {
        if entry.action.is_administrative() {
            return false;
        }
        let silent = self.silent_agents.read().unwrap_or_else(PoisonError::into_inner);
        entry.owner.as_ref().is_some_and(|owner| silent.contains(&owner.agent_id))
    }
}
