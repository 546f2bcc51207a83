//! A real worker process with real programs, through the daemon's door.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    clippy::disallowed_methods,
    reason = "a test looks for one thing and holds the clock itself"
)]

mod basics;
mod door;
mod facts;
mod hard;
mod jailed;
mod stress;
mod support;
