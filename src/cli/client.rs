//! What the client verbs share: how the service is asked, and how its answers read.
//!
//! The verbs are plain HTTP clients, so they can do nothing that another client cannot. A
//! token is never an argument, because other users of the machine can see arguments.

use std::io::{BufRead, BufReader};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Map, Value};

use super::connect::Connect;
use super::{EXIT_USAGE, output};

/// The longest wait that the service allows (600 s) and its answer.
const CALL_MAX: Duration = Duration::from_secs(660);

/// A service that cannot be reached is told at once.
const CONNECT_MAX: Duration = Duration::from_secs(10);

/// A session of a service.
#[derive(clap::Args)]
pub struct Target {
    /// The session, as `ttydrive ls` shows it
    #[arg(value_parser = session_id)]
    session: String,
    #[command(flatten)]
    pub connect: Connect,
}

impl Target {
    /// Calls a tool that takes the session.
    pub fn tool(&self, name: &str, args: Value) -> Result<Value, Failure> {
        self.tool_of(&Client::new(&self.connect)?, name, args)
    }

    /// The same with a client that is there.
    pub fn tool_of(&self, client: &Client, name: &str, mut args: Value) -> Result<Value, Failure> {
        args["sessionId"] = self.session.as_str().into();
        client.tool(name, &args)
    }
}

/// Why a verb failed, what to do about it, and the exit code.
#[derive(Debug)]
pub struct Failure {
    message: String,
    hint: Option<String>,
    code: u8,
    /// Another attempt may succeed.
    pub passing: bool,
}

impl Failure {
    pub fn new(message: impl Into<String>, hint: Option<&str>) -> Self {
        Self { message: message.into(), hint: hint.map(str::to_owned), code: 1, passing: false }
    }

    pub fn usage(message: impl Into<String>, hint: &str) -> Self {
        Self { code: EXIT_USAGE, ..Self::new(message, Some(hint)) }
    }
}

/// Ends a verb: its own exit code, or the failure on standard error.
pub fn finish(done: Result<ExitCode, Failure>) -> ExitCode {
    match done {
        Ok(code) => code,
        Err(failure) => {
            output::fail(&failure.message, failure.hint.as_deref());
            ExitCode::from(failure.code)
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.hint {
            Some(hint) => write!(f, "{} ({hint})", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// A session id can stand in a query as it is.
pub fn session_id(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if text.is_empty() || !text.chars().all(fits) {
        return Err("not a session id; `ttydrive ls` shows them".to_owned());
    }
    Ok(text.to_owned())
}

type Response = ureq::http::Response<ureq::Body>;

/// One service and who asks it.
pub struct Client {
    agent: ureq::Agent,
    url: String,
    token: String,
    session_key: Option<String>,
}

impl Client {
    /// For calls that end.
    pub fn new(connect: &Connect) -> Result<Self, Failure> {
        Self::with_timeout(connect, Some(CALL_MAX))
    }

    /// For a stream that does not.
    pub fn streaming(connect: &Connect) -> Result<Self, Failure> {
        Self::with_timeout(connect, None)
    }

    fn with_timeout(connect: &Connect, timeout: Option<Duration>) -> Result<Self, Failure> {
        let (url, token) = connect.resolve()?;
        Ok(Self { session_key: connect.session_key.clone(), ..Self::at(url, token, timeout) })
    }

    /// For an address and a token that are known.
    pub fn at(url: String, token: String, timeout: Option<Duration>) -> Self {
        // No proxy and no redirect: the token goes to the named service and nowhere else.
        let config = ureq::Agent::config_builder()
            .timeout_global(timeout)
            .timeout_connect(Some(CONNECT_MAX))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .build();
        Self { agent: config.into(), url, token, session_key: None }
    }

    /// Calls a tool; members that are null are left out.
    pub fn tool(&self, name: &str, args: &Value) -> Result<Value, Failure> {
        let request = self.agent.post(format!("{}/v1/tools/{name}", self.url));
        let sent = self.sign(request).send_json(without_null(args));
        self.reply(sent.map_err(|error| self.unreachable(&error))?)
    }

    pub fn get(&self, path: &str) -> Result<Value, Failure> {
        let sent = self.sign(self.agent.get(format!("{}{path}", self.url))).call();
        self.reply(sent.map_err(|error| self.unreachable(&error))?)
    }

    /// Opens an event stream: its events, until it ends or breaks.
    pub fn events(&self, path: &str) -> Result<impl Iterator<Item = Value> + use<>, Failure> {
        let sent = self.sign(self.agent.get(format!("{}{path}", self.url))).call();
        let response = sent.map_err(|error| self.unreachable(&error))?;
        if !response.status().is_success() {
            return Err(self.refusal(response));
        }
        let lines = BufReader::new(response.into_body().into_reader()).lines();
        Ok(lines.map_while(Result::ok).filter_map(|line| {
            let data = line.strip_prefix("data:")?;
            serde_json::from_str(data.trim_start()).ok()
        }))
    }

    fn sign<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        let request = request.header("Authorization", format!("Bearer {}", self.token));
        match &self.session_key {
            Some(key) => request.header("Ttydrive-Session-Key", key),
            None => request,
        }
    }

    fn reply(&self, mut response: Response) -> Result<Value, Failure> {
        if response.status().is_success() {
            self.json(&mut response)
        } else {
            Err(self.refusal(response))
        }
    }

    fn json(&self, response: &mut Response) -> Result<Value, Failure> {
        let status = response.status();
        response.body_mut().read_json().map_err(|_| {
            let hint = format!("Is {} a ttydrive service?", self.url);
            Failure::new(format!("the answer ({status}) is not JSON"), Some(&hint))
        })
    }

    fn refusal(&self, mut response: Response) -> Failure {
        let passing = response.status().is_server_error();
        let failure = match self.json(&mut response) {
            Ok(problem) => {
                let (code, detail) = (text(&problem, "code"), text(&problem, "detail"));
                let hint = problem.get("hint").and_then(Value::as_str);
                Failure::new(format!("{code}: {detail}"), hint)
            }
            Err(failure) => failure,
        };
        Failure { passing, ..failure }
    }

    fn unreachable(&self, error: &ureq::Error) -> Failure {
        let failure = Failure::new(
            format!("no answer from {}: {error}", self.url),
            Some("Start it with `ttydrive serve`, or name another with --url."),
        );
        Failure { passing: true, ..failure }
    }
}

fn without_null(args: &Value) -> Value {
    match args.as_object() {
        None => args.clone(),
        Some(members) => {
            let kept = members.iter().filter(|(_, value)| !value.is_null());
            kept.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>().into()
        }
    }
}

/// What became of a call: JSON, or a member and the state in a line, and the hint.
pub fn report(reply: &Value, member: &str, as_json: bool) {
    if as_json {
        return output::json(reply);
    }
    output::line(&format!("{} ({})", text(reply, member), text(reply, "state")));
    match text(reply, "hint") {
        "" => {}
        hint => output::line(&format!("  hint: {hint}")),
    }
}

/// A member that is text, or nothing.
pub fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::{session_id, without_null};
    use serde_json::json;

    #[test]
    fn a_session_id_cannot_change_a_query() {
        assert!(session_id("ts_0a").is_ok());
        for bad in ["", "a&b", "../x", "a b", "a%20"] {
            assert!(session_id(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_was_not_asked_is_not_sent() {
        assert_eq!(without_null(&json!({ "a": null, "b": false })), json!({ "b": false }));
    }
}
