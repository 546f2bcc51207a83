//! The command line: what there is, with an example each. One file per command.

mod client;
mod completions;
mod config;
mod connect;
mod corpus;
mod create;
mod demo;
mod doctor;
mod events;
mod explain;
mod key;
mod kill;
mod logs;
mod ls;
mod output;
mod profile;
mod read;
mod send;
mod serve;
mod states;
mod token;
mod wait;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

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
    #[command(after_help = "Example:\n  ttydrive demo --bind 127.0.0.1:0")]
    Demo(serve::Args),
    /// Make, list and revoke tokens
    Token(token::Args),
    /// Start an allowed program in a session
    Create(create::Args),
    /// List the sessions
    Ls(ls::Args),
    /// Follow what happens
    Events(events::Args),
    /// Type text into a session
    Send(send::Args),
    /// Press keys in a session
    Key(key::Args),
    /// Print the screen of a session
    Read(read::Args),
    /// Wait until a session has settled, shows something, or ends
    Wait(wait::Args),
    /// End a session with everything it started
    Kill(kill::Args),
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
    /// Print completions for a shell
    Completions(completions::Args),
    /// Print the manual page
    Man(completions::ManArgs),
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
        Command::Create(args) => create::run(&args),
        Command::Ls(args) => ls::run(&args),
        Command::Events(args) => events::run(&args),
        Command::Send(args) => send::run(&args),
        Command::Key(args) => key::run(&args),
        Command::Read(args) => read::run(&args),
        Command::Wait(args) => wait::run(&args),
        Command::Kill(args) => kill::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Corpus(args) => corpus::run(&args),
        Command::Profile(args) => profile::run(args),
        Command::States(args) => states::run(&args),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Man(completions::ManArgs {}) => completions::man(Cli::command()),
    }
}
