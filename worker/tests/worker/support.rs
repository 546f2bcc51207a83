//! One worker under test, and how to wait for facts about it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use term::Frame;
use worker::protocol::{
    PROTOCOL_VERSION, Phase, Push, Reply, Request, WireExit, WireObservation, WorkerSpec,
};
use worker::{Launch, Link, LinkError, launch};

/// Nothing in here takes longer on a working machine, however loaded.
pub const LONG: Duration = Duration::from_secs(40);

pub const SESSION: &str = "ts_0123456789abcdef";

/// A worker with its link; the folder and the worker go when it is dropped.
pub struct Worker {
    pub link: Link,
    pub phase: Phase,
    pub dir: tempfile::TempDir,
    pub session_id: String,
}

pub fn exe() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_worker-testbin"))
}

/// How the program is confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confined {
    Bare,
    Jailed,
}

pub fn plan(dir: &Path, program: &str, args: &[&str], confined: Confined) -> jail::Plan {
    let data_dir = dir.join("data");
    let workspace = data_dir.join("workspace/projects");
    std::fs::create_dir_all(&workspace).unwrap();
    let pinned = jail::pin_program(Path::new(program), None).unwrap();
    let request = jail::Request {
        session_id: SESSION.to_owned(),
        program: jail::Program {
            path: pinned.path,
            sha256: pinned.sha256,
            argv0: None,
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        },
        scope: jail::Scope {
            filesystem: jail::Filesystem::Workspace,
            paths: Vec::new(),
            network: jail::Network::None,
            hosts: Vec::new(),
            credential_paths: Vec::new(),
            ephemeral_writable_paths: Vec::new(),
            uid: jail::UidMode::Dedicated,
        },
        limits: jail::ResourceLimits::default(),
        cwd: workspace.clone(),
        workspace,
        data_dir,
        hidden: Vec::new(),
        env: vec![("PS1".to_owned(), "prompt> ".to_owned())],
        env_overrides: Vec::new(),
        unsafe_disable_sandbox: confined == Confined::Bare,
        uid_slot: 7,
        profile: None,
        narrowing: None,
    };
    jail::plan(&request, &jail::Host::probe()).unwrap()
}

pub fn spec(dir: &Path, program: &str, args: &[&str], confined: Confined) -> WorkerSpec {
    let plan = serde_json::to_value(plan(dir, program, args, confined)).unwrap();
    WorkerSpec {
        version: PROTOCOL_VERSION,
        session_id: SESSION.to_owned(),
        socket_dir: dir.to_owned(),
        plan,
        cols: 80,
        rows: 24,
        scrollback_lines: 1_000,
        ring_bytes: 262_144,
        durable: false,
    }
}

pub async fn start(program: &str, args: &[&str]) -> Worker {
    start_with(program, args, |_| {}).await.unwrap()
}

pub async fn start_in(confined: Confined, program: &str, args: &[&str]) -> Worker {
    start_as(confined, program, args, |_| {}).await.unwrap()
}

pub async fn start_with(
    program: &str,
    args: &[&str],
    change: impl FnOnce(&mut WorkerSpec),
) -> Result<Worker, LinkError> {
    start_as(Confined::Bare, program, args, change).await
}

pub async fn start_as(
    confined: Confined,
    program: &str,
    args: &[&str],
    change: impl FnOnce(&mut WorkerSpec),
) -> Result<Worker, LinkError> {
    let dir = tempfile::tempdir().unwrap();
    let mut spec = spec(dir.path(), program, args, confined);
    change(&mut spec);
    let session_id = spec.session_id.clone();
    let (link, phase) = launch(Launch { exe: exe(), spec }, LONG).await?;
    Ok(Worker { link, phase, dir, session_id })
}

impl Worker {
    pub async fn ask(&self, request: Request) -> Reply {
        self.link.requests.request(request, LONG).await.unwrap()
    }

    pub async fn write(&self, text: &str) -> (u64, bool) {
        let request = Request::Write { bytes: text.as_bytes().to_vec(), deadline_ms: 5_000 };
        match self.ask(request).await {
            Reply::Written { bytes_written, complete } => (bytes_written, complete),
            other => panic!("{other:?}"),
        }
    }

    pub async fn observe(&self) -> Box<WireObservation> {
        let request = Request::Observe { history_from: None, history_max: 0, with_tree: true };
        match self.ask(request).await {
            Reply::Observed(observation) => observation,
            other => panic!("{other:?}"),
        }
    }

    /// The next push of a kind.
    pub async fn push<T>(&mut self, wanted: impl Fn(Push) -> Option<T>) -> T {
        let search = async {
            loop {
                let push = self.link.pushes.recv().await.unwrap();
                if let Some(found) = wanted(push) {
                    return found;
                }
            }
        };
        tokio::time::timeout(LONG, search).await.unwrap()
    }

    /// The first settled look that satisfies the condition.
    pub async fn settled(
        &mut self,
        wanted: impl Fn(&WireObservation, &Frame) -> bool,
    ) -> Box<WireObservation> {
        self.push(|push| match push {
            Push::Settled(seen) if wanted(&seen, &seen.frame.to_frame()) => Some(seen),
            Push::Exited { exit, observation } => {
                panic!("ended with {exit:?}:\n{}", text(&observation.frame.to_frame()))
            }
            _ => None,
        })
        .await
    }

    pub async fn exited(&mut self) -> (WireExit, Box<WireObservation>) {
        self.push(|push| match push {
            Push::Exited { exit, observation } => Some((exit, observation)),
            _ => None,
        })
        .await
    }

    /// Looks until the condition holds.
    pub async fn until(&self, wanted: impl Fn(&WireObservation) -> bool) -> Box<WireObservation> {
        let end = Instant::now() + LONG;
        loop {
            let seen = self.observe().await;
            if wanted(&seen) {
                return seen;
            }
            assert!(Instant::now() < end, "{:?}\n{}", seen.facts, text(&seen.frame.to_frame()));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

pub fn text(frame: &Frame) -> String {
    let rows: Vec<String> = frame.rows.iter().map(term::Row::text).collect();
    rows.join("\n").trim_end().to_owned()
}

pub fn shows(observation: &WireObservation, wanted: &str) -> bool {
    text(&observation.frame.to_frame()).contains(wanted)
}

/// Whether a process of that id exists and is not just waiting to be reaped.
pub fn lives(pid: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| !rest.starts_with(" Z")))
}

pub async fn gone(what: impl Fn() -> bool) {
    let end = Instant::now() + LONG;
    while what() {
        assert!(Instant::now() < end, "it is still there");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
