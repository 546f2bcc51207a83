//! The mounts of a jail as a list that is read top to bottom.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Access;

/// One step of building the jail's file system, in order. Sources have no symlinks left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    Bind(Bind),
    Tmpfs(PathBuf),
    Proc(PathBuf),
    Dev(PathBuf),
    Dir(PathBuf),
    Symlink {
        target: PathBuf,
        dest: PathBuf,
    },
    /// A read-only file with this text.
    Data {
        dest: PathBuf,
        text: String,
    },
    /// Makes the mount at this path read-only, not those below.
    RemountRo(PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bind {
    pub source: PathBuf,
    pub dest: PathBuf,
    pub access: Access,
    /// The configuration key that asked for it, for messages.
    pub key: String,
    pub ownership: Ownership,
}

/// Whose the files look like when the session has a host uid of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ownership {
    /// As they are on disk.
    AsIs,
    /// The owner of the source is shown as the session's uid, and what the session writes
    /// lands on disk as that owner's.
    Session,
}

impl Op {
    /// Where it puts something.
    #[must_use]
    pub fn dest(&self) -> &PathBuf {
        match self {
            Self::Bind(Bind { dest, .. })
            | Self::Tmpfs(dest)
            | Self::Proc(dest)
            | Self::Dev(dest)
            | Self::Dir(dest)
            | Self::Symlink { dest, .. }
            | Self::Data { dest, .. }
            | Self::RemountRo(dest) => dest,
        }
    }
}
