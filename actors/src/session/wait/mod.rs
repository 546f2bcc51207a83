//! Waits: `machine` decides, `text` finds what is new, `run` looks and sleeps.

mod machine;
mod run;
mod text;

pub use machine::{Conditions, Event, Facts, State};
