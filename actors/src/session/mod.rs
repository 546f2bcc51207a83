//! One session: one program on one PTY, held by one worker.
//!
//! ```text
//! worker ══pushes══▶ SessionActor ──view (watch)──▶ waits, sends, listings, reaper
//!        ◀═requests═      │  ▲
//!                         │  └── Kill, LookNow, InputSent, Evict
//!                         └──▶ events, classifier
//! ```
//!
//! The actor owns the state machine, the attention (what was told already), the kill, and the
//! published `View`. It never waits: everything slow is a spawned future whose answer comes
//! back as an event. Waits and sends run in the task of whoever called, on `Session`.
//!
//! Invariants
//! - Only `policy::outgoing` makes text that leaves; see `Session::outgoing`.
//! - Nothing is typed while a dialog is open and `onDialog` is refuse.
//! - Whoever asked for the end is answered exactly once, after everything is gone.
//! - A session that has ended owns no process: `Finish` dismisses the worker.

mod actor;
mod guard;
mod handle;
pub mod info;
pub mod machine;
mod marks;
pub mod messages;
mod observe;
mod read;
pub mod send;
mod start;
#[cfg(test)]
mod tests;
mod view;
pub mod wait;

pub use actor::{Evict, SessionActor};
pub use handle::Session;
pub use info::Info;
pub use start::start;
pub use view::View;
