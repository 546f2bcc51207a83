//! The handle `api` and `src` talk to: one method per wish, ownership checked in each.

mod calls;
mod drives;
mod events;
mod machine;
mod oversight;
pub mod posture;
mod sessions;
pub(crate) mod states;
mod tasks;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use actix::Addr;
use profiles::Profiles;
use tokio::sync::watch;

use machine::Event;

pub use machine::Readiness;

use crate::classifier::ClassifierActor;
use crate::heartbeat::HeartbeatActor;
use crate::limits::{DRAIN_KILL_MAX, DRAIN_LET_GO_MAX};
use crate::reaper::ReaperActor;
use crate::records::Records;
use crate::registry::{All, RegistryActor, Shared, recover};
use crate::session::{Call, Forget};
use crate::session_types::KillSignal;
use crate::settings::Settings;
use crate::tokens::TokenError;

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
    registry: Addr<RegistryActor>,
    recovered: AtomicUsize,
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
        let records = Records::open(&settings.data_dir).await?;
        records.configure(&settings).await;
        let settings = Arc::new(settings);
        let shared = Shared {
            classifier: ClassifierActor::begin(records.events.clone()),
            records: records.clone(),
            profiles: Arc::new(profiles),
            exe,
        };
        let registry = RegistryActor::begin(shared.clone());
        let (readiness, _) = watch::channel(Readiness::Booting.step(Event::Opened));
        let system = Self {
            inner: Arc::new(Inner {
                records,
                registry: registry.clone(),
                recovered: AtomicUsize::new(0),
                settings: RwLock::new(Arc::clone(&settings)),
                readiness,
            }),
        };
        let recovering = system.clone();
        actix_rt::spawn(async move { recovering.recover(shared, settings).await });
        Ok(system)
    }

    async fn recover(&self, shared: Shared, settings: Arc<Settings>) {
        let registry = self.inner.registry.clone();
        match recover(&shared, &registry, &settings).await {
            Ok(found) => self.inner.recovered.store(found, Ordering::Relaxed),
            Err(error) => tracing::error!(%error, "sessions of an earlier life not recovered"),
        }
        self.begin_drives().await;
        ReaperActor::begin(registry.clone());
        HeartbeatActor::begin(registry, heartbeat(&settings));
        self.step(Event::Recovered);
    }

    fn step(&self, event: Event) {
        self.inner.readiness.send_modify(|now| *now = now.step(event));
    }

    /// Takes over new settings as a whole.
    pub async fn reload(&self, settings: Settings) {
        self.records().configure(&settings).await;
        *self.inner.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    /// Refuses new calls and stores what is on its way.
    pub async fn drain(&self) {
        self.step(Event::DrainAsked);
        if tokio::time::timeout(DRAIN_KILL_MAX, self.end_sessions()).await.is_err() {
            tracing::warn!("not all sessions have ended; their workers end with this service");
        }
        if tokio::time::timeout(DRAIN_LET_GO_MAX, self.let_sessions_go()).await.is_err() {
            tracing::warn!("not all sessions were let go; what they report now is not stored");
        }
        self.records().close().await;
        self.step(Event::Drained);
    }

    /// Those that do not outlive the service.
    async fn end_sessions(&self) {
        let all = self.inner.registry.send(All).await.unwrap_or_default();
        let killed = all
            .into_iter()
            .filter(|known| known.card.now().alive && !known.card.durable)
            .map(|known| async move {
                let (reply, killed) = tokio::sync::oneshot::channel();
                let signal = KillSignal::Term;
                if known.actor.try_send(Call::Kill { caller: None, signal, reply }).is_ok() {
                    // Whatever the answer is, it is over.
                    let _ = killed.await;
                }
            });
        futures_util::future::join_all(killed).await;
    }

    /// From here on nobody hears what the workers tell, so that an end that comes later is not
    /// taken for told: the worker keeps it for the next life of the service.
    async fn let_sessions_go(&self) {
        let all = self.inner.registry.send(All).await.unwrap_or_default();
        // An actor that is gone already hears nothing either.
        let let_go = all.into_iter().map(|known| async move { known.actor.send(Forget).await });
        futures_util::future::join_all(let_go).await;
    }

    /// How many sessions of an earlier life were found alive.
    #[must_use]
    pub fn recovered(&self) -> usize {
        self.inner.recovered.load(Ordering::Relaxed)
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

/// The shortest of the agents' heartbeats.
fn heartbeat(settings: &Settings) -> Duration {
    const DEFAULT: Duration = Duration::from_secs(90);
    const SHORTEST: Duration = Duration::from_secs(1);
    let all = settings.agents.values().map(|agent| agent.terminal.drive.heartbeat);
    all.filter(|time| !time.is_zero()).min().unwrap_or(DEFAULT).max(SHORTEST)
}
