//! What the stage inside the jail needs. Comes through an inherited memfd.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::landlock::Rules;
use crate::Plan;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct InnerPlan {
    pub path: PathBuf,
    pub argv0: String,
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
    pub cwd: PathBuf,
    /// Each must be at its place before the program runs.
    pub expected: Vec<Expected>,
    pub unix_sockets: bool,
    pub landlock: Rules,
    pub memory_capped: bool,
    /// Connection to the proxy outside, which waits for this network's listener.
    pub egress_fd: Option<i32>,
    /// Inherited descriptors: the worker's pipe and the original standard error.
    pub ready_fd: i32,
    pub stderr_fd: i32,
}

/// What the worker hands to the outer stage.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Handed {
    pub plan: Plan,
    /// Name of the proxy's abstract socket.
    pub egress_socket: Option<String>,
}

/// The inode that was screened, by number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Expected {
    pub dest: PathBuf,
    pub key: String,
    pub device: u64,
    pub inode: u64,
}
