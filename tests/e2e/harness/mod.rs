//! Starts the service, speaks HTTP to it, follows its events.

mod client;
mod config;
mod service;
mod sse;

pub use client::{Answer, Client, Session};
pub use config::Config;
pub use service::Service;
pub use sse::{Event, Events};

use std::thread;
use std::time::{Duration, Instant};

/// After this long a wait of a test has failed; generous, because the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Looks until it is so; `missing` says what did not come.
#[track_caller]
pub fn until(mut is_so: impl FnMut() -> bool, missing: impl Fn() -> String) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{}", missing());
        thread::sleep(Duration::from_millis(20));
    }
}
