//! Without a jail: only under `unsafeDisableSandbox`. The hash and the environment still hold.

use std::convert::Infallible;
use std::os::fd::OwnedFd;

use super::inner::exec_program;
use super::record::{Record, send};
use super::{internal, sys, verify};
use crate::{JailError, Plan};

pub(super) fn start(
    plan: &Plan,
    program: &OwnedFd,
    ready: &OwnedFd,
) -> Result<Infallible, JailError> {
    let hashed = verify::expected("match.path", &plan.program.path, program)?;
    verify::check(&[hashed])?;
    std::env::set_current_dir(&plan.cwd).map_err(|error| internal("cwd", error))?;
    sys::reset_signals();
    send(ready, &Record::Exec { pid: nix::unistd::getpid().as_raw() });
    let program = &plan.program;
    let argv0 = program.argv0.clone().unwrap_or_else(|| program.path.to_string_lossy().into());
    exec_program(&program.path, &argv0, &program.args, &plan.env)
}
