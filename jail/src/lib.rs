//! Scope to confinement: `plan -> argv -> spawn`. The only crate with `unsafe`.

mod pin;
mod scope;

pub use pin::{PinnedProgram, pin_program};
pub use scope::{Access, Filesystem, ListedPath, Network, ResourceLimits, Scope, UidMode};

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Why a program was not started. Nothing ever runs with less confinement than declared.
#[derive(Debug, thiserror::Error)]
pub enum JailError {
    #[error("{path}: {detail}")]
    Program { path: PathBuf, detail: String },
    #[error("{path} is not the binary that was allowed: its SHA-256 differs")]
    HashMismatch { path: PathBuf },
}

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
