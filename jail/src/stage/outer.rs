//! The stage on the PTY: opens, hashes, mounts, drops the uid and becomes bubblewrap.

use std::convert::Infallible;
use std::ffi::{CStr, CString, OsString};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::unistd::{Gid, Uid};

use super::inner_plan::{Handed, InnerPlan};
use super::record::{Record, send};
use super::sources::Sources;
use super::{direct, inner, internal, landlock, sys, verify};
use crate::limits::PLAN_BYTES_MAX;
use crate::plan::{Identity, JailPlan, options};
use crate::{JailError, Plan, egress, symptoms};

/// The worker's descriptors, opened.
struct Pipes {
    plan: File,
    ready: OwnedFd,
    log: OwnedFd,
}

pub(super) fn run(args: &[OsString]) {
    sys::close_from(3);
    let pipes = match open_pipes(args) {
        Ok(pipes) => pipes,
        // There is nobody else to tell.
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "ttydrive jail-exec: {error}");
            return;
        }
    };
    send(&pipes.ready, &Record::Hello);
    let Err(error) = start(pipes.plan, &pipes.ready, pipes.log);
    send(&pipes.ready, &Record::Failed(error));
}

/// `<pid> <plan fd> <ready fd> <log fd>` of the worker.
fn open_pipes(args: &[OsString]) -> Result<Pipes, JailError> {
    let numbers: Vec<u32> = args.iter().filter_map(|arg| arg.to_str()?.parse().ok()).collect();
    let [pid, plan, ready, log] = numbers.as_slice() else {
        return Err(internal("arguments", "this stage is started by a worker only"));
    };
    let open = |fd: &u32, write: bool| {
        File::options()
            .read(!write)
            .write(write)
            .custom_flags(nix::libc::O_CLOEXEC | nix::libc::O_NOCTTY)
            .open(format!("/proc/{pid}/fd/{fd}"))
            .map_err(|error| internal("the worker's descriptors", error))
    };
    let plan = open(plan, false)?;
    Ok(Pipes { plan, ready: open(ready, true)?.into(), log: open(log, true)?.into() })
}

fn start(plan: File, ready: &OwnedFd, log: OwnedFd) -> Result<Infallible, JailError> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(PLAN_BYTES_MAX).unwrap_or(u64::MAX);
    plan.take(limit).read_to_end(&mut bytes).map_err(|error| internal("plan", error))?;
    let handed: Handed = serde_json::from_slice(&bytes).map_err(|error| internal("plan", error))?;
    let plan = handed.plan;
    let program = verify::open_program(&plan.program)?;
    match &plan.jail {
        None => direct::start(&plan, &program, ready),
        Some(jail) => {
            let egress = handed.egress_socket.as_deref().map(connect_proxy).transpose()?;
            let pipes = [ready, &log];
            confined(&plan, jail, &program, pipes, egress.as_ref())
        }
    }
}

fn confined(
    plan: &Plan,
    jail: &JailPlan,
    program: &OwnedFd,
    [ready, log]: [&OwnedFd; 2],
    egress: Option<&OwnedFd>,
) -> Result<Infallible, JailError> {
    if let Some(cgroup) = &jail.cgroup {
        cgroup.enter()?;
    }
    let mut sources = Sources::open(jail)?;
    // The last mount is the program's: it has to be the file that was hashed.
    let hashed = verify::expected("match.path", &plan.program.path, program)?;
    sources.expected.push(hashed);
    let stderr = nix::unistd::dup(std::io::stderr()).map_err(|error| internal("dup", error))?;
    inherit(&stderr)?;
    inherit(ready)?;
    let inner_plan = InnerPlan {
        path: plan.program.path.clone(),
        argv0: plan
            .program
            .argv0
            .clone()
            .unwrap_or_else(|| plan.program.path.to_string_lossy().into_owned()),
        args: plan.program.args.clone(),
        env: plan.env.clone(),
        cwd: plan.cwd.clone(),
        expected: std::mem::take(&mut sources.expected),
        unix_sockets: jail.unix_sockets,
        landlock: landlock::Rules::of(jail, &plan.program.path),
        memory_capped: jail.memory_capped,
        egress_fd: egress.map(AsRawFd::as_raw_fd),
        ready_fd: ready.as_raw_fd(),
        stderr_fd: stderr.as_raw_fd(),
    };
    let json = serde_json::to_vec(&inner_plan).map_err(|error| internal("plan", error))?;
    let (_inner_plan, inner_plan_fd) = inheritable_memfd(c"plan", &json)?;
    let self_exe = own_binary()?;
    let (_args, args_fd) = inheritable_memfd(c"args", &nul_separated(&options(jail, &sources)))?;
    let argv = [
        jail.bwrap.as_os_str().as_bytes().to_vec(),
        b"--args".to_vec(),
        args_fd.to_string().into_bytes(),
        b"--".to_vec(),
        format!("/proc/self/fd/{}", self_exe.as_raw_fd()).into_bytes(),
        b"jail-exec".to_vec(),
        inner::WORD.as_bytes().to_vec(),
        inner_plan_fd.to_string().into_bytes(),
    ];
    release_terminal(jail.identity)?;
    become_session_user(jail.identity)?;
    sys::forbid_core_dumps();
    nix::unistd::dup2_stderr(log).map_err(|error| internal("dup2", error))?;
    exec_bwrap(jail, &argv)
}

