//! A key until it shows in a read, beside `tmux send-keys` and `tmux capture-pane`.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Config, Service};
use crate::report;

const KEYS: usize = 300;

/// Echoes what is typed and nothing else.
const GUEST: &str = "printf '> '; exec cat";

pub fn run() {
    let service = Service::with(&Config::default());
    let session =
        service.agent().create(json!({ "allowId": "bash", "args": ["--norc", "-c", GUEST] }));
    session.wait(json!({ "forText": ">" }));
    let times = (0..KEYS).map(|round| {
        let expected = typed(round);
        let start = Instant::now();
        session.client.tool(
            "terminal_session_send_key",
            &json!({ "sessionId": session.id, "keys": [key(round)], "settleMs": 0 }),
        );
        while !session.screen().contains(&expected) {}
        let time = start.elapsed();
        if expected.len() == LINE {
            session.keys(&["Enter"]);
        }
        time
    });
    let ours = report("keystroke to visible, HTTP", times.collect());
    let tmux = report("keystroke to visible, tmux processes", in_tmux());
    println!("{:<52} {:.2}", "  ratio to tmux (p50)", ours.as_secs_f64() / tmux.as_secs_f64());
}

/// Characters of a line before the next is begun.
const LINE: usize = 40;

fn key(round: usize) -> String {
    char::from(b'a' + u8::try_from(round % 26).unwrap()).to_string()
}

/// The line so far, with this key.
fn typed(round: usize) -> String {
    (round / LINE * LINE..=round).map(key).collect()
}

fn in_tmux() -> Vec<Duration> {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("tmux");
    let tmux = |args: &[&str]| {
        let output = Command::new("tmux")
            .arg("-S")
            .arg(&socket)
            .args(["-f", "/dev/null"])
            .args(args)
            .output();
        String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
    };
    tmux(&["new-session", "-d", "-x", "80", "-y", "24", GUEST]);
    while !tmux(&["capture-pane", "-p"]).contains('>') {}
    let times = (0..KEYS).map(|round| {
        let expected = typed(round);
        let start = Instant::now();
        tmux(&["send-keys", "-l", &key(round)]);
        while !tmux(&["capture-pane", "-p"]).contains(&expected) {}
        let time = start.elapsed();
        if expected.len() == LINE {
            tmux(&["send-keys", "Enter"]);
        }
        time
    });
    let times = times.collect();
    tmux(&["kill-server"]);
    times
}
