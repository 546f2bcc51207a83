//! One send: `machine` decides, `text` turns the words into bytes, `run` talks to the worker.

mod machine;
mod run;
mod text;

pub use machine::{Done, Effect, Event, State, Why};
