//! The per-session process and the daemon's link to it.
//!
//! `launch` and `attach` give the daemon a `Link`; `worker_main` is the process at its other
//! end. What they say to each other is `protocol`. Nothing in here knows agents, policy or
//! HTTP, and a worker that dies takes one session with it and nothing else.

mod clock;
mod codec;
mod error;
mod launch;
pub mod limits;
mod link;
pub mod link_state;
mod process;
pub mod protocol;
mod push_queue;
mod socket;
mod wire_frame;

pub use codec::CodecError;
pub use error::LinkError;
pub use launch::{Launch, attach, launch};
pub use link::{Link, LinkSender};
pub use process::worker_main;