fn connect_proxy(name: &str) -> Result<OwnedFd, JailError> {
    let fd = egress::connect(name).map_err(|error| internal("the egress proxy", error))?;
    inherit(&fd)?;
    Ok(fd)
}

fn exec_bwrap(jail: &JailPlan, argv: &[Vec<u8>]) -> Result<Infallible, JailError> {
    let path = sys::c_path(&jail.bwrap).map_err(|error| internal("bwrap", error))?;
    let argv: Vec<CString> =
        argv.iter().filter_map(|arg| CString::new(arg.as_slice()).ok()).collect();
    // Nothing of this environment reaches anyone: bubblewrap needs none, and pid 1 of the jail
    // shows what it was started with to everyone inside.
    let nothing: [&CStr; 0] = [];
    sys::reset_signals();
    let error = match nix::unistd::execve(&path, &argv, &nothing) {
        Ok(never) => match never {},
        Err(error) => error,
    };
    Err(symptoms::bwrap_did_not_start(&jail.bwrap, error.desc()))
}

/// The terminal becomes the session user's, and nobody's controlling terminal: the program
/// takes it as its own inside, so that it leads a session it can see.
fn release_terminal(identity: Identity) -> Result<(), JailError> {
    if !nix::unistd::isatty(std::io::stdin()).unwrap_or(false) {
        return Ok(());
    }
    if let Identity::Host { uid, .. } = identity {
        nix::unistd::fchown(std::io::stdin(), Some(Uid::from_raw(uid)), None)
            .map_err(|error| internal("the terminal's owner", error))?;
    }
    sys::ignore_hangup(true);
    // A terminal that was never ours is just as free.
    let _ = sys::drop_controlling_terminal();
    sys::ignore_hangup(false);
    Ok(())
}

fn become_session_user(identity: Identity) -> Result<(), JailError> {
    let Identity::Host { uid, gid } = identity else { return Ok(()) };
    let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(gid));
    let failed = |error: nix::Error| JailError::Unavailable {
        detail: format!("uid {uid} cannot be taken: {}", error.desc()),
        fix: "Run the service as an ordinary user, or where uids up to 2000000000 are mapped."
            .to_owned(),
    };
    nix::unistd::setgroups(&[]).map_err(failed)?;
    nix::unistd::setresgid(gid, gid, gid).map_err(failed)?;
    nix::unistd::setresuid(uid, uid, uid).map_err(failed)
}

/// This very binary, in a form the session's uid may execute.
fn own_binary() -> Result<OwnedFd, JailError> {
    let failed = |error: std::io::Error| internal("own binary", error);
    let mut file = File::open("/proc/self/exe").map_err(failed)?;
    let mode = file.metadata().map_err(failed)?.permissions().mode();
    if mode & 0o005 == 0o005 {
        let fd = file.into();
        inherit(&fd)?;
        return Ok(fd);
    }
    let fd =
        memfd_create(c"ttydrive", MFdFlags::empty()).map_err(|error| internal("memfd", error))?;
    let mut copy = File::from(fd);
    file.rewind().map_err(failed)?;
    std::io::copy(&mut file, &mut copy).map_err(failed)?;
    copy.set_permissions(std::fs::Permissions::from_mode(0o555)).map_err(failed)?;
    // A file open for writing cannot be executed, so go on with a second opening of it.
    let read_only = File::open(format!("/proc/self/fd/{}", copy.as_raw_fd())).map_err(failed)?;
    let fd = read_only.into();
    inherit(&fd)?;
    Ok(fd)
}

fn nul_separated(words: &[OsString]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in words {
        bytes.extend_from_slice(word.as_bytes());
        bytes.push(0);
    }
    bytes
}

fn inherit(fd: &OwnedFd) -> Result<(), JailError> {
    fcntl(fd, FcntlArg::F_SETFD(FdFlag::empty()))
        .map(drop)
        .map_err(|error| internal("fcntl", error))
}

/// A memfd with these bytes that survives exec, and its number.
pub(super) fn inheritable_memfd(name: &CStr, bytes: &[u8]) -> Result<(OwnedFd, i32), JailError> {
    let fd = memfd_create(name, MFdFlags::empty()).map_err(|error| internal("memfd", error))?;
    let mut file = File::from(fd);
    file.write_all(bytes).and_then(|()| file.rewind()).map_err(|error| internal("memfd", error))?;
    let number = file.as_raw_fd();
    Ok((file.into(), number))
}
