//! Directories of the agents' workspaces. The jail maps their owner to the session's own uid,
//! so they belong to the service and nobody else may look in.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Makes `<workspace>/projects` and returns it with symlinks resolved.
///
/// # Errors
/// It cannot be made.
pub fn projects(workspace: &Path) -> io::Result<PathBuf> {
    let projects = workspace.join("projects");
    DirBuilder::new().recursive(true).mode(0o700).create(&projects)?;
    fs::canonicalize(projects)
}

/// Makes the directory of the workers' sockets.
///
/// # Errors
/// It cannot be made.
pub fn sockets(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// Makes a project on first use. What a program put in its place is not followed outside.
///
/// # Errors
/// It cannot be made, or is something else than a directory inside.
pub fn project(projects: &Path, name: &str) -> io::Result<PathBuf> {
    let wanted = projects.join(name);
    match DirBuilder::new().mode(0o700).create(&wanted) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let real = fs::canonicalize(&wanted)?;
    if real.starts_with(projects) && real.is_dir() {
        Ok(real)
    } else {
        Err(io::Error::other("is not a directory inside the workspace"))
    }
}
