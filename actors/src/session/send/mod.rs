//! One send: text or keys, as a transaction with an honest outcome.

mod machine;
#[cfg(test)]
mod tests;

pub(crate) use machine::{Effect, Event, Plan, Refusal, Seen, Stall, State};
