//! The only place of this crate that reads a clock.

use std::time::Instant;

#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the clock module")]
pub fn now() -> Instant {
    // Tokio's clock, so that a paused runtime moves everything of this crate.
    tokio::time::Instant::now().into_std()
}
