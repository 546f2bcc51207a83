//! The per-session process and the daemon's link to it.

pub mod limits;
pub mod protocol;
mod wire_frame;
