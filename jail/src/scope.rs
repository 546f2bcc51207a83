//! What an operator allows one program to see and reach.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Filesystem {
    Workspace,
    ListedPaths,
    Home,
    Full,
}

impl Filesystem {
    /// As the configuration spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::ListedPaths => "listed-paths",
            Self::Home => "home",
            Self::Full => "full",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Access {
    Ro,
    Rw,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPath {
    pub path: PathBuf,
    pub access: Access,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Network {
    None,
    ListedHosts,
    Full,
    BrokerOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UidMode {
    /// A throwaway uid, never the daemon's.
    Dedicated,
    Daemon,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    pub filesystem: Filesystem,
    pub paths: Vec<ListedPath>,
    pub network: Network,
    pub hosts: Vec<String>,
    pub credential_paths: Vec<PathBuf>,
    pub ephemeral_writable_paths: Vec<PathBuf>,
    pub uid: UidMode,
}

/// cgroup limits; `None` is uncapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ResourceLimits {
    pub memory_bytes: Option<u64>,
    pub pids: Option<u32>,
    pub cpu_percent: Option<u32>,
}
