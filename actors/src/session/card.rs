//! What is known about a session without asking it: fixed facts, and a snapshot of the rest.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use profiles::{Profile, Profiles};

use crate::caller::{Origin, Owner};
use crate::clock;
use crate::session_types::{LimitsUsed, SessionState, Summary};
use crate::settings::{AllowEntry, Backend, ReadMode};

/// Fixed at creation; only `now` changes, and only the session's actor writes it.
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) owner: Owner,
    pub(crate) origin: Origin,
    pub(crate) entry: Arc<AllowEntry>,
    pub(crate) name: String,
    pub(crate) project: Option<String>,
    pub(crate) cwd: PathBuf,
    pub(crate) created_ms: i64,
    pub(crate) backend: Backend,
    pub(crate) durable: bool,
    pub(crate) redact: bool,
    pub(crate) read_mode: ReadMode,
    pub(crate) stuck_after: Duration,
    pub(crate) idle_ttl: Duration,
    pub(crate) uid_slot: u32,
    pub(crate) profiles: Arc<Profiles>,
    pub(crate) now: RwLock<Now>,
}

/// The changing part.
#[derive(Debug, Clone)]
pub(crate) struct Now {
    pub(crate) state: SessionState,
    pub(crate) reason: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) alive: bool,
    pub(crate) last_activity_ms: i64,
    pub(crate) used: LimitsUsed,
    pub(crate) cols: u16,
    pub(crate) rows: u16,
    /// It was given a text.
    pub(crate) tasked: bool,
    /// The tree was seen busy at the last look.
    pub(crate) busy: bool,
}

impl Now {
    pub(crate) fn new(created_ms: i64, cols: u16, rows: u16) -> Self {
        Self {
            state: SessionState::Created,
            reason: None,
            kind: None,
            alive: true,
            last_activity_ms: created_ms,
            used: LimitsUsed::default(),
            cols,
            rows,
            tasked: false,
            busy: false,
        }
    }
}

impl Card {
    pub(crate) fn profile(&self) -> Option<&Profile> {
        self.profiles.for_allow_id(&self.entry.id)
    }

    pub(crate) fn now(&self) -> Now {
        self.now.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn update(&self, change: impl FnOnce(&mut Now)) {
        change(&mut self.now.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// Since creation.
    pub(crate) fn age(&self) -> Duration {
        let age = clock::unix_ms().saturating_sub(self.created_ms);
        Duration::from_millis(u64::try_from(age).unwrap_or(0))
    }

    pub(crate) fn summary(&self) -> Summary {
        let now = self.now();
        Summary {
            session_id: self.id.clone(),
            allow_id: self.entry.id.clone(),
            name: self.name.clone(),
            project: self.project.clone(),
            agent_id: self.owner.agent_id.clone(),
            session_key: self.owner.session_key.clone(),
            state: now.state,
            reason: now.reason,
            kind: now.kind,
            alive: now.alive,
            created_at: clock::rfc3339(self.created_ms),
            last_activity_at: clock::rfc3339(now.last_activity_ms),
            interactions: now.used.interactions,
            drive: None,
        }
    }
}
