//! Small private files below the data dir: atomic, durable, 0600.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use super::StoreError;

/// Damaged files of one name within one millisecond.
const SET_ASIDE_TRIES: u64 = 100;

/// Creates the directory (and its parents) 0700; an existing one is tightened.
pub(crate) fn ensure_private_dir(dir: &Path) -> Result<(), StoreError> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(|e| StoreError::file(dir, &e))?;
    let mode = fs::metadata(dir).map_err(|e| StoreError::file(dir, &e))?.permissions().mode();
    if mode & 0o077 != 0 {
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
            .map_err(|e| StoreError::file(dir, &e))?;
    }
    Ok(())
}

/// Replaces `dir/name` in one step: temporary file, fsync, rename, fsync of the directory.
/// After a power cut either the old or the new content is there, never a part.
///
/// # Errors
/// Any step failed; the old content is then still in place.
pub fn write_private(dir: &Path, name: &str, content: &[u8]) -> Result<(), StoreError> {
    ensure_private_dir(dir)?;
    let temporary = dir.join(format!(".{name}.tmp"));
    let written = write_and_rename(dir, name, &temporary, content);
    if written.is_err() {
        // Best effort: the next write truncates it anyway.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_and_rename(
    dir: &Path,
    name: &str,
    temporary: &Path,
    content: &[u8],
) -> Result<(), StoreError> {
    let failed = |e: std::io::Error| StoreError::file(temporary, &e);
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(temporary)
        .map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    fs::rename(temporary, dir.join(name)).map_err(failed)?;
    sync_dir(dir)
}

/// Removes a file so that it stays removed after a power cut. A missing file is fine.
///
/// # Errors
/// The file system refused.
pub fn remove_durably(dir: &Path, name: &str) -> Result<(), StoreError> {
    let path = dir.join(name);
    match fs::remove_file(&path) {
        Ok(()) => sync_dir(dir),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(StoreError::file(&path, &e)),
    }
}

/// Renames a file that cannot be used, so that somebody can look at it; returns its new name.
///
/// # Errors
/// The file system refused.
pub fn set_aside(dir: &Path, name: &str, now_ms: i64) -> Result<String, StoreError> {
    // Two of one moment must not replace each other.
    let free = (0..SET_ASIDE_TRIES)
        .map(|n| format!("{name}.damaged-{now_ms}-{n}"))
        .find(|candidate| !dir.join(candidate).exists());
    let Some(aside) = free else {
        return Err(StoreError::LimitReached { what: "damaged files", limit: SET_ASIDE_TRIES });
    };
    fs::rename(dir.join(name), dir.join(&aside)).map_err(|e| StoreError::file(dir, &e))?;
    sync_dir(dir)?;
    Ok(aside)
}

/// Reads at most `bytes_max` bytes; `None` when there is no such file.
///
/// # Errors
/// The file cannot be read or is longer.
pub fn read_private(path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(StoreError::file(path, &e)),
    };
    let mut content = Vec::new();
    file.take(bytes_max.saturating_add(1))
        .read_to_end(&mut content)
        .map_err(|e| StoreError::file(path, &e))?;
    if content.len() as u64 > bytes_max {
        return Err(StoreError::File {
            path: path.to_path_buf(),
            detail: format!("longer than {bytes_max} bytes"),
        });
    }
    Ok(Some(content))
}

fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    File::open(dir).and_then(|d| d.sync_all()).map_err(|e| StoreError::file(dir, &e))
}
