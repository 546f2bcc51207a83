//! The per-session process and the daemon's link to it.

pub mod protocol;
