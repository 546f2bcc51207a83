//! Is what was screened what is there? Compared by device and inode.

use std::fs::File;
use std::io::{Read, Seek};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;

use super::inner_plan::Expected;
use crate::{JailError, Program, pin};

/// Opens without following anything: a planned source has no symlinks left, so one that
/// shows up now was put there since.
pub(super) fn open_source(key: &str, source: &Path) -> Result<OwnedFd, JailError> {
    let problem =
        |detail: String| JailError::Source { key: key.to_owned(), path: source.to_owned(), detail };
    let flags = OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let fd = open(source, flags, Mode::empty())
        .map_err(|error| problem(format!("cannot be opened: {}", error.desc())))?;
    let link = PathBuf::from(format!("/proc/self/fd/{}", fd.as_raw_fd()));
    let real = std::fs::read_link(&link).map_err(|error| problem(error.to_string()))?;
    if real != source {
        return Err(problem(format!("was moved: it is {} now", real.display())));
    }
    Ok(fd)
}

pub(super) fn expected(key: &str, dest: &Path, fd: &OwnedFd) -> Result<Expected, JailError> {
    let stat = nix::sys::stat::fstat(fd).map_err(|error| super::internal("fstat", error))?;
    Ok(Expected {
        dest: dest.to_owned(),
        key: key.to_owned(),
        device: stat.st_dev,
        inode: stat.st_ino,
    })
}

/// Opens the program once and hashes what was opened.
pub(super) fn open_program(program: &Program) -> Result<OwnedFd, JailError> {
    let path = &program.path;
    let problem = |detail: String| JailError::Program { path: path.clone(), detail };
    let mut file = File::open(path).map_err(|error| problem(error.to_string()))?;
    let hash = pin::hash(&mut file).map_err(|error| problem(error.to_string()))?;
    if hash != program.sha256 {
        return Err(JailError::HashMismatch { path: path.clone() });
    }
    file.rewind().map_err(|error| problem(error.to_string()))?;
    Ok(file.into())
}

/// From inside: every mount shows what was screened.
pub(super) fn check(expected: &[Expected]) -> Result<(), JailError> {
    for expected in expected {
        let problem = |detail: String| JailError::Source {
            key: expected.key.clone(),
            path: expected.dest.clone(),
            detail,
        };
        let meta = std::fs::metadata(&expected.dest)
            .map_err(|error| problem(format!("is not in the jail: {error}")))?;
        if (meta.dev(), meta.ino()) != (expected.device, expected.inode) {
            return Err(problem("was exchanged while the jail was made".to_owned()));
        }
    }
    Ok(())
}

/// All of an inherited memfd.
pub(super) fn read_all(fd: OwnedFd, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut file = File::from(fd);
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(u64::try_from(limit).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
