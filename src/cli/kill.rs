//! `ttydrive kill`: ends a session with everything it started.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::client::{Failure, Target, finish, text};
use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive kill ts_0123\n  ttydrive kill ts_0123 --signal INT")]
pub struct Args {
    #[command(flatten)]
    target: Target,
    #[arg(long, value_parser = ["TERM", "INT", "HUP", "KILL"])]
    signal: Option<String>,
}

pub fn run(args: &Args) -> ExitCode {
    finish(kill(args))
}

fn kill(args: &Args) -> Result<ExitCode, Failure> {
    let wanted = json!({ "signal": args.signal });
    let reply = args.target.tool("terminal_session_kill", wanted)?;
    if args.target.connect.json {
        output::json(&reply);
        return Ok(ExitCode::SUCCESS);
    }
    output::line(&ending(&reply));
    Ok(ExitCode::SUCCESS)
}

fn ending(reply: &Value) -> String {
    if reply.get("alive").and_then(Value::as_bool) == Some(true) {
        return "still running".to_owned();
    }
    match (reply.get("exitCode").and_then(Value::as_i64), text(reply, "signal")) {
        (Some(code), _) => format!("exited with {code}"),
        (None, "") => "gone".to_owned(),
        (None, signal) => format!("ended by {signal}"),
    }
}
