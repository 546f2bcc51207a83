//! `ttydrive read`: the screen of a session.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::client::{Failure, Target, finish};
use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive read ts_0123\n  \
                        ttydrive read ts_0123 --mode full --scrollback 500")]
pub struct Args {
    #[command(flatten)]
    target: Target,
    #[arg(long, value_parser = ["text", "ansi", "html", "cells"])]
    format: Option<String>,
    /// The viewport, what changed in it, or also lines that left it
    #[arg(long, value_parser = ["digest", "diff", "full"])]
    mode: Option<String>,
    /// Lines above the viewport, with `--mode full`
    #[arg(long, value_name = "N")]
    scrollback: Option<u64>,
    /// What `diff` is relative to
    #[arg(long, value_name = "N")]
    since_frame: Option<u64>,
}

pub fn run(args: &Args) -> ExitCode {
    finish(read(args))
}

fn read(args: &Args) -> Result<ExitCode, Failure> {
    let wanted = json!({
        "format": args.format, "mode": args.mode,
        "scrollback": args.scrollback, "sinceFrame": args.since_frame,
    });
    let reply = args.target.tool("terminal_session_read", wanted)?;
    match reply.get("screen") {
        Some(Value::String(screen)) if !args.target.connect.json => output::line(screen),
        _ => output::json(&reply),
    }
    Ok(ExitCode::SUCCESS)
}
