//! From a plan to a running program, seen from the worker.
//!
//! `prepare` makes what the stage reads and tells on; the worker starts the `Launch` on its
//! PTY and keeps the `Guard`. `wait_started` says whether the program was really executed:
//! what bubblewrap or the kernel had against it comes as an error, never as screen text.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::memfd::{MFdFlags, memfd_create};

use crate::egress::{Egress, Report};
use crate::limits::{CGROUP_EMPTY, LOG_BYTES_MAX, PLAN_BYTES_MAX, RECORDS_BYTES_MAX};
use crate::stage::inner_plan::Handed;
use crate::stage::record::{ExitRecord, Record, parse, parse_log};
use crate::{CgroupPlan, EgressPlan, JailError, Plan, stage, symptoms, tree};

/// What to start on the PTY slave. The environment is complete: start from an empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
    pub cwd: PathBuf,
}

/// Keeps what the stage reads; hold it until the launched process was reaped.
#[derive(Debug)]
pub struct Guard {
    /// The stage opens these through `/proc/<pid>/fd`; dropped once it has.
    for_stage: Option<ForStage>,
    ready: OwnedFd,
    log: OwnedFd,
    jailed: bool,
    cgroup: Option<CgroupPlan>,
    /// Readable once pid 1 of the jail, and with it all in there, has ended.
    init: Option<OwnedFd>,
    egress: Option<Egress>,
    records: Vec<u8>,
    log_text: Vec<u8>,
}

#[derive(Debug)]
struct ForStage {
    _plan: File,
    _ready: OwnedFd,
    _log: OwnedFd,
}

