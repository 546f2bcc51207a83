//! What the client verbs share: where the service is, who asks, how a refusal reads.
//!
//! The verbs are plain HTTP clients, so they can do nothing that another client cannot. A
//! token is never an argument, because other users of the machine can see arguments.

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Map, Value};

use super::{EXIT_USAGE, output};
use crate::config::{self, Overrides};

/// The longest wait that the service allows (600 s) and its answer.
const CALL_MAX: Duration = Duration::from_secs(660);

/// A service that cannot be reached is told at once.
const CONNECT_MAX: Duration = Duration::from_secs(10);

/// The only hosts that get the admin token without being asked for it.
const LOOPBACK_NAME: &str = "localhost";

#[derive(clap::Args)]
#[command(next_help_heading = "Service")]
pub struct Connect {
    /// Where the service is (default: the bind address of the configuration)
    #[arg(long, env = "TTYDRIVE_URL", value_name = "URL")]
    url: Option<String>,
    /// File with the token (default: $TTYDRIVE_TOKEN, then the data dir's admin token)
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Configuration file that names address and data dir
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Data dir of the service
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Session key of the caller (default: main)
    #[arg(long, value_name = "KEY", value_parser = header_value)]
    session_key: Option<String>,
    /// Print JSON, as the service gave it
    #[arg(long)]
    pub json: bool,
}

/// Why a verb failed, what to do about it, and the exit code.
#[derive(Debug)]
pub struct Failure {
    message: String,
    hint: Option<String>,
    code: u8,
}

impl Failure {
    pub fn new(message: impl Into<String>, hint: Option<&str>) -> Self {
        Self { message: message.into(), hint: hint.map(str::to_owned), code: 1 }
    }

    fn usage(message: impl Into<String>, hint: &str) -> Self {
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

/// A session id can stand in a query as it is.
pub fn session_id(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if text.is_empty() || !text.chars().all(fits) {
        return Err("not a session id; `ttydrive ls` shows them".to_owned());
    }
    Ok(text.to_owned())
}

fn header_value(text: &str) -> Result<String, String> {
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_graphic()) {
        return Err("needs visible ASCII characters".to_owned());
    }
    Ok(text.to_owned())
}

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
        // No proxy and no redirect: the token goes to the named service and nowhere else.
        let config = ureq::Agent::config_builder()
            .timeout_global(timeout)
            .timeout_connect(Some(CONNECT_MAX))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .build();
        Ok(Self { agent: config.into(), url, token, session_key: connect.session_key.clone() })
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

    /// Opens an event stream; the outer error is one that a new attempt may cure.
    pub fn stream(&self, path: &str) -> Result<Result<ureq::Body, Failure>, Failure> {
        let sent = self.sign(self.agent.get(format!("{}{path}", self.url))).call();
        let response = sent.map_err(|error| self.unreachable(&error))?;
        if response.status().is_server_error() {
            return self.reply(response).map(|_| Err(Failure::new("no event stream", None)));
        }
        if response.status().is_success() {
            return Ok(Ok(response.into_body()));
        }
        Ok(Err(match self.reply(response) {
            Ok(_) => Failure::new("no event stream", None),
            Err(failure) => failure,
        }))
    }

    fn sign<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        let request = request.header("Authorization", format!("Bearer {}", self.token));
        match &self.session_key {
            Some(key) => request.header("Ttydrive-Session-Key", key),
            None => request,
        }
    }

    fn reply(&self, mut response: ureq::http::Response<ureq::Body>) -> Result<Value, Failure> {
        let status = response.status();
        let body: Value = response.body_mut().read_json().map_err(|_| {
            let hint = format!("Is {} a ttydrive service?", self.url);
            Failure::new(format!("the answer ({status}) is not JSON"), Some(&hint))
        })?;
        if status.is_success() {
            return Ok(body);
        }
        let code = text(&body, "code");
        let detail = text(&body, "detail");
        let hint = body.get("hint").and_then(Value::as_str);
        Err(Failure::new(format!("{code}: {detail}"), hint))
    }

    fn unreachable(&self, error: &ureq::Error) -> Failure {
        Failure::new(
            format!("no answer from {}: {error}", self.url),
            Some("Start it with `ttydrive serve`, or name another with --url."),
        )
    }
}

