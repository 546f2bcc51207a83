//! Everything that remembers, started in order: store, tokens, events, audit, calls,
//! approvals. One struct, so that whoever starts the service starts them once.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;

use crate::approvals::Approvals;
use crate::audit::Audit;
use crate::calls::Calls;
use crate::drive::Drives;
use crate::events::Events;
use crate::journal::Journals;
use crate::notify::Notify;
use crate::settings::Settings;
use crate::store::{Store, StoreError};
use crate::tokens::{TokenError, Tokens, ensure_admin_token};

/// How long the end of the service waits for the last events to reach the disk.
const CLOSE_PATIENCE: Duration = Duration::from_secs(3);

#[derive(Clone)]
pub struct Records {
    pub store: Store,
    pub tokens: Tokens,
    pub events: Events,
    pub audit: Audit,
    pub calls: Calls,
    pub approvals: Approvals,
    pub journals: Journals,
    pub notify: Notify,
    pub drives: Drives,
    /// Sessions to be ended for their spend; taken once, by whoever can end them.
    stops: Arc<Mutex<Option<mpsc::Receiver<String>>>>,
}

impl Records {
    /// Takes the data dir's lock, makes the admin token of a first start, closes what an
    /// earlier life left open, and starts the actors on the current arbiter.
    ///
    /// # Errors
    /// Another daemon holds the data dir, or it cannot be read and written.
    pub async fn open(data_dir: &Path) -> Result<Self, TokenError> {
        let dir = data_dir.to_path_buf();
        let opened = tokio::task::spawn_blocking(move || {
            let store = Store::open(&dir)?;
            ensure_admin_token(&dir)?;
            Ok::<_, TokenError>(store)
        });
        let store = opened.await.map_err(|_| StoreError::Stopped)??;
        let events = Events::start(store.clone()).await?;
        let audit = Audit::start(store.clone());
        let journals = Journals::new(store.clone());
        let (drives, stops) =
            Drives::start(store.clone(), events.clone(), journals.clone()).await?;
        Ok(Self {
            tokens: Tokens::new(store.clone()),
            calls: Calls::start(store.clone(), events.clone()).await?,
            approvals: Approvals::start(store.clone(), events.clone(), audit.clone()).await?,
            notify: Notify::start(store.clone(), events.clone()),
            journals,
            drives,
            stops: Arc::new(Mutex::new(Some(stops))),
            store,
            events,
            audit,
        })
    }

    /// Takes over settings, on start and on reload.
    pub async fn configure(&self, settings: &Settings) {
        self.audit.configure(settings);
        self.notify.configure(&settings.webhooks).await;
    }

    /// The ids of sessions that must be ended for their spend. `None` the second time.
    #[must_use]
    pub fn take_stops(&self) -> Option<mpsc::Receiver<String>> {
        self.stops.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Stores the events that wait and ends all event streams.
    pub async fn close(&self) {
        self.events.close(CLOSE_PATIENCE).await;
    }
}
