//! One running `ttydrive serve`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use super::{Client, Config, PATIENCE, until};

const BINARY: &str = env!("CARGO_BIN_EXE_ttydrive");

/// A service that ends with the test.
pub struct Service {
    child: Child,
    pub url: String,
    /// The ready line.
    pub ready: Value,
    folder: TempDir,
}

impl Service {
    pub fn start() -> Self {
        Self::with(&Config::default())
    }

    pub fn with(config: &Config) -> Self {
        let folder = tempfile::Builder::new().prefix("ttydrive-e2e-").tempdir().unwrap();
        std::fs::write(folder.path().join("config.yaml"), config.text()).unwrap();
        let (child, ready) = launch(folder.path());
        let url = ready["url"].as_str().expect("the ready line has the url").to_owned();
        Self { child, url, ready, folder }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Ends the service in the polite way and starts it again on the same data dir.
    pub fn restart(&mut self) {
        assert!(end(&mut self.child), "SIGTERM ends the service with code 0 within 10 s");
        self.start_again();
    }

    /// Replaces the configuration file and asks the service to read it again.
    pub fn reload(&self, text: &str) {
        std::fs::write(self.folder.path().join("config.yaml"), text).unwrap();
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap());
        kill(pid, Signal::SIGHUP).expect("it runs");
    }

    /// Returns when the service has logged this.
    #[track_caller]
    pub fn until_logged(&self, wanted: &str) {
        let log = || std::fs::read_to_string(self.folder.path().join("log")).unwrap();
        until(|| log().contains(wanted), || format!("`{wanted}` was not logged:\n{}", log()));
    }

    /// Asks the service to end and returns at once.
    pub fn ask_to_end(&self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap());
        kill(pid, Signal::SIGTERM).expect("it runs");
    }

    /// Ends the service with no chance to store anything and starts it again.
    pub fn crash(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it is our child");
        self.start_again();
    }

    fn start_again(&mut self) {
        let (child, ready) = launch(self.folder.path());
        self.child = child;
        self.url = ready["url"].as_str().expect("the ready line has the url").to_owned();
        self.ready = ready;
    }

    pub fn admin(&self) -> Client {
        let token = std::fs::read_to_string(self.data_dir().join("admin-token")).unwrap();
        Client::new(&self.url, token.trim())
    }

    /// A client of this role and agent with a token of its own.
    pub fn client(&self, role: &str, agent: &str) -> Client {
        Client::new(&self.url, &self.token(role, agent))
    }

    /// The ordinary client.
    pub fn agent(&self) -> Client {
        self.client("agent", "default")
    }

    pub fn token(&self, role: &str, agent: &str) -> String {
        let output = Command::new(BINARY)
            .args(["token", "create", "--role", role, "--agent", agent, "--config"])
            .arg(self.folder.path().join("config.yaml"))
            .arg("--data-dir")
            .arg(self.data_dir())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if !end(&mut self.child) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn launch(folder: &Path) -> (Child, Value) {
    let log = std::fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
    let mut child = Command::new(BINARY)
        .args(["serve", "--bind", "127.0.0.1:0", "--config"])
        .arg(folder.join("config.yaml"))
        .arg("--data-dir")
        .arg(folder.join("data"))
        .env("TTYDRIVE_LOG", "info")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .unwrap();
    let stdout = child.stdout.take().unwrap();
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(stdout).lines();
        // The receiver may have given up.
        let _ = tell.send(lines.next());
        // Whatever else is printed is read, so that the service never blocks on it.
        lines.for_each(drop);
    });
    let line = match told.recv_timeout(PATIENCE) {
        Ok(Some(Ok(line))) => line,
        other => {
            let _ = child.kill();
            let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
            panic!("no ready line ({other:?}); the log says:\n{log}");
        }
    };
    let ready: Value = serde_json::from_str(&line).expect("the ready line is JSON");
    assert_eq!(ready["ready"], true);
    (child, ready)
}

/// SIGTERM; whether the process ended with 0 in time.
fn end(child: &mut Child) -> bool {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    if kill(pid, Signal::SIGTERM).is_err() {
        return false;
    }
    let deadline = Instant::now() + Duration::from_secs(12);
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            Err(_) => return false,
        }
    }
    false
}
