//! Starting a worker and finding a living one again.
//!
//! A new worker gets nothing of the daemon's: no environment, no descriptor, no argument but
//! its verb. What it must know comes once, on its standard input.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};

use crate::error::LinkError;
use crate::limits::{READY_LINE_BYTES_MAX, STDERR_LINE_BYTES_MAX, STDERR_LINES_MAX};
use crate::link::Link;
use crate::protocol::{Phase, Push, ReadyLine, WorkerHello, WorkerSpec};
use crate::socket;

/// What to start.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The ttydrive binary itself.
    pub exe: PathBuf,
    pub spec: WorkerSpec,
}

/// Starts a worker and returns once its program runs, or why it does not: the phase is
/// `Running`, `SpawnFailed` or already `Exited`, never `Starting`. An `Exited` phase is
/// followed by the `Exited` push with the last observation.
///
/// # Errors
/// When the worker itself does not come up in time; then nothing of it is left.
pub async fn launch(launch: Launch, deadline: Duration) -> Result<(Link, Phase), LinkError> {
    let mut child = spawn(&launch.exe).map_err(LinkError::Spawn)?;
    let session_id = launch.spec.session_id.clone();
    if let Some(stderr) = child.stderr.take() {
        tokio::spawn(log_stderr(session_id.clone(), stderr));
    }
    let begun = tokio::time::timeout(deadline, begin(&mut child, &launch.spec)).await;
    let outcome = begun.unwrap_or(Err(LinkError::Timeout));
    if outcome.is_err() {
        // Its jail dies with it; the program on an unconfined one gets its hang-up.
        let _ = child.start_kill();
    }
    tokio::spawn(async move {
        match child.wait().await {
            Ok(status) => tracing::debug!(session_id, %status, "worker ended"),
            Err(error) => tracing::warn!(session_id, %error, "worker could not be reaped"),
        }
    });
    outcome
}

/// Connects to a worker that lives already.
///
/// # Errors
/// When nobody serves that socket, or somebody else.
pub async fn attach(
    socket_dir: &Path,
    session_id: &str,
    deadline: Duration,
) -> Result<(Link, WorkerHello), LinkError> {
    let attach = async {
        let stream = socket::connect(socket_dir, session_id).await.map_err(LinkError::Connect)?;
        let (link, hello) = Link::open(stream).await?;
        if hello.session_id != session_id {
            return Err(LinkError::WrongSession { theirs: hello.session_id });
        }
        Ok((link, hello))
    };
    tokio::time::timeout(deadline, attach).await.unwrap_or(Err(LinkError::Timeout))
}

#[expect(clippy::disallowed_methods, reason = "the worker is the process that holds a session")]
fn spawn(exe: &Path) -> std::io::Result<Child> {
    Command::new(exe)
        .arg("worker")
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

async fn begin(child: &mut Child, spec: &WorkerSpec) -> Result<(Link, Phase), LinkError> {
    let told = serde_json::to_vec(spec)
        .map_err(|error| LinkError::Failed { message: error.to_string() })?;
    if let Some(mut stdin) = child.stdin.take() {
        // A worker that ended early says why on its standard output.
        let _ = stdin.write_all(&told).await;
    }
    if let Some(stdout) = child.stdout.take() {
        await_ready(stdout).await?;
    }
    let stream =
        socket::connect(&spec.socket_dir, &spec.session_id).await.map_err(LinkError::Connect)?;
    let (mut link, hello) = Link::open(stream).await?;
    let phase = match hello.phase {
        Phase::Starting => started(&mut link).await?,
        phase @ (Phase::Running { .. } | Phase::SpawnFailed { .. } | Phase::Exited(_)) => phase,
    };
    Ok((link, phase))
}

async fn await_ready(stdout: ChildStdout) -> Result<(), LinkError> {
    let mut line = String::new();
    let read = BufReader::new(stdout.take(READY_LINE_BYTES_MAX)).read_line(&mut line).await;
    match read.ok().and_then(|_| serde_json::from_str::<ReadyLine>(&line).ok()) {
        Some(ReadyLine { error: None }) => Ok(()),
        Some(ReadyLine { error: Some(message) }) => Err(LinkError::Failed { message }),
        None => Err(LinkError::Failed { message: "it ended before it was ready".to_owned() }),
    }
}

/// The first push of a starting worker says how the start went.
async fn started(link: &mut Link) -> Result<Phase, LinkError> {
    while let Some(push) = link.pushes.recv().await {
        match push {
            Push::Started { child_pid } => return Ok(Phase::Running { child_pid }),
            Push::SpawnFailed { kind, message, hint } => {
                return Ok(Phase::SpawnFailed { kind, message, hint });
            }
            // Cannot come before the start was told.
            Push::Changed { .. } | Push::Settled(_) | Push::Exited { .. } | Push::Output { .. } => {
            }
        }
    }
    Err(LinkError::Closed)
}

/// Passes what the worker complains about to the log, line by line and not without end.
async fn log_stderr(session_id: String, stderr: ChildStderr) {
    let mut reader = BufReader::with_capacity(STDERR_LINE_BYTES_MAX, stderr);
    let mut lines = 0;
    let mut line: Vec<u8> = Vec::new();
    loop {
        let Ok(bytes) = reader.fill_buf().await else { return };
        if bytes.is_empty() {
            return;
        }
        let (used, ended) = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (bytes.len(), false),
        };
        let room = STDERR_LINE_BYTES_MAX.saturating_sub(line.len()).min(used);
        line.extend_from_slice(bytes.get(..room).unwrap_or_default());
        reader.consume(used);
        if ended {
            if lines < STDERR_LINES_MAX {
                let text = String::from_utf8_lossy(&line);
                tracing::warn!(session_id, worker = text.trim_end().escape_debug().to_string());
            }
            lines = lines.saturating_add(1);
            line.clear();
        }
    }
}
