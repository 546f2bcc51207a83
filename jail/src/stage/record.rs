//! What the stages tell the worker: JSON lines on a pipe.

use std::io::Write;
use std::os::fd::OwnedFd;

use serde::{Deserialize, Serialize};

use crate::JailError;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Record {
    /// The outer stage has opened the worker's pipes.
    Hello,
    /// The very next thing is the exec of the program, with this pid as it sees itself.
    Exec {
        pid: i32,
    },
    Failed(JailError),
}

/// How the program ended, as pid 1 of the jail saw it; behind `EXIT_MARK` on the log pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ExitRecord {
    Code(i32),
    Signal(i32),
}

/// Starts the line of an `ExitRecord`; bubblewrap's messages are plain text.
pub(crate) const EXIT_MARK: &str = "\u{1e}exit ";

/// One write, so that records never interleave.
pub(crate) fn send(pipe: &OwnedFd, record: &Record) {
    if let Ok(mut line) = serde_json::to_vec(record) {
        line.push(b'\n');
        // A worker that is gone needs no record.
        let _ = nix::unistd::write(pipe, &line);
    }
}

pub(crate) fn send_exit(log: &mut impl Write, exit: ExitRecord) {
    if let Ok(text) = serde_json::to_string(&exit) {
        let _ = log.write_all(format!("\n{EXIT_MARK}{text}\n").as_bytes());
    }
}

pub(crate) fn parse(bytes: &[u8]) -> Vec<Record> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// The last exit told, and the text around it.
pub(crate) fn parse_log(bytes: &[u8]) -> (Option<ExitRecord>, String) {
    let text = String::from_utf8_lossy(bytes);
    let mut exit = None;
    let mut rest = Vec::new();
    for line in text.lines() {
        match line.strip_prefix(EXIT_MARK) {
            Some(json) => exit = serde_json::from_str(json).ok().or(exit),
            None if line.trim().is_empty() => {}
            None => rest.push(line.trim_end()),
        }
    }
    (exit, rest.join("; "))
}
