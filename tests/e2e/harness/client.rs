//! A client of the HTTP API.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Events, PATIENCE};

/// A token at an address.
#[derive(Clone)]
pub struct Client {
    http: ureq::Agent,
    pub url: String,
    pub token: String,
}

/// Status, headers and body of an answer.
pub struct Answer {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The body of a success.
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()
    }

    /// The problem, with its code checked.
    pub fn problem(self, status: u16, code: &str) -> Value {
        let problem = self.json();
        assert_eq!(self.header("content-type"), "application/problem+json", "{problem}");
        assert_eq!((self.status, problem["code"].as_str()), (status, Some(code)), "{problem}");
        for member in ["type", "title", "detail", "hint", "requestId"] {
            let text = problem[member].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "`{member}` is missing: {problem}");
        }
        assert_eq!(problem["requestId"], self.header("ttydrive-request-id"));
        problem
    }
}

impl Answer {
    /// A problem with one of these statuses.
    pub fn problem_in(&self, statuses: &[u16]) {
        assert!(statuses.contains(&self.status), "{}", self.text);
        assert_eq!(self.header("content-type"), "application/problem+json");
    }
}

impl Client {
    pub fn new(url: &str, token: &str) -> Self {
        let http = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(700)))
            .max_idle_connections(400)
            .max_idle_connections_per_host(400)
            .build()
            .into();
        Self { http, url: url.to_owned(), token: token.to_owned() }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.http.get(format!("{}{path}", self.url));
        if !self.token.is_empty() {
            request = request.header("Authorization", format!("Bearer {}", self.token));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(request.call())
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_with(path, body.to_string().as_bytes(), &[])
    }

    pub fn post_with(&self, path: &str, body: &[u8], headers: &[(&str, &str)]) -> Answer {
        let mut request = self.http.post(format!("{}{path}", self.url));
        if !self.token.is_empty() {
            request = request.header("Authorization", format!("Bearer {}", self.token));
        }
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            request = request.header("Content-Type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(request.send(body))
    }

    pub fn tool(&self, name: &str, args: &Value) -> Answer {
        self.post(&format!("/v1/tools/{name}"), args)
    }

    pub fn create(&self, args: Value) -> Session {
        let reply = self.tool("terminal_session_create", &args).ok();
        let id = reply["sessionId"].as_str().expect("a session id").to_owned();
        Session { client: self.clone(), id }
    }

    pub fn events(&self, query: &str, last: Option<i64>) -> Events {
        Events::open(self, query, last)
    }
}

fn answer(result: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut response = result.expect("an answer");
    let text = response.body_mut().with_config().limit(64 << 20).read_to_string();
    Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: text.expect("a text"),
    }
}

/// A session and whose token drives it.
pub struct Session {
    pub client: Client,
    pub id: String,
}

impl Session {
    fn call(&self, tool: &str, mut args: Value) -> Answer {
        args["sessionId"] = self.id.as_str().into();
        self.client.tool(&format!("terminal_session_{tool}"), &args)
    }

    pub fn try_send(&self, args: Value) -> Answer {
        self.call("send_text", args)
    }

    /// Types a line and presses Enter.
    pub fn submit(&self, text: &str) -> Value {
        self.call("send_text", json!({ "text": text, "submit": true })).ok()
    }

    pub fn keys(&self, keys: &[&str]) -> Value {
        self.call("send_key", json!({ "keys": keys })).ok()
    }

    pub fn try_wait(&self, mut args: Value) -> Answer {
        if args.get("timeoutMs").is_none() {
            args["timeoutMs"] = u64::try_from(PATIENCE.as_millis()).unwrap().into();
        }
        self.call("wait", args)
    }

    /// Waits, and it must match.
    pub fn wait(&self, args: Value) -> Value {
        let reply = self.try_wait(args.clone()).ok();
        assert_eq!(reply["matched"], true, "{args}: {reply:#}");
        reply
    }

    pub fn wait_state(&self, state: &str) -> Value {
        self.wait(json!({ "forState": state }))
    }

    pub fn wait_exit(&self) -> Value {
        let reply = self.try_wait(json!({ "forExit": true })).ok();
        assert_eq!(reply["reason"], "exit", "{reply:#}");
        self.read(json!({ "mode": "full" }))
    }

    pub fn read(&self, args: Value) -> Value {
        self.call("read", args).ok()
    }

    pub fn screen(&self) -> String {
        self.read(json!({}))["screen"].as_str().expect("a screen").to_owned()
    }

    pub fn status(&self) -> Value {
        self.call("status", json!({})).ok()
    }

    pub fn resize(&self, cols: u16, rows: u16) -> Answer {
        self.call("resize", json!({ "cols": cols, "rows": rows }))
    }

    pub fn kill(&self) -> Value {
        self.call("kill", json!({})).ok()
    }

    pub fn kill_with(&self, signal: &str) -> Value {
        self.call("kill", json!({ "signal": signal })).ok()
    }
}
