//! The actor system: sessions, drives, events, calls, approvals, audit, store.

pub mod approvals;
pub mod audit;
pub mod caller;
pub mod calls;
pub(crate) mod classifier;
pub mod clock;
pub mod error;
pub mod events;
pub(crate) mod guard;
pub(crate) mod limits;
#[cfg(test)]
mod golden;
pub mod journal;
pub mod notify;
pub mod records;
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
