//! `ttydrive doctor`: can this machine confine programs, and what to do if not.
//!
//! Facts are read first; the table of checks is a function of them. The last word has a real
//! jail, made on the same road as every session's, by this very binary.

mod checks;
mod facts;
mod self_test;

pub use facts::Facts;
pub use self_test::{SelfTest, self_test};

use crate::Host;

/// One line of `ttydrive doctor`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    pub status: CheckStatus,
    pub detail: String,
    pub fix: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckStatus {
    Ok,
    Degraded,
    Broken,
}

/// Looks at this machine. Must run in the `ttydrive` binary: it starts itself as a stage.
#[must_use]
pub fn doctor() -> Vec<Check> {
    let host = Host::probe();
    let test = self_test(&host);
    diagnose(&host, &Facts::probe(), &test)
}

/// The table, from what was found.
#[must_use]
pub fn diagnose(host: &Host, facts: &Facts, test: &SelfTest) -> Vec<Check> {
    checks::all(host, facts, test)
}
