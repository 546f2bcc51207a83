//! Ends what has outlived its time: idle sessions, sessions over their wall clock, and
//! finished ones that nobody looks at any more. Also finds sessions whose actor is gone.
//!
//! ```text
//! timer ──Poke──▶ ReaperActor ──All──▶ registry
//!                     └─ reconcile(view) ─▶ Evict to sessions, Remove to the registry
//! ```
//!
//! It uses no hint about what changed, so a lost poke only costs time. A busy session is never
//! idle. What it does not do: kill anything itself.

mod actor;
mod machine;
#[cfg(test)]
mod tests;

pub(crate) use actor::ReaperActor;
