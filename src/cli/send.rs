//! `ttydrive send`: types text, and presses Enter when asked.

use std::io::Read;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::client::{Client, Connect, Failure, finish, session_id, text};
use super::output;

/// What the service takes; a longer input is refused there, so reading on has no use.
const TEXT_MAX_BYTES: u64 = 256 * 1024;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive send ts_0123 'make test' --submit\n  \
                        ttydrive send ts_0123 - < prompt.txt\n\n\
                        Ends with 1 when the program did not take it (stalled).")]
pub struct Args {
    /// The session, as `ttydrive ls` shows it
    #[arg(value_parser = session_id)]
    session: String,
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
    #[command(flatten)]
    connect: Connect,
}

pub fn run(args: &Args) -> ExitCode {
    finish(send(args))
}

fn send(args: &Args) -> Result<ExitCode, Failure> {
    let client = Client::new(&args.connect)?;
    let typed = if args.text == "-" { standard_input()? } else { args.text.clone() };
    let wanted = json!({
        "sessionId": args.session, "text": typed, "submit": args.submit.then_some(true),
        "paste": args.paste, "onDialog": args.on_dialog,
        "settleMs": args.settle_ms, "timeoutMs": args.timeout_ms,
    });
    let reply = client.tool("terminal_session_send_text", &wanted)?;
    Ok(report(&reply, args.connect.json))
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(TEXT_MAX_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::new(format!("cannot read standard input: {error}"), None))?;
    Ok(text)
}

/// What became of a send; only a stalled one is a failure.
pub fn report(reply: &Value, as_json: bool) -> ExitCode {
    let outcome = text(reply, "outcome");
    if as_json {
        output::json(reply);
    } else {
        output::line(&format!("{outcome} ({})", text(reply, "state")));
        match text(reply, "hint") {
            "" => {}
            hint => output::line(&format!("  hint: {hint}")),
        }
    }
    if outcome == "stalled" { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
