//! `ttydrive worker`: one process that holds one session's terminal.
//!
//! It is started with nothing and told everything once on its standard input. It makes itself
//! independent of whoever started it (own session, no inherited descriptors, standard streams
//! let go), serves one socket, and ends when the session is over. See `session.rs` for what it
//! does in between and `life.rs` for when it ends.

mod conns;
mod ending;
mod facts;
mod input;
mod kill;
mod life;
mod log;
mod program;
mod pty;
mod requests;
mod screen;
mod session;
mod settle;
mod tail;

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use nix::sys::prctl;
use nix::sys::stat::{Mode, umask};
use nix::unistd::{dup2_stdin, dup2_stdout, setsid};

use crate::limits::{FAREWELL_MAX, SESSION_COLS_MAX, SESSION_ROWS_MAX, SPEC_BYTES_MAX};
use crate::protocol::{PROTOCOL_VERSION, ReadyLine, WorkerSpec};
use crate::socket;

/// The whole life of a worker process.
#[must_use]
pub fn worker_main() -> ExitCode {
    jail::close_inherited_fds();
    log::panics_without_text();
    match prepare() {
        Ok((spec, listener)) => {
            let path = spec.socket_dir.join(socket::name(&spec.session_id));
            let outcome = serve(spec, listener);
            let _ = std::fs::remove_file(path);
            match outcome {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    log::line(&format!("worker: {error}"));
                    ExitCode::FAILURE
                }
            }
        }
        Err(error) => {
            ready(Some(error.to_string()));
            ExitCode::FAILURE
        }
    }
}

fn prepare() -> io::Result<(WorkerSpec, UnixListener)> {
    // Fails only for a group leader, which is already as far from its starter as it can be.
    let _ = setsid();
    let spec = read_spec(&mut io::stdin().lock())?;
    prctl::set_child_subreaper(true)?;
    let listener = bind(&spec.socket_dir, &spec.session_id)?;
    std::env::set_current_dir("/")?;
    ready(None);
    let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    Ok((spec, listener))
}

fn read_spec(input: &mut impl Read) -> io::Result<WorkerSpec> {
    let mut told = Vec::new();
    input.take(SPEC_BYTES_MAX + 1).read_to_end(&mut told)?;
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    if told.len() > usize::try_from(SPEC_BYTES_MAX).unwrap_or(usize::MAX) {
        return Err(invalid(format!("the specification is above {SPEC_BYTES_MAX} bytes")));
    }
    let spec: WorkerSpec =
        serde_json::from_slice(&told).map_err(|error| invalid(error.to_string()))?;
    if spec.version != PROTOCOL_VERSION {
        return Err(invalid(format!(
            "a specification of version {}, not {PROTOCOL_VERSION}",
            spec.version
        )));
    }
    let id_is_a_name = spec.session_id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if spec.session_id.is_empty() || spec.session_id.len() > 64 || !id_is_a_name {
        return Err(invalid("the session id is no name".to_owned()));
    }
    if !(1..=SESSION_COLS_MAX).contains(&spec.cols) || !(1..=SESSION_ROWS_MAX).contains(&spec.rows)
    {
        return Err(invalid(format!("no terminal of {}×{}", spec.cols, spec.rows)));
    }
    Ok(spec)
}

/// A short relative name, because a socket address holds 108 bytes. The umask makes it 0600
/// from its first moment; everything later is made under the ordinary private one. A socket
/// left by a dead worker is replaced, a living one never.
fn bind(dir: &Path, session_id: &str) -> io::Result<UnixListener> {
    std::env::set_current_dir(dir)?;
    umask(Mode::from_bits_truncate(0o177));
    let name = PathBuf::from(socket::name(session_id));
    let listener = match UnixListener::bind(&name) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            if UnixStream::connect(&name).is_ok() {
                return Err(io::Error::new(error.kind(), "the session has a worker already"));
            }
            std::fs::remove_file(&name)?;
            UnixListener::bind(&name)?
        }
        other => other?,
    };
    umask(Mode::from_bits_truncate(0o077));
    listener.set_nonblocking(true)?;
    Ok(listener)
}

fn ready(error: Option<String>) {
    if let Ok(line) = serde_json::to_string(&ReadyLine { error }) {
        let _ = writeln!(io::stdout(), "{line}");
    }
}

fn serve(spec: WorkerSpec, listener: UnixListener) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(async move {
        let signals = session::Signals::listen()?;
        let listener = tokio::net::UnixListener::from_std(listener)?;
        let (to_session, inbox) = conns::inbox();
        tokio::spawn(conns::serve(listener, to_session));
        let mut session = session::Session::new(&spec);
        session.launched(program::launch(&spec.plan, spec.cols, spec.rows));
        drop(spec);
        session.run(inbox, signals).await;
        Ok(())
    });
    // A start that still waits for its jail is not waited for.
    runtime.shutdown_timeout(FAREWELL_MAX);
    outcome
}
