//! How the daemon stands with one worker.
//!
//! ```text
//! starting --greeted--> connected --link closed--> lost{since} --time--> re-attaching
//!    |                      ^                          ^                   |   |
//!    |                      +-------- greeted ---------|-------------------+   |
//!    |                                                 +----- no answer -------+
//!    +---- failed, timed out, dead, released, stranger, given up ----> gone
//! ```
//!
//! Recovery after a restart of the service is the same machine begun in `lost`. It never
//! starts a second worker for a session: whatever is doubtful ends in `gone`.

mod machine;

pub use machine::{AttachFailure, Effect, Event, GoneReason, RETRY_MAX, RETRY_MIN, START_MAX};
pub use machine::{State, TRIES_MAX, TRIES_WINDOW};

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
