//! From a plan to a running program, seen from the worker.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{JailError, Plan};

/// What to start on the PTY slave. The environment is complete: start from an empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
    pub cwd: PathBuf,
}

/// Keeps what the stage reads; hold it as long as the program runs.
#[derive(Debug)]
pub struct Guard {}

/// Host pids of a program that was really executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// The program itself.
    pub program_pid: i32,
    /// Pid 1 of its PID namespace: `SIGKILL` to it ends everything the session started.
    /// `None` when the sandbox is disabled.
    pub init_pid: Option<i32>,
}

/// How the program itself ended, told by the jail's init; a shell-like 128+N is not guessed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramExit {
    Code(i32),
    Signal(i32),
}

/// Makes everything ready for one start. `self_exe` is the `ttydrive` binary.
///
/// # Errors
/// When a descriptor cannot be made.
pub fn prepare(plan: &Plan, self_exe: &Path) -> Result<(Launch, Guard), JailError> {
    let _ = (plan, self_exe);
    Err(JailError::Unavailable { detail: "not built".to_owned(), fix: String::new() })
}

impl Guard {
    /// Blocks until the program was executed, or says why it was not. `launched_pid` is the
    /// process started from `Launch`. Call it on a thread that may block.
    ///
    /// # Errors
    /// The stage's, bubblewrap's or the kernel's own words.
    pub fn wait_started(
        &mut self,
        launched_pid: i32,
        deadline: Duration,
    ) -> Result<Started, JailError> {
        let _ = (launched_pid, deadline);
        Err(JailError::Unavailable { detail: "not built".to_owned(), fix: String::new() })
    }

    /// Call after the launched process was reaped. `None`: the jail was killed from outside
    /// or is disabled; then the launched process's own status is the answer.
    pub fn exit(&mut self) -> Option<ProgramExit> {
        None
    }
}

/// Closes every descriptor above standard error. For the first line of a worker's `main`.
pub fn close_inherited_fds() {}
