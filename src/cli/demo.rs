//! `ttydrive demo`: a newcomer watches one Python session being driven over HTTP.
//!
//! A plain client of the service it runs beside: everything below could be curl.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, text};
use super::output;

/// Each call of the tour, after which something is wrong with the service.
const CALL_MAX: Duration = Duration::from_secs(60);

/// Runs the tour beside the service and tells where to go next.
pub fn start(url: String, data_dir: PathBuf) {
    // The tour blocks on the network, so it must not sit on the service's own thread.
    std::thread::spawn(move || {
        match tour(&url, &data_dir) {
            Ok(()) => output::line("\nThat was the whole loop. The service keeps running."),
            Err(message) => output::line(&format!("\nThe tour stopped: {message}")),
        }
        output::line(&format!("\n  Dashboard      {url}/"));
        output::line(&format!("  API reference  {url}/docs"));
        let token_file = data_dir.join("admin-token");
        match std::fs::read_to_string(&token_file) {
            Ok(token) => output::line(&format!("  Sign-in token  {}", token.trim())),
            Err(_) => output::line(&format!("  Sign-in token  in {}", token_file.display())),
        }
        output::line("\nStop with Ctrl-C.");
    });
}

/// Shows the call, and gives its reply.
fn call(client: &Client, name: &str, args: &Value) -> Result<Value, String> {
    output::line(&format!("\n$ POST /v1/tools/{name}\n  {args}"));
    client.tool(name, args).map_err(|failure| format!("{name}: {failure}"))
}

/// Follows the event stream from its beginning and prints what concerns `session`.
fn follow(client: &Client, session: &str, wanted: &str) -> Result<(), String> {
    output::line(&format!("\n$ GET /v1/events?sessionId={session}"));
    let path = format!("/v1/events?sessionId={session}&lastEventId=0");
    for event in client.events(&path).map_err(|failure| failure.to_string())? {
        let kind = text(&event, "type");
        output::line(&format!("  {kind}  {event}"));
        if kind == wanted {
            return Ok(());
        }
    }
    Err("the event stream ended early".to_owned())
}

fn show(reply: &Value) {
    for line in text(reply, "screen").lines() {
        output::line(&format!("  | {line}"));
    }
}

fn tour(url: &str, data_dir: &Path) -> Result<(), String> {
    let token = std::fs::read_to_string(data_dir.join("admin-token"))
        .map_err(|error| format!("cannot read the admin token: {error}"))?;
    let client = Client::at(url.to_owned(), token.trim().to_owned(), Some(CALL_MAX));

    output::line("\n1. Start a Python REPL in a jail.");
    let created = call(&client, "terminal_session_create", &json!({ "allowId": "python3" }))?;
    let id = text(&created, "sessionId").to_owned();
    output::line(&format!("  → {id} in {}", text(&created, "cwd")));

    output::line("\n2. Wait until it asks for input.");
    let wait = json!({ "sessionId": id, "forState": "awaiting-input", "timeoutMs": 30_000 });
    show(&call(&client, "terminal_session_wait", &wait)?);

    output::line("\n3. Type an expression and submit it.");
    let sent = call(
        &client,
        "terminal_session_send_text",
        &json!({ "sessionId": id, "text": "sum(n * n for n in range(10))", "submit": true }),
    )?;
    output::line(&format!("  → {}", text(&sent, "outcome")));

    output::line("\n4. Read the screen.");
    show(&call(&client, "terminal_session_read", &json!({ "sessionId": id }))?);

    output::line("\n5. The attention events came by themselves.");
    follow(&client, &id, "terminal:input_needed")?;

    output::line("\n6. End it, with everything it started.");
    let killed = call(&client, "terminal_session_kill", &json!({ "sessionId": id }))?;
    output::line(&format!("  → {killed}"));
    Ok(())
}
