//! One start, as the caller wants it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{ResourceLimits, Scope};

/// The pinned binary and the complete arguments behind its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Resolved; this very file is opened, hashed, bound and executed.
    pub path: PathBuf,
    /// Lower-case hex it must have.
    pub sha256: String,
    /// The name the program sees itself called by; `None`: `path`. Busybox-like programs look.
    pub argv0: Option<String>,
    pub args: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Request {
    pub session_id: String,
    pub program: Program,
    pub scope: Scope,
    pub limits: ResourceLimits,
    /// `<agent workspace>/projects`; must exist.
    pub workspace: PathBuf,
    /// A host path at or below `workspace`.
    pub cwd: PathBuf,
    pub data_dir: PathBuf,
    /// Files never visible inside: the config file, sockets of the service.
    pub hidden: Vec<PathBuf>,
    /// `scope.env` and the profile's variables, later ones win; the deny-list is applied here.
    pub env: Vec<(String, String)>,
    /// Names the deny-list spares: the operator's and those a profile declares.
    pub env_overrides: Vec<String>,
    /// Run the program bare. The environment is still built from nothing.
    pub unsafe_disable_sandbox: bool,
    /// Which of the reserved uids, when the service is root. No two live sessions share one.
    pub uid_slot: u32,
    /// The profile's id; some get a carve-out of their own.
    pub profile: Option<String>,
    /// `security.permission`, when enabled: a further narrowing.
    pub narrowing: Option<Narrowing>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Narrowing {
    pub fs_paths: Vec<PathBuf>,
    pub net_hosts: Vec<String>,
}
