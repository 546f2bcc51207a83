//! Opening the database file.

use std::fs::{self, OpenOptions, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::{StoreError, files, schema};

const DATABASE_FILE: &str = "ttydrive.sqlite3";
/// How long one process waits for another's transaction. Ours last milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The write-ahead log is cut back to this after a checkpoint.
const WAL_BYTES_MAX: i64 = 64 * 1024 * 1024;
/// Distinct statements of this crate, with room to grow.
const STATEMENTS_CACHED: usize = 64;

pub(super) fn open_writer(data_dir: &Path) -> Result<Connection, StoreError> {
    let mut connection = open_file(data_dir)?;
    let mode: String = connection.query_row("PRAGMA journal_mode=WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::Database(format!("journal mode is {mode}, not wal")));
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "journal_size_limit", WAL_BYTES_MAX)?;
    schema::migrate(&mut connection)?;
    Ok(connection)
}

pub(super) fn open_reader(data_dir: &Path) -> Result<Connection, StoreError> {
    let connection = open_file(data_dir)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// For the token commands: works whether or not a daemon holds the data dir.
pub(crate) fn open_beside_daemon(data_dir: &Path) -> Result<Connection, StoreError> {
    files::ensure_private_dir(data_dir)?;
    open_writer(data_dir)
}

fn open_file(data_dir: &Path) -> Result<Connection, StoreError> {
    let path = data_dir.join(DATABASE_FILE);
    ensure_private_file(&path)?;
    let connection = Connection::open(&path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED);
    Ok(connection)
}

/// SQLite would create the file with the umask; its side files take over the mode of this one.
///
/// An existing file is never opened here: closing any descriptor of it would drop all locks
/// that SQLite holds on it in this process, and the next token command would then delete the
/// write-ahead log of the running daemon.
fn ensure_private_file(path: &Path) -> Result<(), StoreError> {
    let failed = |e: std::io::Error| StoreError::file(path, &e);
    match fs::metadata(path) {
        Ok(found) if found.permissions().mode() & 0o077 == 0 => Ok(()),
        Ok(_) => fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(failed),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
            match created {
                Ok(_) => Ok(()),
                // Somebody else was first, with the same mode.
                Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(()),
                Err(e) => Err(failed(e)),
            }
        }
        Err(e) => Err(failed(e)),
    }
}
