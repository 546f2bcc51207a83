//! The actor system: sessions, drives, events, calls, approvals, audit, store.

pub mod approvals;
pub mod audit;
pub mod caller;
pub mod calls;
pub(crate) mod classifier;
pub mod clock;
pub mod drive;
pub mod error;
pub mod events;
#[cfg(test)]
mod golden;
pub(crate) mod guard;
pub(crate) mod heartbeat;
pub(crate) mod ids;
pub mod journal;
pub(crate) mod limits;
pub mod notify;
pub(crate) mod reaper;
pub mod records;
pub(crate) mod registry;
pub mod session;
pub mod session_types;
pub mod settings;
pub mod states;
pub mod store;
pub mod system;
pub mod tokens;

pub use caller::{Caller, Origin, Owner, Role};
pub use error::{ConflictReason, Error};
pub use session_types::LiveStream;
pub use system::{Readiness, StartError, System};
