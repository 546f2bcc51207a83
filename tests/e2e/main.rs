//! The real binary, through its public doors only: command line, HTTP, events.
//!
//! Each test starts a service of its own on a free port with a data dir of its own, and ends
//! it by pid. Tests wait for what the service says, never for time; every wait has a bound.

mod approvals;
mod door;
mod drives;
mod events;
mod examples;
mod harness;
mod idempotency;
mod input;
mod keys;
mod live;
mod load;
mod openapi;
mod operator;
mod programs;
mod sessions;
mod transcript;
mod verbs;
mod workers;
