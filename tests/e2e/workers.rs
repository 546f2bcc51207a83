//! One worker a session: its death is that session's alone, and a program inherits nothing.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::harness::Service;

/// Pids of the service's workers, oldest first.
fn workers(service: &Service) -> Vec<i32> {
    let pid = service.pid();
    let mut found = Vec::new();
    for task in std::fs::read_dir(format!("/proc/{pid}/task")).unwrap().flatten() {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace() {
            let line = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
            if line.split(|byte| *byte == 0).nth(1) == Some(b"worker".as_slice()) {
                found.push(child.parse().unwrap());
            }
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn a_killed_worker_costs_its_own_session_only() {
    let service = Service::start();
    let agent = service.agent();
    let events = agent.events("?types=terminal:session_state", Some(0));
    let shell = json!({ "allowId": "bash", "args": ["--norc"] });
    let doomed = agent.create(shell.clone());
    doomed.wait_state("awaiting-input");
    let [worker] = workers(&service)[..] else { panic!("one session, one worker") };
    let other = agent.create(shell);
    other.wait_state("awaiting-input");

    kill(Pid::from_raw(worker), Signal::SIGKILL).unwrap();
    events.until(|event| {
        event.data["state"] == "lost" && event.data["sessionId"] == doomed.id.as_str()
    });
    assert_eq!(doomed.status()["state"], "lost");
    other.submit("echo alive-$((1 + 1))");
    other.wait(json!({ "forText": "alive-2" }));
    assert_eq!(workers(&service).len(), 1);
}

#[test]
fn a_program_inherits_its_terminal_and_nothing_else() {
    let service = Service::start();
    let agent = service.agent();
    let script = "ls /proc/$$/fd > descriptors";
    let session = agent.create(json!({ "allowId": "bash", "args": ["-c", script] }));
    session.wait_exit();
    let list = service.data_dir().join("workspace/projects/descriptors");
    assert_eq!(std::fs::read_to_string(list).unwrap(), "0\n1\n2\n");
}
