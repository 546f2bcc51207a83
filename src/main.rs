//! `ttydrive`: the one binary. The service, the per-session worker, the stages inside the
//! jail and the operator's commands are all this file's children.

mod cli;
mod config;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
