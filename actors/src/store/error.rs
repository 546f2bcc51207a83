//! What can go wrong with the data dir. Cloneable, because one failed commit answers many.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    #[error("another daemon ({holder}) uses the data dir {}", path.display())]
    DataDirBusy { path: PathBuf, holder: String },
    #[error("{}: {detail}", path.display())]
    File { path: PathBuf, detail: String },
    #[error("the database has schema {found}, this program knows up to {known}")]
    NewerSchema { found: i64, known: i64 },
    #[error("the disk of the data dir is full")]
    DiskFull,
    #[error("the data dir is read-only")]
    ReadOnly,
    #[error("the database is locked by another process")]
    Locked,
    #[error("the database is damaged: {0}")]
    Damaged(String),
    #[error("too many writes are waiting for the disk")]
    Overloaded,
    #[error("the store has stopped")]
    Stopped,
    #[error("database: {0}")]
    Database(String),
    #[error("a stored row cannot be read: {0}")]
    BadRow(String),
    #[error("{what} has reached its limit of {limit}")]
    LimitReached { what: &'static str, limit: u64 },
}

impl StoreError {
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Self {
        let detail = error.to_string();
        if error.kind() == ErrorKind::StorageFull {
            Self::DiskFull
        } else if error.kind() == ErrorKind::ReadOnlyFilesystem {
            Self::ReadOnly
        } else {
            Self::File { path: path.to_path_buf(), detail }
        }
    }

    /// What the operator can do about it, where that is known.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::DataDirBusy { .. } => {
                Some("stop the other `ttydrive serve`, or give this one its own --data-dir")
            }
            Self::File { .. } => Some("check that the data dir exists and belongs to this user"),
            Self::NewerSchema { .. } => Some("use the newer ttydrive, or another --data-dir"),
            Self::DiskFull => Some("free space on the file system of the data dir, then try again"),
            Self::ReadOnly => Some("make the data dir writable, then try again"),
            Self::Locked | Self::Overloaded => Some("try again in a few seconds"),
            Self::Damaged(_) => {
                Some("move ttydrive.sqlite3* out of the data dir and restart; tokens are lost")
            }
            Self::LimitReached { .. } => Some("wait until older entries have expired"),
            Self::Stopped | Self::Database(_) | Self::BadRow(_) => None,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let detail = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(detail),
            Some(_) | None => Self::Database(detail),
        }
    }
}
