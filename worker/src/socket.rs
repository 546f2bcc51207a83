//! Sockets at paths longer than the 108 bytes a socket address holds.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

/// File name of a session's socket.
#[must_use]
pub fn name(session_id: &str) -> OsString {
    OsString::from(format!("{session_id}.sock"))
}

/// Connects to `<dir>/<session_id>.sock` by way of an open directory, whatever its length.
pub async fn connect(dir: &Path, session_id: &str) -> io::Result<tokio::net::UnixStream> {
    let handle = std::fs::OpenOptions::new()
        .read(true)
        .custom_flags((OFlag::O_DIRECTORY | OFlag::O_CLOEXEC).bits())
        .open(dir)?;
    let short = PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()));
    let stream = tokio::net::UnixStream::connect(short.join(name(session_id))).await?;
    let peer = stream.peer_cred()?.uid();
    if peer != nix::unistd::geteuid().as_raw() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("the socket is served by uid {peer}"),
        ));
    }
    Ok(stream)
}
