//! The two verbs of the real binary that a worker needs, for tests of this crate alone.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next().as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("worker") => worker::worker_main(),
        Some("jail-exec") => jail::exec_stage(args),
        _ => ExitCode::from(2),
    }
}
