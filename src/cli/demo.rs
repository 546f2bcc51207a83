//! `ttydrive demo`: a newcomer watches one Python session being driven over HTTP.
//!
//! A plain client of the service it runs beside: everything below could be curl.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

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

struct Client {
    agent: ureq::Agent,
    url: String,
    token: String,
}

impl Client {
    fn tool(&self, name: &str, args: &Value) -> Result<Value, String> {
        output::line(&format!("\n$ POST /v1/tools/{name}\n  {args}"));
        let mut response = self
            .agent
            .post(format!("{}/v1/tools/{name}", self.url))
            .header("Authorization", format!("Bearer {}", self.token))
            .send_json(args)
            .map_err(|error| error.to_string())?;
        let body: Value = response.body_mut().read_json().map_err(|error| error.to_string())?;
        if response.status().is_success() {
            return Ok(body);
        }
        Err(format!("{name}: {} ({})", text(&body, "detail"), text(&body, "hint")))
    }

    /// Follows the event stream from its beginning and prints what concerns `session`.
    fn events(&self, session: &str, wanted: &str) -> Result<(), String> {
        output::line(&format!("\n$ GET /v1/events?sessionId={session}"));
        let mut response = self
            .agent
            .get(format!("{}/v1/events?sessionId={session}&lastEventId=0", self.url))
            .header("Authorization", format!("Bearer {}", self.token))
            .call()
            .map_err(|error| error.to_string())?;
        let reader = BufReader::new(response.body_mut().as_reader());
        let mut kind = String::new();
        for line in reader.lines() {
            let line = line.map_err(|error| error.to_string())?;
            if let Some(name) = line.strip_prefix("event: ") {
                name.clone_into(&mut kind);
            } else if let Some(data) = line.strip_prefix("data: ") {
                output::line(&format!("  {kind}  {data}"));
                if kind == wanted {
                    return Ok(());
                }
            }
        }
        Err("the event stream ended early".to_owned())
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

fn show(reply: &Value) {
    for line in text(reply, "screen").lines() {
        output::line(&format!("  | {line}"));
    }
}

fn tour(url: &str, data_dir: &Path) -> Result<(), String> {
    let token = std::fs::read_to_string(data_dir.join("admin-token"))
        .map_err(|error| format!("cannot read the admin token: {error}"))?;
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(CALL_MAX))
        .http_status_as_error(false)
        .build();
    let client =
        Client { agent: config.into(), url: url.to_owned(), token: token.trim().to_owned() };

    output::line("\n1. Start a Python REPL in a jail.");
    let created = client.tool("terminal_session_create", &json!({ "allowId": "python3" }))?;
    let id = text(&created, "sessionId").to_owned();
    output::line(&format!("  → {id} in {}", text(&created, "cwd")));

    output::line("\n2. Wait until it asks for input.");
    let wait = json!({ "sessionId": id, "forState": "awaiting-input", "timeoutMs": 30_000 });
    show(&client.tool("terminal_session_wait", &wait)?);

    output::line("\n3. Type an expression and submit it.");
    let sent = client.tool(
        "terminal_session_send_text",
        &json!({ "sessionId": id, "text": "sum(n * n for n in range(10))", "submit": true }),
    )?;
    output::line(&format!("  → {}", text(&sent, "outcome")));

    output::line("\n4. Read the screen.");
    show(&client.tool("terminal_session_read", &json!({ "sessionId": id }))?);

    output::line("\n5. The attention events came by themselves.");
    client.events(&id, "terminal:input_needed")?;

    output::line("\n6. End it, with everything it started.");
    let killed = client.tool("terminal_session_kill", &json!({ "sessionId": id }))?;
    output::line(&format!("  → {killed}"));
    Ok(())
}
