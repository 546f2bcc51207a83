//! One daemon per data dir, by `flock`: released by the kernel however the daemon ends.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use super::StoreError;

const LOCK_FILE: &str = "daemon.lock";
/// More than any pid needs; the file is ours, but it is read before it is trusted.
const HOLDER_BYTES_MAX: u64 = 32;

pub(super) struct DataDirLock {
    _file: Flock<File>,
}

impl DataDirLock {
    pub(super) fn take(data_dir: &Path) -> Result<Self, StoreError> {
        let path = data_dir.join(LOCK_FILE);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(|e| StoreError::file(&path, &e))?;
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(mut held) => {
                // The pid only makes the other side's message better.
                let written = held
                    .set_len(0)
                    .and_then(|()| held.rewind())
                    .and_then(|()| held.write_all(std::process::id().to_string().as_bytes()));
                written.map_err(|e| StoreError::file(&path, &e))?;
                Ok(Self { _file: held })
            }
            Err((mut file, Errno::EWOULDBLOCK)) => Err(StoreError::DataDirBusy {
                path: data_dir.to_path_buf(),
                holder: holder(&mut file),
            }),
            Err((_, errno)) => Err(StoreError::file(&path, &errno.into())),
        }
    }
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    match file.take(HOLDER_BYTES_MAX).read_to_string(&mut text) {
        Ok(_) if text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty() => {
            format!("pid {text}")
        }
        Ok(_) | Err(_) => "pid unknown".to_owned(),
    }
}
