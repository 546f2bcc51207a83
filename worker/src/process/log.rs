//! Complaints of a worker: lines on its standard error, which the daemon puts into its log.
//!
//! They never contain anything from the screen, the input or the environment. Nobody may be
//! there to read them, which is no reason to stop.

use std::io::Write;

pub fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