/// Host pids of a program that was really executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// The program itself. A program that ended at once has the launched process's.
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
/// The launched process must be started by a thread that lives as long as the session: the
/// kernel takes the end of that thread for the end of the parent and ends the jail.
///
/// # Errors
/// When a descriptor cannot be made.
pub fn prepare(plan: &Plan, self_exe: &Path) -> Result<(Launch, Guard), JailError> {
    let failed = |error: String| JailError::Start {
        detail: format!("descriptors for the start: {error}"),
        fix: "Raise the limit of open files (ulimit -n).".to_owned(),
    };
    let from_nix = |error: nix::Error| failed(error.desc().to_owned());
    let rules = plan.jail.as_ref().and_then(|jail| jail.egress.as_ref()).map(EgressPlan::rules);
    let egress = rules.transpose()?.map(Egress::start).transpose()?;
    let handed = Handed {
        plan: plan.clone(),
        egress_socket: egress.as_ref().map(|egress| egress.socket_name.clone()),
    };
    let json = serde_json::to_vec(&handed).map_err(|error| failed(error.to_string()))?;
    if json.len() > PLAN_BYTES_MAX {
        return Err(failed(format!("arguments and environment exceed {PLAN_BYTES_MAX} bytes")));
    }
    let plan_fd = memfd_create(c"plan", MFdFlags::MFD_CLOEXEC).map_err(from_nix)?;
    let mut plan_file = File::from(plan_fd);
    plan_file
        .write_all(&json)
        .and_then(|()| plan_file.rewind())
        .map_err(|error| failed(error.to_string()))?;
    let (ready, ready_end) = nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(from_nix)?;
    let (log, log_end) = nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(from_nix)?;
    for fd in [&ready, &log] {
        fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(from_nix)?;
    }
    let numbers = [plan_file.as_raw_fd(), ready_end.as_raw_fd(), log_end.as_raw_fd()];
    let pid = std::process::id().to_string();
    let args = ["jail-exec".to_owned(), pid]
        .into_iter()
        .chain(numbers.map(|number| number.to_string()))
        .map(OsString::from)
        .collect();
    let cgroup = plan.jail.as_ref().and_then(|jail| jail.cgroup.clone());
    if let Some(cgroup) = &cgroup {
        cgroup.sweep();
    }
    let launch =
        Launch { program: self_exe.to_owned(), args, env: Vec::new(), cwd: PathBuf::from("/") };
    let guard = Guard {
        for_stage: Some(ForStage { _plan: plan_file, _ready: ready_end, _log: log_end }),
        ready,
        log,
        jailed: plan.jail.is_some(),
        cgroup,
        init: None,
        egress,
        records: Vec::new(),
        log_text: Vec::new(),
    };
    Ok((launch, guard))
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
        let pid_inside = self.wait_exec(launched_pid, deadline)?;
        if !self.jailed {
            return Ok(Started { program_pid: launched_pid, init_pid: None });
        }
        let init_pid = tree::children(launched_pid).first().copied();
        self.init = init_pid.and_then(tree::watch);
        let program_pid = init_pid.and_then(|init| {
            tree::children(init)
                .into_iter()
                .find(|pid| tree::innermost_pid(*pid) == Some(pid_inside))
        });
        Ok(Started { program_pid: program_pid.unwrap_or(launched_pid), init_pid })
    }

    /// The pid the program has inside, once its exec has closed the pipe.
    fn wait_exec(&mut self, launched_pid: i32, deadline: Duration) -> Result<i32, JailError> {
        let process = tree::watch(launched_pid);
        let mut left = deadline;
        loop {
            let before = left;
            let gone = self.wait_readable(process.as_ref(), &mut left);
            let closed = read_some(&self.ready, &mut self.records, RECORDS_BYTES_MAX);
            let _ = read_some(&self.log, &mut self.log_text, LOG_BYTES_MAX);
            let records = parse(&self.records);
            let hello = records.contains(&Record::Hello) && self.for_stage.take().is_some();
            let failed = records.iter().find_map(|record| match record {
                Record::Failed(error) => Some(error.clone()),
                Record::Hello | Record::Exec { .. } => None,
            });
            if let Some(error) = failed {
                return Err(error);
            }
            // A stage that died before its hello leaves our own ends of the pipes open.
            if closed || gone && self.for_stage.is_some() {
                return self.verdict(&records);
            }
            // Our own ends are closed from here on, so the next look sees the pipe's end.
            if hello {
                continue;
            }
            if left.is_zero() || (gone && before == left) {
                return Err(JailError::Start {
                    detail: format!("it was not executed within {} ms", deadline.as_millis()),
                    fix: "The machine is overloaded, or a path of the scope is on a file system \
                          that hangs."
                        .to_owned(),
                });
            }
        }
    }

    fn verdict(&mut self, records: &[Record]) -> Result<i32, JailError> {
        let executed = records.iter().find_map(|record| match record {
            Record::Exec { pid } => Some(*pid),
            Record::Hello | Record::Failed(_) => None,
        });
        executed.ok_or_else(|| {
            let _ = read_some(&self.log, &mut self.log_text, LOG_BYTES_MAX);
            let (_, text) = parse_log(&self.log_text);
            symptoms::bwrap_failed(&text)
        })
    }

    /// Waits in slices, so that no clock is needed. True when the launched process has ended.
    fn wait_readable(&self, process: Option<&OwnedFd>, left: &mut Duration) -> bool {
        const SLICE: Duration = Duration::from_millis(100);
        let slice = SLICE.min(*left);
        let mut fds = vec![PollFd::new(self.ready.as_fd(), PollFlags::POLLIN)];
        fds.extend(process.map(|fd| PollFd::new(fd.as_fd(), PollFlags::POLLIN)));
        let timeout = PollTimeout::try_from(slice).unwrap_or(PollTimeout::ZERO);
        if !matches!(poll(&mut fds, timeout), Ok(count) if count > 0) {
            *left = left.saturating_sub(slice);
        }
        fds.get(1).and_then(PollFd::any).unwrap_or(false)
    }

    /// What the egress proxy did, for `network: listed-hosts`.
    #[must_use]
    pub fn egress(&self) -> Option<Arc<Report>> {
        self.egress.as_ref().map(|egress| Arc::clone(&egress.report))
    }

    /// Call after the launched process was reaped. `None`: the jail was killed from outside
    /// or is disabled; then the launched process's own status is the answer.
    pub fn exit(&mut self) -> Option<ProgramExit> {
        let _ = read_some(&self.log, &mut self.log_text, LOG_BYTES_MAX);
        match parse_log(&self.log_text).0? {
            ExitRecord::Code(code) => Some(ProgramExit::Code(code)),
            ExitRecord::Signal(signal) => Some(ProgramExit::Signal(signal)),
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Some(cgroup) = &self.cgroup else { return };
        // Killed from outside, the launched process can be gone before what it started is.
        if let Some(init) = &self.init {
            let timeout = PollTimeout::try_from(CGROUP_EMPTY).unwrap_or(PollTimeout::ZERO);
            let _ = poll(&mut [PollFd::new(init.as_fd(), PollFlags::POLLIN)], timeout);
        }
        cgroup.remove();
    }
}

/// Takes what is there. True when the other side has closed.
fn read_some(fd: &OwnedFd, into: &mut Vec<u8>, limit: usize) -> bool {
    let mut buffer = [0; 4096];
    while into.len() < limit {
        match nix::unistd::read(fd, &mut buffer) {
            Ok(0) => return true,
            Ok(count) => into.extend_from_slice(buffer.get(..count).unwrap_or_default()),
            Err(nix::Error::EINTR) => {}
            Err(_) => return false,
        }
    }
    false
}

/// Closes every descriptor above standard error. For the first line of a worker's `main`.
pub fn close_inherited_fds() {
    stage::sys::close_from(3);
}

impl Started {
    /// Ends everything the session started, at once.
    pub fn kill_tree(self) {
        let pid = nix::unistd::Pid::from_raw(self.init_pid.unwrap_or(self.program_pid));
        let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
    }
}
