//! A real worker process with real programs, through the daemon's door.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may say so and stop")]

mod basics;
mod support;
