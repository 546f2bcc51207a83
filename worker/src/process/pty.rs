//! The master side of the program's terminal: opened by portable-pty, driven without blocking.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

use filedescriptor::FileDescriptor;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{LocalFlags, tcgetattr};
use portable_pty::{CommandBuilder, MasterPty, PtyPair, PtySize, native_pty_system};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// What one attempt to read gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadOutcome {
    Bytes(usize),
    /// Nothing now.
    Empty,
    /// No process holds the terminal any more.
    Ended,
}

/// The terminal's line discipline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TtyMode {
    pub canonical: bool,
    pub echo: bool,
    pub signals: bool,
}

/// Tells this terminal from another one, also through the eyes of another mount namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TtyIdentity {
    pub filesystem: u64,
    pub inode: u64,
    pub device: u64,
}

pub struct Pty {
    master: Box<dyn MasterPty + Send>,
    fd: AsyncFd<File>,
    identity: Option<TtyIdentity>,
}

impl Pty {
    /// Opens a terminal of that size and starts a command on it, as the leader of a session of
    /// its own with this controlling terminal. Returns the command's process id.
    pub fn spawn(command: CommandBuilder, cols: u16, rows: u16) -> io::Result<(Self, i32)> {
        let PtyPair { slave, master } =
            native_pty_system().openpty(size(cols, rows)).map_err(into_io)?;
        let raw = master.as_raw_fd().ok_or_else(|| io::Error::other("the terminal has no fd"))?;
        let file = FileDescriptor::dup(&raw)
            .and_then(|fd| fd.as_file())
            .map_err(|error| io::Error::other(error.to_string()))?;
        let flags = OFlag::from_bits_retain(fcntl(&file, FcntlArg::F_GETFL)?);
        fcntl(&file, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        let identity = master.tty_name().and_then(identity);
        let child = slave.spawn_command(command).map_err(into_io)?;
        drop(slave);
        let pid = child
            .process_id()
            .and_then(|pid| i32::try_from(pid).ok())
            .ok_or_else(|| io::Error::other("the child has no process id"))?;
        #[expect(deprecated, reason = "a File keeps its descriptor, which is all that is asked")]
        let fd = AsyncFd::with_interest(file, Interest::READABLE | Interest::WRITABLE)?;
        Ok((Self { master, fd, identity }, pid))
    }

    pub async fn readable(&self) {
        // An error shows again at the read.
        let _ = self.fd.readable().await.map(|mut guard| guard.retain_ready());
    }

    pub async fn writable(&self) {
        let _ = self.fd.writable().await.map(|mut guard| guard.retain_ready());
    }

    pub fn read(&self, buffer: &mut [u8]) -> ReadOutcome {
        loop {
            return match self.fd.try_io(Interest::READABLE, |mut file| file.read(buffer)) {
                Ok(0) => ReadOutcome::Ended,
                Ok(bytes) => ReadOutcome::Bytes(bytes),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => ReadOutcome::Empty,
                // EIO is how Linux says that the last holder closed it; nothing else is better.
                Err(_) => ReadOutcome::Ended,
            };
        }
    }

    /// Tries even when the runtime has seen no wake-up: a terminal's are not to be relied on.
    pub fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let write = |mut file: &File| file.write(bytes);
        match self.fd.try_io(Interest::WRITABLE, write) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => write(self.fd.get_ref()),
            tried => tried,
        }
    }

    pub fn resize(&self, cols: u16, rows: u16) -> io::Result<()> {
        self.master.resize(size(cols, rows)).map_err(into_io)
    }

    #[must_use]
    pub fn mode(&self) -> Option<TtyMode> {
        let flags = tcgetattr(self.fd.get_ref().as_fd()).ok()?.local_flags;
        Some(TtyMode {
            canonical: flags.contains(LocalFlags::ICANON),
            echo: flags.contains(LocalFlags::ECHO),
            signals: flags.contains(LocalFlags::ISIG),
        })
    }

    /// The foreground process group, as this process sees its number.
    #[must_use]
    pub fn foreground(&self) -> Option<i32> {
        let group = nix::unistd::tcgetpgrp(self.fd.get_ref().as_fd()).ok()?.as_raw();
        (group > 0).then_some(group)
    }

    /// Whether the program could read something right now and has not: a whole line in
    /// canonical mode, anything otherwise.
    #[must_use]
    pub fn unread_input(&self) -> Option<bool> {
        let flags = (OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC).bits();
        let mut open = OpenOptions::new();
        let slave = open.read(true).custom_flags(flags).open(self.master.tty_name()?).ok()?;
        let mut asked = [PollFd::new(slave.as_fd(), PollFlags::POLLIN)];
        poll(&mut asked, PollTimeout::ZERO).ok()?;
        asked.first()?.any()
    }

    #[must_use]
    pub fn identity(&self) -> Option<TtyIdentity> {
        self.identity
    }
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn identity(path: PathBuf) -> Option<TtyIdentity> {
    let meta = std::fs::metadata(path).ok()?;
    Some(TtyIdentity { filesystem: meta.dev(), inode: meta.ino(), device: meta.rdev() })
}

/// portable-pty wraps the error it got from the system.
fn into_io<E: std::fmt::Display + AsRef<dyn std::error::Error + Send + Sync>>(
    error: E,
) -> io::Error {
    let cause: &(dyn std::error::Error + Send + Sync) = error.as_ref();
    let code = cause.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    code.map_or_else(|| io::Error::other(error.to_string()), io::Error::from_raw_os_error)
}
