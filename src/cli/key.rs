//! `ttydrive key`: presses keys.

use std::process::ExitCode;

use serde_json::json;

use super::client::{Failure, Target, finish};
use super::send;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive key ts_0123 Down Enter\n  ttydrive key ts_0123 C-c")]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Names and chords such as Enter, Escape, F5, C-c, S-Tab, M-x
    #[arg(required = true)]
    keys: Vec<String>,
    #[arg(long, value_name = "N")]
    settle_ms: Option<u64>,
}

pub fn run(args: &Args) -> ExitCode {
    finish(press(args))
}

fn press(args: &Args) -> Result<ExitCode, Failure> {
    let wanted = json!({ "keys": args.keys, "settleMs": args.settle_ms });
    let reply = args.target.tool("terminal_session_send_key", wanted)?;
    Ok(send::ended(&reply, args.target.connect.json))
}
