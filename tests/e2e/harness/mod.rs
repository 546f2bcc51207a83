//! Starts the service, speaks HTTP to it, follows its events.

mod client;
mod config;
mod service;
mod sse;

pub use client::{Answer, Client, Session};
pub use config::Config;
pub use service::Service;
pub use sse::{Event, Events};

use std::time::Duration;

/// After this long a wait of a test has failed; generous, because the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(60);
