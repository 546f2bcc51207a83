//! One session: its worker, what is on its screen, and everybody who waits for it.
//!
//! ```text
//! created ──▶ running{working ⇄ awaiting-input ⇄ stuck} ──▶ exited{code or signal}
//!                 │ kill          ▲                             ▲
//!                 └──▶ ending{until} ── 2 s: KILL everything ───┘
//! any living one ──▶ lost{worker_gone | session_gone | internal}
//! ```
//!
//! The registry starts a session's actor and forgets it; the facade calls it; the reaper and
//! the heartbeat poke it. It alone talks to its worker. The worker tells that something has
//! changed or settled, and the actor *looks*: one observation at a time, seen by every wait,
//! send and read that is due. Nothing depends on a particular push (level-triggered).
//!
//! Invariants
//! - No handler waits. A wait, a send, a kill is data here and is answered exactly once: by a
//!   look, its deadline, or the end of the session.
//! - Sends are one after the other; nothing is written before it was looked for a dialog.
//! - Text leaves through `policy::outgoing` only.
//! - A panicking step ends this session as lost and nothing else.
//!
//! What it does not do: decide what a screen means (`policy`), or start anything.

mod actor;
mod answering;
mod card;
mod ending;
mod fresh;
mod inputs;
mod looking;
mod machine;
mod messages;
mod reading;
mod seen;
mod send;
mod sending;
pub(crate) mod states;
#[cfg(test)]
mod tests;
mod typing;
mod wait;
mod waiting;

pub(crate) use actor::{Begin, SessionActor};
pub(crate) use card::{Card, Now};
pub(crate) use ending::check_size;
pub use machine::LostReason;
pub(crate) use messages::{Call, Evict, Forget, Heartbeat};
