//! The task that writes queued entries, in order, until the last handle is gone.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::entry::Stamped;
use super::table;
use crate::store::{Store, StoreError};

/// Entries in one write.
const BATCH_MAX: usize = 256;
const RETRY_FIRST: Duration = Duration::from_millis(100);
const RETRY_LAST: Duration = Duration::from_secs(5);
/// Entries between two looks at the size of the table; less than one prune removes.
const PRUNE_AFTER: usize = 2_000;

pub(super) async fn run(store: Store, mut waiting: mpsc::Receiver<Stamped>) {
    let mut since_prune = 0;
    let mut batch = Vec::with_capacity(BATCH_MAX);
    while waiting.recv_many(&mut batch, BATCH_MAX).await > 0 {
        since_prune += batch.len();
        let entries = Arc::new(std::mem::take(&mut batch));
        if write(&store, &entries).await.is_err() {
            return;
        }
        if since_prune >= PRUNE_AFTER {
            since_prune = 0;
            if let Err(error) = store.write(table::prune).await {
                tracing::warn!(%error, "cannot prune the audit trail");
            }
        }
    }
}

/// Tries until it is written; `Err` only when the store has stopped.
async fn write(store: &Store, entries: &Arc<Vec<Stamped>>) -> Result<(), StoreError> {
    let mut pause = RETRY_FIRST;
    loop {
        let batch = Arc::clone(entries);
        match store.write(move |tx| table::insert(tx, &batch)).await {
            Ok(()) => return Ok(()),
            Err(StoreError::Stopped) => return Err(StoreError::Stopped),
            Err(error) => {
                tracing::error!(%error, "cannot write the audit trail; kept and tried again");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(RETRY_LAST);
            }
        }
    }
}
