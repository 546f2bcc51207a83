//! What the stage inside the jail needs. Comes through an inherited memfd.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct InnerPlan {
    pub path: PathBuf,
    pub argv0: String,
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
    pub cwd: PathBuf,
    /// Each must be at its place before the program runs.
    pub expected: Vec<Expected>,
    pub unix_sockets: bool,
    pub memory_capped: bool,
    /// Inherited descriptors: the worker's pipe and the original standard error.
    pub ready_fd: i32,
    pub stderr_fd: i32,
}

/// The inode that was screened, by number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Expected {
    pub dest: PathBuf,
    pub key: String,
    pub device: u64,
    pub inode: u64,
}
