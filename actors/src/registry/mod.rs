//! All sessions: who has them, how many there may be, how one is made and found again.
//!
//! ```text
//! facade ──CreateSession──▶ registry ··▶ creation: declared ▶ pinned ▶ (approved) ▶ place
//!                              ▲                     ▶ planned ▶ descriptor ▶ worker ▶ Add
//!                              └── Find, All ── facade, reaper, heartbeat
//! start ──recover──▶ descriptor + living worker ▶ Add, or lost
//! ```
//!
//! The stages of a creation are types: nothing can be spawned that was not planned, nothing
//! planned that was not pinned. A creation runs beside the registry, which never waits; its
//! place is reserved before anything is made and given back when it fails. Somebody else's
//! session is not found. What it does not do: talk to workers of running sessions.

mod actor;
mod create;
mod declare;
mod descriptor;
mod machine;
mod messages;
mod planned;
mod recover;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

pub(crate) use actor::{RegistryActor, Shared};
pub(crate) use messages::{All, CreateSession, Find, Known, Remove};
pub(crate) use recover::recover;

use crate::settings::Settings;

/// Where the workers' sockets are.
pub(crate) fn socket_dir(settings: &Settings) -> PathBuf {
    settings.data_dir.join(crate::store::SOCKETS)
}
