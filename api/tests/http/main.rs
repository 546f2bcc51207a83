//! The HTTP side on a real port, before a real actor system on an empty data dir.

mod calls;
mod door;
mod harness;
mod pages;
mod stream;
