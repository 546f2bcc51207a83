//! Complaints of a worker: lines on its standard error, which the daemon puts into its log.
//!
//! They never contain anything from the screen, the input or the environment. Nobody may be
//! there to read them, which is no reason to stop.

use std::io::Write;

pub fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A panic says where, and not what: its message may quote the text it stumbled over.
pub fn panics_without_text() {
    std::panic::set_hook(Box::new(|info| match info.location() {
        Some(at) => line(&format!("worker: panic at {}:{}", at.file(), at.line())),
        None => line("worker: panic"),
    }));
}