impl Connect {
    fn resolve(&self) -> Result<(String, String), Failure> {
        let url = match &self.url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => self.configured_url()?,
        };
        if !url.starts_with("http://") {
            return Err(Failure::usage(
                format!("`{url}` is not an http:// URL"),
                "Such as http://127.0.0.1:7717. For a remote service use a tunnel.",
            ));
        }
        let token = self.token(&url)?;
        let token = token.trim();
        header_value(token).map_err(|_| {
            Failure::new("the token is empty or has odd characters", Some(TOKEN_HINT))
        })?;
        Ok((url, token.to_owned()))
    }

    fn token(&self, url: &str) -> Result<String, Failure> {
        let read = |path: &PathBuf| {
            std::fs::read_to_string(path).map_err(|error| {
                let message = format!("cannot read {}: {error}", path.display());
                Failure::new(message, Some(TOKEN_HINT))
            })
        };
        if let Some(path) = &self.token_file {
            return read(path);
        }
        if let Ok(token) = std::env::var("TTYDRIVE_TOKEN") {
            return Ok(token);
        }
        if !is_loopback(url) {
            return Err(Failure::usage(
                format!("the admin token of this machine is not sent to {url}"),
                TOKEN_HINT,
            ));
        }
        let data_dir = match &self.data_dir {
            Some(dir) => dir.clone(),
            None => self.load()?.settings.data_dir,
        };
        read(&data_dir.join("admin-token"))
    }

    fn configured_url(&self) -> Result<String, Failure> {
        let mut bind = self.load()?.server.bind;
        if bind.port() == 0 {
            return Err(Failure::usage(
                "the configuration leaves the port open",
                "Give the `url` of the ready line with --url.",
            ));
        }
        if bind.ip().is_unspecified() {
            bind.set_ip(match bind.ip() {
                IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            });
        }
        Ok(format!("http://{bind}"))
    }

    fn load(&self) -> Result<config::Lowered, Failure> {
        let overrides = Overrides {
            config: self.config.clone(),
            data_dir: self.data_dir.clone(),
            ..Overrides::default()
        };
        config::load(&overrides).map_err(|error| {
            let message = format!("the configuration is not valid\n{error}");
            Failure::new(message, Some("--url with --token-file needs no configuration."))
        })
    }
}

const TOKEN_HINT: &str = "Give a token with --token-file or $TTYDRIVE_TOKEN; \
                          `ttydrive token create` makes one.";

fn is_loopback(url: &str) -> bool {
    let authority = url.trim_start_matches("http://").split(['/', '?', '#']).next().unwrap_or("");
    // Whatever stands before an @ is not the host.
    let host_port = authority.rsplit('@').next().unwrap_or("");
    let host = match host_port.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(""),
        None => host_port.split(':').next().unwrap_or(""),
    };
    host == LOOPBACK_NAME || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
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

/// A member that is text, or nothing.
pub fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::{is_loopback, session_id, without_null};
    use serde_json::json;

    #[test]
    fn the_admin_token_stays_on_this_machine() {
        for near in ["http://127.0.0.1:7717", "http://localhost", "http://[::1]:1/x"] {
            assert!(is_loopback(near), "{near}");
        }
        for far in [
            "http://example.org:7717",
            "http://127.0.0.1@example.org",
            "http://127.0.0.1.example.org",
            "http://localhost.example.org/",
            "http://10.0.0.1",
            "http://",
        ] {
            assert!(!is_loopback(far), "{far}");
        }
    }

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
