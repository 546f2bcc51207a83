//! `ttydrive wait`: until a session has settled, shows something, or ends.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::client::{self, Failure, Target, finish};

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive wait ts_0123 --state awaiting-input\n  \
                        ttydrive wait ts_0123 --text 'tests passed' --timeout-ms 600000\n\n\
                        Ends with 1 when the time was up before anything matched.")]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Nothing changed for so long (when nothing else is asked: 120)
    #[arg(long, value_name = "N")]
    idle_ms: Option<u64>,
    /// New on the screen
    #[arg(long)]
    text: Option<String>,
    /// New on the screen
    #[arg(long)]
    regex: Option<String>,
    /// Such as awaiting-input
    #[arg(long)]
    state: Option<String>,
    /// The program has ended
    #[arg(long)]
    exit: bool,
    #[arg(long, value_name = "N")]
    timeout_ms: Option<u64>,
    /// New means: after this frame
    #[arg(long, value_name = "N")]
    since_frame: Option<u64>,
}

pub fn run(args: &Args) -> ExitCode {
    finish(wait(args))
}

fn wait(args: &Args) -> Result<ExitCode, Failure> {
    let wanted = json!({
        "forIdleMs": args.idle_ms, "forText": args.text,
        "forRegex": args.regex, "forState": args.state, "forExit": args.exit.then_some(true),
        "timeoutMs": args.timeout_ms, "sinceFrame": args.since_frame,
    });
    let reply = args.target.tool("terminal_session_wait", wanted)?;
    client::report(&reply, "reason", args.target.connect.json);
    let matched = reply.get("matched").and_then(Value::as_bool) == Some(true);
    Ok(if matched { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
