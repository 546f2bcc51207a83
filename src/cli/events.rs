//! `ttydrive events`: follows what happens, without a gap across reconnects.

use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;

use super::client::{Client, Failure, finish, session_id, text};
use super::connect::Connect;
use super::output;

/// What the stream itself asks for (`retry: 2000`).
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// A restart of the service takes seconds; after a minute of failures it is not one.
const RETRIES_MAX: u32 = 30;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive events --types 'terminal:*,drive:*'\n  \
                        ttydrive events --since 0 --count 10 --json")]
pub struct Args {
    /// Only this session
    #[arg(long, value_name = "ID", value_parser = session_id)]
    session: Option<String>,
    /// Only these types, such as terminal:*,drive:notification
    #[arg(long, value_parser = types)]
    types: Option<String>,
    /// First what came after this event id; 0 is everything that is stored
    #[arg(long, value_name = "ID")]
    since: Option<u64>,
    /// End after so many events
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    #[command(flatten)]
    connect: Connect,
}

fn types(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | ':' | '*' | ',');
    if text.is_empty() || !text.chars().all(fits) {
        return Err("needs event types with commas between, such as terminal:*".to_owned());
    }
    Ok(text.to_owned())
}

pub fn run(args: &Args) -> ExitCode {
    finish(follow(args))
}

/// Where the reader is.
struct Position {
    last_id: Option<u64>,
    left: Option<u64>,
    failures: u32,
    /// A first attempt that fails is a wrong address, not a restart.
    connected: bool,
}

fn follow(args: &Args) -> Result<ExitCode, Failure> {
    let client = Client::streaming(&args.connect)?;
    let timer = actix_rt::System::new();
    let mut at = Position { last_id: args.since, left: args.count, failures: 0, connected: false };
    loop {
        let problem = match client.events(&path(args, at.last_id)) {
            Ok(events) => {
                at.connected = true;
                if drain(events, &mut at, args.connect.json) {
                    return Ok(ExitCode::SUCCESS);
                }
                Failure::new("the event stream ended", None)
            }
            // The service has decided: no other attempt will change it.
            Err(refused) if !refused.passing => return Err(refused),
            Err(problem) => problem,
        };
        at.failures += 1;
        if at.failures > RETRIES_MAX || !at.connected {
            return Err(problem);
        }
        // Made inside, because a timer needs the runtime that it belongs to.
        timer.block_on(async { actix_rt::time::sleep(RETRY_AFTER).await });
    }
}

fn path(args: &Args, last_id: Option<u64>) -> String {
    let wanted = [
        args.session.as_ref().map(|id| format!("sessionId={id}")),
        args.types.as_ref().map(|types| format!("types={types}")),
        last_id.map(|id| format!("lastEventId={id}")),
    ];
    let query: Vec<String> = wanted.into_iter().flatten().collect();
    if query.is_empty() {
        "/v1/events".to_owned()
    } else {
        format!("/v1/events?{}", query.join("&"))
    }
}

/// Prints what comes; whether the reader has all it asked for.
fn drain(events: impl Iterator<Item = Value>, at: &mut Position, as_json: bool) -> bool {
    for event in events {
        at.failures = 0;
        at.last_id = event.get("id").and_then(Value::as_u64).or(at.last_id);
        output::line(&if as_json { event.to_string() } else { readable(&event) });
        if let Some(left) = &mut at.left {
            *left -= 1;
            if *left == 0 {
                return true;
            }
        }
    }
    false
}

/// Time, type and session; then the fields that only this type has.
fn readable(event: &Value) -> String {
    const COMMON: [&str; 5] = ["id", "type", "time", "agentId", "sessionId"];
    let mut words = vec![text(event, "time").to_owned(), text(event, "type").to_owned()];
    words.extend(event.get("sessionId").and_then(Value::as_str).map(str::to_owned));
    for (name, value) in event.as_object().into_iter().flatten() {
        if !COMMON.contains(&name.as_str()) {
            words.push(match value {
                Value::String(value) => format!("{name}={value}"),
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::Array(_)
                | Value::Object(_) => format!("{name}={value}"),
            });
        }
    }
    output::printable(&words.join("  "))
}

#[cfg(test)]
mod tests {
    use super::{readable, types};
    use serde_json::json;

    #[test]
    fn an_event_is_one_line() {
        let event = json!({
            "id": 7, "type": "terminal:stuck", "time": "T", "agentId": "a",
            "sessionId": "ts_1", "noProgressMs": 5, "reason": "silent",
        });
        assert_eq!(readable(&event), "T  terminal:stuck  ts_1  noProgressMs=5  reason=silent");
    }

    #[test]
    fn types_cannot_change_the_query() {
        assert!(types("terminal:*,tool:completed").is_ok());
        assert!(types("a&lastEventId=0").is_err());
    }
}
