//! The program's life as this worker sees it: being started, running, ended.

use std::path::PathBuf;

use nix::sys::stat::Mode;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use portable_pty::CommandBuilder;
use serde::Deserialize;
use tokio::task::JoinHandle;

use crate::limits::START_MAX;
use crate::process::pty::Pty;
use crate::protocol::{Phase, WireExit};

/// What a user's shell has; the worker's own is private.
const PROGRAM_UMASK: Mode = Mode::from_bits_truncate(0o022);

/// Why the program does not run.
#[derive(Debug, Clone)]
pub struct Failure {
    pub kind: String,
    pub message: String,
    pub hint: String,
}

impl Failure {
    pub fn internal(message: impl std::fmt::Display) -> Self {
        Self {
            kind: "internal".to_owned(),
            message: message.to_string(),
            hint: "look at the service's log".to_owned(),
        }
    }
}

impl From<jail::JailError> for Failure {
    fn from(error: jail::JailError) -> Self {
        Self { kind: error.code().to_owned(), message: error.to_string(), hint: error.hint() }
    }
}

/// What becomes known once the jail has executed the program.
pub type StartResult = (jail::Guard, Result<jail::Started, jail::JailError>);

/// A program on its terminal, perhaps not yet executed.
pub struct Launched {
    pub pty: Pty,
    /// The process this worker started and reaps.
    pub pid: i32,
    pub starting: JoinHandle<StartResult>,
}

/// Puts the plan's program on a new terminal of that size.
///
/// # Errors
/// When the jail cannot be prepared or the first process not be started.
pub fn launch(plan: &serde_json::Value, cols: u16, rows: u16) -> Result<Launched, Failure> {
    let plan = jail::Plan::deserialize(plan).map_err(Failure::internal)?;
    // Also after an upgrade this is the very binary that runs now.
    let (launch, mut guard) = jail::prepare(&plan, &PathBuf::from("/proc/self/exe"))?;
    let mut command = CommandBuilder::new(&launch.program);
    command.args(&launch.args);
    command.env_clear();
    for (name, value) in &launch.env {
        command.env(name, value);
    }
    command.cwd(&launch.cwd);
    command.umask(Some(PROGRAM_UMASK.bits()));
    let (pty, pid) = Pty::spawn(command, cols, rows).map_err(|error| Failure {
        kind: "sandbox_unavailable".to_owned(),
        message: format!("the jail's first process could not be started: {error}"),
        hint: "run `ttydrive doctor`".to_owned(),
    })?;
    let starting = tokio::task::spawn_blocking(move || {
        let started = guard.wait_started(pid, START_MAX);
        (guard, started)
    });
    Ok(Launched { pty, pid, starting })
}

/// How far the program has got.
#[derive(Debug)]
pub enum Program {
    Starting,
    Running {
        started: jail::Started,
        guard: jail::Guard,
    },
    Failed(Failure),
    /// Ended; its last output may still be on the way.
    Draining {
        exit: WireExit,
        since: std::time::Instant,
    },
    Exited(WireExit),
}

impl Program {
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Self::Starting => Phase::Starting,
            Self::Running { started, .. } => Phase::Running { child_pid: started.program_pid },
            Self::Failed(Failure { kind, message, hint }) => Phase::SpawnFailed {
                kind: kind.clone(),
                message: message.clone(),
                hint: hint.clone(),
            },
            Self::Draining { exit, .. } | Self::Exited(exit) => Phase::Exited(*exit),
        }
    }

    /// The process below which everything of the program is, and nothing of the jail itself.
    #[must_use]
    pub fn root(&self) -> Option<i32> {
        match self {
            Self::Running { started, .. } => started.init_pid,
            Self::Starting | Self::Failed(_) | Self::Draining { .. } | Self::Exited(_) => None,
        }
    }

    #[must_use]
    pub fn exit(&self) -> Option<WireExit> {
        match self {
            Self::Draining { exit, .. } | Self::Exited(exit) => Some(*exit),
            Self::Starting | Self::Running { .. } | Self::Failed(_) => None,
        }
    }

    /// Whether input and signals reach somebody.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        match self {
            Self::Starting | Self::Running { .. } => true,
            Self::Failed(_) | Self::Draining { .. } | Self::Exited(_) => false,
        }
    }
}

/// Reaps whatever has ended; how `launched` ended, when it was among them.
#[must_use]
pub fn reap(launched: Option<i32>) -> Option<WireExit> {
    let mut found = None;
    loop {
        let (pid, exit) = match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::Exited(pid, code)) => (pid, WireExit::Code(code)),
            Ok(WaitStatus::Signaled(pid, signal, _)) => (pid, WireExit::Signal(signal as i32)),
            Ok(WaitStatus::StillAlive) | Err(_) => return found,
            // Stops and traces are not asked for.
            Ok(_) => continue,
        };
        if Some(pid.as_raw()) == launched {
            found = Some(exit);
        }
    }
}

impl From<jail::ProgramExit> for WireExit {
    fn from(exit: jail::ProgramExit) -> Self {
        match exit {
            jail::ProgramExit::Code(code) => Self::Code(code),
            jail::ProgramExit::Signal(signal) => Self::Signal(signal),
        }
    }
}
