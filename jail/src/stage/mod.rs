//! The stages between the worker's PTY and the program. All are this one binary.
//!
//! ```text
//! worker --PTY--> jail-exec <pid> <fds>   outer: opens, hashes, mounts, drops the uid
//!                   | exec
//!                 bwrap --args FD         namespaces and mounts; environment empty
//!                   | clone, exec
//!                 jail-exec inner <fd>    pid 1: checks the mounts, filter, reaps
//!                   | fork, exec
//!                 program                 own session, the PTY its controlling terminal
//! ```
//!
//! The plan comes through a memfd of the worker, opened by way of `/proc/<pid>/fd`, because a
//! PTY spawn closes every descriptor and a command line is public. What happens is told on
//! two pipes of the worker: `ready` carries records until the program's exec closes it, `log`
//! is bubblewrap's standard error and then the program's exit.

mod direct;
mod inner;
pub(crate) mod inner_plan;
mod landlock;
mod outer;
pub(crate) mod record;
mod seccomp;
mod sources;
mod staging;
pub(crate) mod sys;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::JailError;

/// What a shell says when a command cannot be executed.
const CANNOT_EXECUTE: u8 = 126;

/// The `ttydrive jail-exec` stage. Returns only when the program was not started.
pub fn exec_stage(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    match args.split_first() {
        Some((first, rest)) if first == inner::WORD => inner::run(rest),
        _ => outer::run(&args),
    }
    ExitCode::from(CANNOT_EXECUTE)
}

fn internal(what: &str, error: impl std::fmt::Display) -> JailError {
    JailError::Start {
        detail: format!("{what}: {error}"),
        fix: "See `ttydrive doctor`.".to_owned(),
    }
}
