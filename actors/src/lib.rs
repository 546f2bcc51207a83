//! The actor system: sessions, drives, events, calls, approvals, audit, store.

pub mod approvals;
pub mod audit;
pub mod caller;
pub mod calls;
pub mod clock;
pub mod events;
#[cfg(test)]
mod golden;
pub mod session_types;
pub mod settings;
pub mod store;
pub mod tokens;

pub use caller::{Caller, Origin, Owner, Role};
