//! What is fixed about a session from its creation on.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::caller::{Origin, Owner};
use crate::clock;
use crate::settings::{Backend, DriveSettings};

#[derive(Debug, Clone)]
pub struct Info {
    pub session_id: String,
    pub allow_id: String,
    pub owner: Owner,
    pub origin: Origin,
    pub name: String,
    pub project: Option<String>,
    pub cwd: PathBuf,
    pub backend: Backend,
    pub durable: bool,
    pub created_ms: i64,
    pub uid_slot: u32,
    pub redact: bool,
    pub stuck_after: Duration,
    pub idle_ttl: Duration,
    pub hint_texts: Arc<Vec<String>>,
    pub wall_clock_max: Option<Duration>,
    pub interactions_max: Option<u64>,
    pub requests_max: Option<u64>,
    pub drive: DriveSettings,
}

impl Info {
    #[must_use]
    pub fn age(&self) -> Duration {
        let ms = clock::unix_ms().saturating_sub(self.created_ms);
        Duration::from_millis(u64::try_from(ms).unwrap_or(0))
    }
}
