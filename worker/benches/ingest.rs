//! Output through a whole worker (child, PTY, emulator, settle clock) against a bare reader of
//! the same PTY and against tmux, in one run. Prints MB/s of all and the ratios.
//!
//! `cargo bench -p worker --bench ingest [-- MEBIBYTES]`
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench prints what it measures and holds the clock"
)]

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use worker::protocol::{PROTOCOL_VERSION, Push, WorkerSpec};
use worker::{Launch, launch};

const COLS: u16 = 120;
const ROWS: u16 = 40;

/// The kinds of output of the specification's table.
fn piece(kind: &str, line: usize) -> String {
    match kind {
        "ascii" => format!("{line:>8} {}\r\n", "the quick brown fox jumps over ".repeat(3)),
        "sgr" => {
            let words =
                (0..12).map(|n| format!("\x1b[{};{}m{n:>4} word\x1b[0m ", n % 2, 31 + n % 7));
            format!("{}\r\n", words.collect::<String>())
        }
        "redraw" => {
            let row = line % usize::from(ROWS) + 1;
            format!("\x1b[{row};1H\x1b[2K{:<100}\x1b[{row};50H{line}", "status of a row")
        }
        _ => format!("{line:>8} {}\r\n", "zażółć 漢字かな 👩‍🚀 naïve ".repeat(3)),
    }
}

fn main() {
    let mebibytes: usize = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(64);
    let dir = tempfile::tempdir().unwrap();
    let tmux_there = Command::new("tmux").arg("-V").output().is_ok_and(|it| it.status.success());
    if !tmux_there {
        println!("tmux is not installed: no comparison with it");
    }
    println!(
        "{:8} {:>10} {:>12} {:>10} {:>8} {:>8}",
        "kind", "bare MB/s", "worker MB/s", "tmux MB/s", "of bare", "to tmux"
    );
    for kind in ["ascii", "sgr", "redraw", "unicode"] {
        let path = dir.path().join(kind);
        let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
        let (mut bytes, mut line) = (0, 0);
        while bytes < mebibytes * 1024 * 1024 {
            let piece = piece(kind, line);
            file.write_all(piece.as_bytes()).unwrap();
            bytes += piece.len();
            line += 1;
        }
        file.flush().unwrap();
        // The best of three each, taken in turn.
        let mut best = [Duration::MAX; 3];
        for _ in 0..3 {
            best[0] = best[0].min(bare(&path));
            best[1] = best[1].min(whole(dir.path(), &path));
            if tmux_there {
                best[2] = best[2].min(tmux(dir.path(), &path));
            }
        }
        let [bare, whole, tmux] = best.map(|time| bytes as f64 / 1e6 / time.as_secs_f64());
        let to_tmux = if tmux_there { format!("{:>7.1}x", whole / tmux) } else { String::new() };
        let of_bare = whole / bare * 100.0;
        println!("{kind:8} {bare:>10.1} {whole:>12.1} {tmux:>10.1} {of_bare:>7.0}% {to_tmux}");
    }
}

/// A server of its own with nobody attached; the time until the program has written it all and
/// tmux has read it.
fn tmux(dir: &Path, path: &Path) -> Duration {
    let tmux = |args: &[&str]| {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(dir.join("tmux.sock")).args(["-f", "/dev/null"]).args(args);
        assert!(command.status().unwrap().success(), "tmux {args:?}");
    };
    let size = [COLS.to_string(), ROWS.to_string()];
    tmux(&["new-session", "-d", "-s", "keep", "sleep 600"]);
    let script = format!("stty raw; cat '{}'; tmux wait-for -S over", path.display());
    let start = Instant::now();
    tmux(&["new-session", "-d", "-x", &size[0], "-y", &size[1], "-s", "it", &script]);
    tmux(&["wait-for", "over"]);
    let time = start.elapsed();
    tmux(&["kill-server"]);
    time
}

fn command(path: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c".as_ref(), script().as_ref(), path.as_os_str()]);
    command
}

/// Raw, so that both sides read the very same bytes.
fn script() -> &'static str {
    "stty raw; exec cat \"$0\""
}

fn bare(path: &Path) -> Duration {
    let size = PtySize { rows: ROWS, cols: COLS, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut reader = pair.master.try_clone_reader().unwrap();
    let start = Instant::now();
    let mut child = pair.slave.spawn_command(command(path)).unwrap();
    drop(pair.slave);
    let mut buffer = vec![0; 64 * 1024];
    while reader.read(&mut buffer).unwrap() > 0 {}
    let time = start.elapsed();
    child.wait().unwrap();
    time
}

fn plan(dir: &Path, path: &Path) -> jail::Plan {
    let pinned = jail::pin_program(Path::new("/bin/sh"), None).unwrap();
    let request = jail::Request {
        session_id: "ts_bench".to_owned(),
        program: jail::Program {
            path: pinned.path,
            sha256: pinned.sha256,
            argv0: None,
            args: ["-c", script(), &path.to_string_lossy()].map(str::to_owned).to_vec(),
        },
        scope: jail::Scope {
            filesystem: jail::Filesystem::Workspace,
            paths: Vec::new(),
            network: jail::Network::None,
            hosts: Vec::new(),
            credential_paths: Vec::new(),
            ephemeral_writable_paths: Vec::new(),
            uid: jail::UidMode::Daemon,
        },
        limits: jail::ResourceLimits::default(),
        workspace: dir.to_owned(),
        cwd: dir.to_owned(),
        data_dir: dir.to_owned(),
        hidden: Vec::new(),
        env: Vec::new(),
        env_overrides: Vec::new(),
        unsafe_disable_sandbox: true,
        uid_slot: 0,
        profile: None,
        narrowing: None,
    };
    jail::plan(&request, &jail::Host::probe()).unwrap()
}

fn whole(dir: &Path, path: &Path) -> Duration {
    let plan = serde_json::to_value(plan(dir, path)).unwrap();
    let spec = WorkerSpec {
        version: PROTOCOL_VERSION,
        session_id: "ts_bench".to_owned(),
        socket_dir: dir.to_owned(),
        plan,
        cols: COLS,
        rows: ROWS,
        scrollback_lines: 1_000,
        ring_bytes: 262_144,
        durable: false,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let exe = env!("CARGO_BIN_EXE_worker-testbin").into();
        let (mut link, _) = launch(Launch { exe, spec }, Duration::from_secs(20)).await.unwrap();
        let start = Instant::now();
        loop {
            if let Push::Exited { .. } = link.pushes.recv().await.unwrap() {
                let time = start.elapsed();
                if std::env::var_os("CPU").is_some() {
                    let stat = std::fs::read_to_string(format!("/proc/{}/stat", link.worker_pid));
                    let stat = stat.unwrap();
                    let fields: Vec<&str> = stat.split(' ').collect();
                    println!("  worker cpu: user {}0 ms, system {}0 ms", fields[13], fields[14]);
                }
                let bye = worker::protocol::Request::Shutdown;
                link.requests.request(bye, Duration::from_secs(5)).await.unwrap();
                let socket = dir.join("ts_bench.sock");
                while socket.exists() {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                return time;
            }
        }
    })
}
