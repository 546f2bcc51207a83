//! A create until its first prompt is readable, beside bare `bwrap` with the same shell.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Config, Service};
use crate::report;

const STARTS: usize = 40;
const GUEST: &str = "printf 'ready> '; read -r";

pub fn run() {
    let service = Service::with(&Config::default());
    let agent = service.agent();
    let times = (0..STARTS).map(|_| {
        let start = Instant::now();
        let session = agent.create(json!({ "allowId": "bash", "args": ["--norc", "-c", GUEST] }));
        while !session.screen().contains("ready>") {}
        let time = start.elapsed();
        session.kill();
        time
    });
    report("create to first prompt readable", times.collect());
    report("bare bwrap to first prompt", (0..STARTS).map(|_| bare()).collect());
}

fn bare() -> Duration {
    let start = Instant::now();
    let mut child = Command::new("bwrap")
        .args(["--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr"])
        .args(["--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"])
        .args(["--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev"])
        .args(["--tmpfs", "/tmp", "bash", "--norc", "-c", GUEST])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut prompt = [0; 7];
    child.stdout.take().unwrap().read_exact(&mut prompt).unwrap();
    let time = start.elapsed();
    drop(child.stdin.take());
    child.wait().unwrap();
    time
}
