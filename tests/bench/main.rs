//! The whole service under load, over HTTP, with peers in the same run where there are any.
//! Prints what it measures; asserts nothing about time.
//!
//! `cargo bench --bench service [-- NAME…]` with names of the parts below.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench prints what it measures and holds the clock"
)]

mod attention;
#[allow(dead_code, unused_imports, reason = "the end-to-end tests use all of it")]
#[path = "../e2e/harness/mod.rs"]
mod harness;
mod idle;
mod keystroke;
mod requests;
mod restart;
mod starts;
mod stream;

use std::time::Duration;

const PARTS: [(&str, fn()); 7] = [
    ("keystroke", keystroke::run),
    ("attention", attention::run),
    ("starts", starts::run),
    ("requests", requests::run),
    ("idle", idle::run),
    ("stream", stream::run),
    ("restart", restart::run),
];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for (name, run) in PARTS {
        if asked.is_empty() || asked.iter().any(|one| one == name) {
            run();
        }
    }
}

/// Prints the middle and the slow end of what was measured.
fn report(what: &str, mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    println!(
        "{what:<52} p50 {:>8.2?}  p99 {:>8.2?}  max {:>8.2?}  n {}",
        at(50),
        at(99),
        at(100),
        times.len()
    );
    at(50)
}
