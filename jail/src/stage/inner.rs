//! Pid 1 of the jail: checks the mounts, sets the filter, starts the program, reaps.
//!
//! It is the only process that sees how the program really ended, so it tells the worker.
//! When the program ends it ends, and the kernel takes everything else in the namespace.

use std::convert::Infallible;
use std::ffi::{CString, OsString};
use std::os::fd::OwnedFd;
use std::path::Path;

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

use super::inner_plan::InnerPlan;
use super::record::{ExitRecord, Record, send, send_exit};
use super::sys::{self, Forked};
use super::{CANNOT_EXECUTE, internal, seccomp, verify};
use crate::limits::PLAN_BYTES_MAX;
use crate::{JailError, egress};

pub(super) const WORD: &str = "inner";

pub(super) fn run(args: &[OsString]) {
    let fd = args.first().and_then(|arg| arg.to_str()?.parse().ok());
    let plan = fd
        .and_then(sys::inherited)
        .and_then(|fd| verify::read_all(fd, PLAN_BYTES_MAX).ok())
        .and_then(|bytes| serde_json::from_slice::<InnerPlan>(&bytes).ok());
    let Some(plan) = plan else { return };
    let egress = plan.egress_fd.unwrap_or(plan.ready_fd);
    sys::close_all_but(&[plan.ready_fd, plan.stderr_fd, egress]);
    sys::set_undumpable();
    let (Some(ready), Some(stderr)) =
        (sys::inherited(plan.ready_fd), sys::inherited(plan.stderr_fd))
    else {
        return;
    };
    let Err(error) = start(&plan, ready, stderr);
    let _ = error;
}

fn start(plan: &InnerPlan, ready: OwnedFd, stderr: OwnedFd) -> Result<Infallible, JailError> {
    let told = |error: JailError, ready: &OwnedFd| {
        send(ready, &Record::Failed(error.clone()));
        error
    };
    if let Err(error) = prepare(plan, &ready, &stderr) {
        return Err(told(error, &ready));
    }
    match sys::fork() {
        Err(error) => Err(told(internal("fork", error), &ready)),
        Ok(Forked::Child) => {
            let Err(error) = become_program(plan, &ready, &stderr);
            send(&ready, &Record::Failed(error));
            sys::exit_now(CANNOT_EXECUTE.into())
        }
        Ok(Forked::Parent(program)) => {
            drop(ready);
            drop(stderr);
            let exit = reap_until(program);
            send_exit(&mut std::io::stderr(), exit);
            // What a shell would make of it, for those who only see bubblewrap.
            sys::exit_now(match exit {
                ExitRecord::Code(code) => code,
                ExitRecord::Signal(signal) => 128 + signal,
            })
        }
    }
}

fn prepare(plan: &InnerPlan, ready: &OwnedFd, stderr: &OwnedFd) -> Result<(), JailError> {
    for fd in [ready, stderr] {
        fcntl(fd, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))
            .map_err(|error| internal("fcntl", error))?;
    }
    verify::check(&plan.expected)?;
    if let Some(channel) = plan.egress_fd.and_then(sys::inherited) {
        egress::hand_over(&channel).map_err(|error| internal("the egress listener", error))?;
    }
    std::env::set_current_dir(&plan.cwd).map_err(|error| internal("cwd in the jail", error))?;
    sys::set_no_new_privileges().map_err(|error| internal("no_new_privs", error))?;
    seccomp::apply(plan.unix_sockets)
}

fn become_program(
    plan: &InnerPlan,
    ready: &OwnedFd,
    stderr: &OwnedFd,
) -> Result<Infallible, JailError> {
    nix::unistd::setsid().map_err(|error| internal("setsid", error))?;
    if nix::unistd::isatty(std::io::stdin()).unwrap_or(false) {
        sys::take_controlling_terminal()
            .map_err(|error| internal("the controlling terminal", error))?;
    }
    if plan.memory_capped {
        // Nobody else is here yet; exec makes a process visible to its own kind anyway.
        let _ = nix::sys::prctl::set_dumpable(true);
        let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    }
    nix::unistd::dup2_stderr(stderr).map_err(|error| internal("dup2", error))?;
    plan.landlock.apply()?;
    sys::reset_signals();
    send(ready, &Record::Exec { pid: nix::unistd::getpid().as_raw() });
    exec_program(&plan.path, &plan.argv0, &plan.args, &plan.env)
}

pub(super) fn exec_program(
    path: &Path,
    argv0: &str,
    args: &[String],
    env: &[(String, String)],
) -> Result<Infallible, JailError> {
    let failed = |detail: String| JailError::Program { path: path.to_owned(), detail };
    let word = |text: String| {
        CString::new(text).map_err(|_| failed("an argument has a NUL byte".to_owned()))
    };
    let file = sys::c_path(path).map_err(|error| internal("path", error))?;
    let argv: Vec<CString> = std::iter::once(argv0.to_owned())
        .chain(args.iter().cloned())
        .map(word)
        .collect::<Result<_, _>>()?;
    let env: Vec<CString> = env
        .iter()
        .map(|(name, value)| word(format!("{name}={value}")))
        .collect::<Result<_, _>>()?;
    let error = match nix::unistd::execve(&file, &argv, &env) {
        Ok(never) => match never {},
        Err(error) => error,
    };
    Err(failed(if error == nix::Error::ENOENT {
        "its interpreter or loader is not reachable in the jail; use filesystem home or \
         listed-paths"
            .to_owned()
    } else if error == nix::Error::E2BIG {
        "its arguments and environment are too long".to_owned()
    } else {
        format!("cannot be executed: {}", error.desc())
    }))
}

/// Reaps orphans too, as pid 1 has to.
fn reap_until(program: Pid) -> ExitRecord {
    // The terminal is the program's alone; only the log stays.
    if let Ok(null) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = nix::unistd::dup2_stdin(&null);
        let _ = nix::unistd::dup2_stdout(&null);
    }
    loop {
        match waitpid(None::<Pid>, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == program => return ExitRecord::Code(code),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == program => {
                return ExitRecord::Signal(signal as i32);
            }
            Ok(_) | Err(nix::Error::EINTR) => {}
            // No child at all: the program was reaped above, so this cannot come first.
            Err(_) => return ExitRecord::Code(i32::from(CANNOT_EXECUTE)),
        }
    }
}
