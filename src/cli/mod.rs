//! The command line: what there is, with an example each. One file per command.

mod config;
mod corpus;
mod demo;
mod doctor;
mod explain;
mod logs;
mod output;
mod profile;
mod serve;
mod states;
mod token;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Usage errors end with 2, everything else that fails with 1.
pub const EXIT_USAGE: u8 = 2;

#[derive(Parser)]
#[command(
    name = "ttydrive",
    version,
    about = "Drives interactive terminal programs for software agents, in a jail, over HTTP",
    after_help = "Example:\n  ttydrive serve\n\nA first tour: ttydrive demo",
    propagate_version = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check a configuration file or print the embedded default
    Config(config::Args),
    /// Run the service
    Serve(serve::Args),
    /// Run the service and watch it drive a Python session
    Demo(serve::Args),
    /// Make, list and revoke tokens
    Token(token::Args),
    /// Tell whether this machine can confine programs, and how to fix it
    Doctor(doctor::Args),
    /// Say what a recorded screen means and which rule decided
    Explain(explain::Args),
    /// Replay labelled recordings and print a confusion matrix
    Corpus(corpus::Args),
    /// Check platform profiles
    Profile(profile::Args),
    /// Print every state machine
    States(states::Args),
}

/// Runs the process. The inner stages come first: they must start fast and see no other flag.
pub fn run() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next().as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("jail-exec") => return jail::exec_stage(args),
        Some("worker") => return worker::worker_main(),
        _ => {}
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are not errors; clap knows which stream and code they get.
            let code = error.exit_code();
            drop(error.print());
            return ExitCode::from(u8::try_from(code).unwrap_or(EXIT_USAGE));
        }
    };
    match cli.command {
        Command::Config(args) => config::run(args),
        Command::Serve(args) => serve::run(args, serve::Afterwards::Serve),
        Command::Demo(args) => serve::run(args, serve::Afterwards::Demonstrate),
        Command::Token(args) => token::run(args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Corpus(args) => corpus::run(&args),
        Command::Profile(args) => profile::run(args),
        Command::States(args) => states::run(&args),
    }
}
