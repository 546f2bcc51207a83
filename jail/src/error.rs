//! Why a program is not started, each with its remedy.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Nothing ever runs with less confinement than declared; this says why it does not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum JailError {
    #[error("{path}: {detail}")]
    Program { path: PathBuf, detail: String },
    #[error("{path} is not the binary that was allowed: its SHA-256 differs")]
    HashMismatch { path: PathBuf },
    #[error("{path} is not reachable in filesystem: {filesystem}; use home or listed-paths")]
    NotReachable { path: PathBuf, filesystem: String },
    /// `key` is the configuration key that named the path.
    #[error("{key}: {path} {detail}")]
    Source { key: String, path: PathBuf, detail: String },
    #[error("scope.hosts: {detail}")]
    Hosts { detail: String },
    #[error("cwd: {path} is not below the workspace {workspace}")]
    Cwd { path: PathBuf, workspace: PathBuf },
    #[error("the jail cannot be made: {detail}")]
    Unavailable { detail: String, fix: String },
    #[error("the program was not started: {detail}")]
    Start { detail: String, fix: String },
}

/// The error code family an outer layer maps this to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    SandboxUnavailable,
    PermissionDenied,
    InvalidValue,
}

impl JailError {
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::HashMismatch { .. } => ErrorKind::PermissionDenied,
            Self::Cwd { .. } | Self::Hosts { .. } => ErrorKind::InvalidValue,
            Self::Program { .. }
            | Self::NotReachable { .. }
            | Self::Source { .. }
            | Self::Unavailable { .. }
            | Self::Start { .. } => ErrorKind::SandboxUnavailable,
        }
    }

    /// What the operator can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Program { .. } => "Check match.path of the allow entry.".to_owned(),
            Self::HashMismatch { .. } => {
                "If the change is wanted, reload the configuration (SIGHUP) or update match.hash."
                    .to_owned()
            }
            Self::NotReachable { .. } => {
                "Set scope.filesystem to home, or to listed-paths with a path that contains it."
                    .to_owned()
            }
            Self::Source { key, .. } => format!("Correct {key} of the allow entry."),
            Self::Hosts { .. } => {
                "Write each entry of scope.hosts as host, host:port or *.suffix.".to_owned()
            }
            Self::Cwd { .. } => "Give a cwd inside the agent's workspace.".to_owned(),
            Self::Unavailable { fix, .. } | Self::Start { fix, .. } => fix.clone(),
        }
    }

    /// For errors that travel between processes as text.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.kind() {
            ErrorKind::SandboxUnavailable => "sandbox_unavailable",
            ErrorKind::PermissionDenied => "permission_denied",
            ErrorKind::InvalidValue => "invalid_value",
        }
    }
}
