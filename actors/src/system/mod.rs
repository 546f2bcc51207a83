//! The handle `api` and `src` talk to: one method per wish, ownership checked in each.

mod calls;
mod events;
mod oversight;
pub mod posture;
mod sessions;

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use profiles::Profiles;
use tokio::sync::watch;

use crate::records::Records;
use crate::settings::Settings;
use crate::tokens::TokenError;

/// Where the service is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Readiness {
    Booting,
    Recovering,
    Ready,
    Draining,
    Stopped,
}

/// The service could not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Records(#[from] TokenError),
}

impl StartError {
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Records(error) => error.hint(),
        }
    }
}

/// Cheap to clone, usable from any thread.
#[derive(Clone)]
pub struct System {
    inner: Arc<Inner>,
}

struct Inner {
    records: Records,
    settings: RwLock<Arc<Settings>>,
    readiness: watch::Sender<Readiness>,
}

impl System {
    /// Opens the data dir and starts the actors. Must run inside an actix system.
    ///
    /// # Errors
    /// The data dir is in use, or cannot be read and written.
    pub async fn start(
        settings: Settings,
        profiles: Profiles,
        exe: PathBuf,
    ) -> Result<Self, StartError> {
        let _ = (profiles, exe);
        let records = Records::open(&settings.data_dir).await?;
        records.configure(&settings).await;
        let (readiness, _) = watch::channel(Readiness::Ready);
        Ok(Self {
            inner: Arc::new(Inner {
                records,
                settings: RwLock::new(Arc::new(settings)),
                readiness,
            }),
        })
    }

    /// Takes over new settings as a whole.
    pub async fn reload(&self, settings: Settings) {
        self.records().configure(&settings).await;
        *self.inner.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    /// Refuses new calls and stores what is on its way.
    pub async fn drain(&self) {
        self.inner.readiness.send_replace(Readiness::Draining);
        self.records().close().await;
        self.inner.readiness.send_replace(Readiness::Stopped);
    }

    /// How many sessions of an earlier life were found alive.
    #[must_use]
    pub fn recovered(&self) -> usize {
        0
    }

    #[must_use]
    pub fn readiness(&self) -> Readiness {
        *self.inner.readiness.borrow()
    }

    /// Returns when recovery is over.
    pub async fn wait_ready(&self) {
        let mut seen = self.inner.readiness.subscribe();
        // The sender lives as long as we do.
        let _ = seen
            .wait_for(|now| match now {
                Readiness::Booting | Readiness::Recovering => false,
                Readiness::Ready | Readiness::Draining | Readiness::Stopped => true,
            })
            .await;
    }

    #[must_use]
    pub fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.inner.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn records(&self) -> &Records {
        &self.inner.records
    }
}
