//! `ttydrive send`: types text, and presses Enter when asked.

use std::io::Read;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::client::{self, Client, Failure, Target, finish, text};

/// What the service takes; a longer input is refused there, so reading on has no use.
const TEXT_MAX_BYTES: u64 = 256 * 1024;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive send ts_0123 'make test' --submit\n  \
                        ttydrive send ts_0123 - < prompt.txt\n\n\
                        Ends with 1 when the program did not take it (stalled).")]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// The text; `-` reads it from standard input, where nobody else sees it
    text: String,
    /// Press Enter after it
    #[arg(long)]
    submit: bool,
    /// How it is written: auto, always or never a paste
    #[arg(long, value_parser = ["auto", "always", "never"])]
    paste: Option<String>,
    /// What to do when the program shows a dialog
    #[arg(long, value_parser = ["refuse", "send"])]
    on_dialog: Option<String>,
    #[arg(long, value_name = "N")]
    settle_ms: Option<u64>,
    #[arg(long, value_name = "N")]
    timeout_ms: Option<u64>,
}

pub fn run(args: &Args) -> ExitCode {
    finish(send(args))
}

fn send(args: &Args) -> Result<ExitCode, Failure> {
    // Whether there is anybody to ask is known before standard input is read.
    let client = Client::new(&args.target.connect)?;
    let typed = if args.text == "-" { standard_input()? } else { args.text.clone() };
    let wanted = json!({
        "text": typed, "submit": args.submit.then_some(true),
        "paste": args.paste, "onDialog": args.on_dialog,
        "settleMs": args.settle_ms, "timeoutMs": args.timeout_ms,
    });
    let reply = args.target.tool_of(&client, "terminal_session_send_text", wanted)?;
    Ok(ended(&reply, args.target.connect.json))
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(TEXT_MAX_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::new(format!("cannot read standard input: {error}"), None))?;
    Ok(text)
}

/// What became of a send; only a stalled one is a failure.
pub fn ended(reply: &Value, as_json: bool) -> ExitCode {
    client::report(reply, "outcome", as_json);
    if text(reply, "outcome") == "stalled" { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
