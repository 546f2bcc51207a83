//! `ttydrive key`: presses keys.

use std::process::ExitCode;

use serde_json::json;

use super::client::{Client, Connect, Failure, finish, session_id};
use super::send;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive key ts_0123 Down Enter\n  ttydrive key ts_0123 C-c")]
pub struct Args {
    /// The session, as `ttydrive ls` shows it
    #[arg(value_parser = session_id)]
    session: String,
    /// Names and chords such as Enter, Escape, F5, C-c, S-Tab, M-x
    #[arg(required = true)]
    keys: Vec<String>,
    #[arg(long, value_name = "N")]
    settle_ms: Option<u64>,
    #[command(flatten)]
    connect: Connect,
}

pub fn run(args: &Args) -> ExitCode {
    finish(press(args))
}

fn press(args: &Args) -> Result<ExitCode, Failure> {
    let wanted = json!({
        "sessionId": args.session, "keys": args.keys, "settleMs": args.settle_ms,
    });
    let reply = Client::new(&args.connect)?.tool("terminal_session_send_key", &wanted)?;
    Ok(send::report(&reply, args.connect.json))
}
