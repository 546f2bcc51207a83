//! A server on a thread of its own, and a client of it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use actors::settings::{
    AgentSettings, Budget, DriveMode, DriveSettings, NotifyMode, PermissionSettings, ReadMode,
    Settings, TerminalSettings, ToolPolicy,
};
use actors::tokens::{self, NewToken};
use actors::{Origin, Role, System};
use api::ServerSettings;
use serde_json::Value;
use tempfile::TempDir;

pub struct Server {
    pub address: SocketAddr,
    folder: TempDir,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start() -> Self {
        Self::with(|_, _| {})
    }

    /// The change sees the settings of both halves before they are used.
    pub fn with(change: impl FnOnce(&mut Settings, &mut ServerSettings)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut settings = settings(folder.path());
        let mut server = ServerSettings {
            bind: ([127, 0, 0, 1], 0).into(),
            unix_socket: None,
            allow_remote: false,
            allowed_hosts: Vec::new(),
            foreground_ms: None,
        };
        change(&mut settings, &mut server);
        let (tell, told) = mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            actix_rt::System::new().block_on(async move {
                let system = System::start(settings, Default::default(), PathBuf::from("/none"))
                    .await
                    .expect("a system");
                system.wait_ready().await;
                let server = api::serve(system, server).await.expect("a server");
                tell.send(server.address()).expect("the test waits");
                let _ = stopped.await;
                server.stop().await;
            });
        });
        let address = told.recv_timeout(Duration::from_secs(30)).expect("the server starts");
        Self { address, folder, stop: Some(stop), thread: Some(thread) }
    }

    pub fn client(&self, role: Role) -> Client {
        let token = NewToken {
            role,
            agent_id: "default".to_owned(),
            origin: Origin::Interactive,
            name: None,
            ttl: None,
        };
        let (_, secret) = tokens::create(&self.folder.path().join("data"), token).expect("a token");
        Client { url: format!("http://{}", self.address), token: secret }
    }

    pub fn nobody(&self) -> Client {
        Client { url: format!("http://{}", self.address), token: String::new() }
    }

    /// Stops gracefully and returns when everything has ended.
    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server's thread ends");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn settings(folder: &Path) -> Settings {
    use std::os::unix::fs::DirBuilderExt;
    let data_dir = folder.join("data");
    std::fs::DirBuilder::new().mode(0o700).create(&data_dir).expect("a data dir");
    let allowed = policy::tool_policy::profile("terminal").expect("a known profile");
    let agent = AgentSettings {
        workspace: data_dir.join("workspace"),
        tool_policy: ToolPolicy {
            allowed: allowed.into_iter().map(str::to_owned).collect(),
            denied: Vec::new(),
        },
        budget: Budget::default(),
        terminal: terminal(),
    };
    Settings {
        data_dir,
        hidden_paths: Vec::new(),
        agents: [("default".to_owned(), agent)].into(),
        permission: PermissionSettings::default(),
        profile_paths: Vec::new(),
        webhooks: Vec::new(),
    }
}

fn terminal() -> TerminalSettings {
    TerminalSettings {
        enabled: true,
        sessions_max: 8,
        idle_ttl: Duration::from_secs(900),
        ring_bytes: 262_144,
        stuck_after: Duration::from_secs(30),
        concurrent_attention_turns_max: 4,
        default_cols: 80,
        default_rows: 24,
        default_scrollback: 1_000,
        redact_secrets: true,
        audit: true,
        unsafe_disable_sandbox: false,
        allow: Default::default(),
        drive: DriveSettings {
            mode: DriveMode::Auto,
            read_mode: ReadMode::Digest,
            durable: false,
            heartbeat: Duration::from_secs(90),
            cost_usd_max: None,
            notify: NotifyMode::Terminal,
            heartbeat_notify: Duration::from_secs(3_600),
        },
    }
}

pub struct Client {
    pub url: String,
    pub token: String,
}

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

    /// The problem, complete and with its code checked.
    pub fn problem(&self, status: u16, code: &str) -> Value {
        let problem = self.json();
        assert_eq!(self.header("content-type"), "application/problem+json", "{problem}");
        assert_eq!((self.status, problem["code"].as_str()), (status, Some(code)), "{problem}");
        assert_eq!(problem["status"], status);
        for member in ["type", "title", "detail", "hint", "requestId"] {
            assert!(!problem[member].as_str().unwrap_or_default().is_empty(), "{problem}");
        }
        problem
    }
}

impl Client {
    fn agent() -> ureq::Agent {
        ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(30)))
            .build()
            .into()
    }

    pub fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Self::agent().get(format!("{}{path}", self.url));
        if !self.token.is_empty() {
            request = request.header("Authorization", format!("Bearer {}", self.token));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.call())
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.post_with(path, body, &[("Content-Type", "application/json")])
    }

    pub fn post_with(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Self::agent().post(format!("{}{path}", self.url));
        if !self.token.is_empty() {
            request = request.header("Authorization", format!("Bearer {}", self.token));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.send(body.as_bytes()))
    }
}

fn read(result: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut response = result.expect("an answer");
    let text = response.body_mut().read_to_string().expect("a text");
    Answer { status: response.status().as_u16(), headers: response.headers().clone(), text }
}
