//! Scope to confinement: `plan -> argv -> spawn`. The only crate with `unsafe`.

mod error;
mod pin;
mod plan;
mod request;
mod scope;
mod spawn;

pub use error::{ErrorKind, JailError};
pub use pin::{PinnedProgram, pin_program};
pub use plan::{Host, Plan, plan};
pub use request::{Narrowing, Program, Request};
pub use scope::{Access, Filesystem, ListedPath, Network, ResourceLimits, Scope, UidMode};
pub use spawn::{Guard, Launch, ProgramExit, Started, close_inherited_fds, prepare};

use std::ffi::OsString;
use std::process::ExitCode;

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

/// Looks at this machine.
#[must_use]
pub fn doctor() -> Vec<Check> {
    Vec::new()
}

/// The `ttydrive jail-exec` stage; returns only when it failed.
pub fn exec_stage(args: impl Iterator<Item = OsString>) -> ExitCode {
    let _ = args;
    ExitCode::from(126)
}
