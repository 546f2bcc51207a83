//! A program pinned by its bytes: resolved, opened once, hashed.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::JailError;

/// A resolved program and the SHA-256 of its bytes in lower-case hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedProgram {
    pub path: PathBuf,
    pub sha256: String,
}

/// Resolves and hashes a program. With `pinned`, its hash must be that one.
///
/// # Errors
/// When it does not exist, is no executable file, cannot be read, or does not match the pin.
pub fn pin_program(path: &Path, pinned: Option<&str>) -> Result<PinnedProgram, JailError> {
    let problem = |detail: String| JailError::Program { path: path.to_owned(), detail };
    let resolved = std::fs::canonicalize(path).map_err(|error| problem(error.to_string()))?;
    let mut file = File::open(&resolved).map_err(|error| problem(error.to_string()))?;
    let meta = file.metadata().map_err(|error| problem(error.to_string()))?;
    if !meta.is_file() || std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 == 0
    {
        return Err(problem("is not an executable file".to_owned()));
    }
    let sha256 = hash(&mut file).map_err(|error| problem(error.to_string()))?;
    match pinned {
        Some(wanted) if wanted != sha256 => Err(JailError::HashMismatch { path: resolved }),
        _ => Ok(PinnedProgram { path: resolved, sha256 }),
    }
}

pub(crate) fn hash(file: &mut File) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 65_536];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hex::encode(hasher.finalize()));
        }
        hasher.update(buffer.get(..read).unwrap_or_default());
    }
}
