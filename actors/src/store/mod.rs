//! The one place that writes below the data dir: an SQLite database in WAL mode.
//!
//! ```text
//! callers ──bounded queue──▶ writer thread ──one transaction per batch──▶ ttydrive.sqlite3
//!         ──bounded queue──▶ reader thread ──committed state only──────▶
//! ```
//!
//! **What was acknowledged is there after a power cut.** `synchronous=FULL`: a commit returns
//! after its pages reached the disk, and a caller is answered after the commit. Whatever queued
//! up during one flush goes into the next transaction together, so hundreds of writes a second
//! cost a few flushes. A job that fails is rolled back alone (savepoint); a commit that fails
//! is an error to every caller of its batch. Nothing is dropped in silence.
//!
//! **One daemon per data dir**: `daemon.lock` is held for the life of the `Store`. The token
//! commands open the database beside a running daemon; WAL and a busy timeout make that safe.
//!
//! Files are 0600 in a directory 0700. What it does not do: decide. It knows SQL and rows;
//! the machines beside it know what rows mean.

mod connection;
mod descriptors;
mod error;
mod files;
mod job;
mod lock;
pub(crate) mod projects;
mod schema;
#[cfg(test)]
mod tests;
mod threads;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;

pub use descriptors::DescriptorRow;
pub use error::StoreError;
pub use files::{read_private, remove_durably, set_aside, write_private};

pub(crate) use connection::open_beside_daemon;

/// Folder below the data dir where workers make their sockets.
pub const SOCKETS: &str = "run";

/// Handle to the store of one data dir. Cheap to clone; the last clone releases the lock.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    data_dir: PathBuf,
    writer: threads::Queue,
    reader: threads::Queue,
    /// Dropped last: no second daemon may start while the queues still drain.
    _lock: lock::DataDirLock,
}

impl Store {
    /// Takes the data dir's lock, opens or creates the database and brings its schema up to
    /// date. Blocking; meant for the start of the daemon.
    ///
    /// # Errors
    /// Another daemon holds the data dir, it cannot be written, or its database is newer than
    /// this program.
    pub fn open(data_dir: &Path) -> Result<Self, StoreError> {
        files::ensure_private_dir(data_dir)?;
        files::ensure_private_dir(&data_dir.join(SOCKETS))?;
        let lock = lock::DataDirLock::take(data_dir)?;
        let writer = connection::open_writer(data_dir)?;
        let reader = connection::open_reader(data_dir)?;
        Ok(Self {
            inner: Arc::new(Inner {
                data_dir: data_dir.to_path_buf(),
                writer: threads::start_writer(writer)?,
                reader: threads::start_reader(reader)?,
                _lock: lock,
            }),
        })
    }

    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.inner.data_dir
    }

    /// Runs `work` in a transaction and answers after its commit.
    ///
    /// # Errors
    /// `work` failed, the commit failed (full or read-only disk), or the queue stayed full.
    pub async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.inner.writer.call(work).await
    }

    /// Runs `work` on committed state. Never waits behind a disk flush.
    ///
    /// # Errors
    /// `work` failed, or the queue stayed full.
    pub async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.inner.reader.call(work).await
    }

    /// Jobs that wait for the writer now (a metric).
    #[must_use]
    pub fn writes_waiting(&self) -> usize {
        self.inner.writer.waiting()
    }
}
