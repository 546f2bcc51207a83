//! One wait: what it waits for and when it is over.

mod machine;
#[cfg(test)]
mod tests;

pub(crate) use machine::{Conditions, Effect, Event, Seen, State};
