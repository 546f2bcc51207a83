//! Many at once, very much, and again and again.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Client, Config, Service};

fn many(sessions: usize) -> Service {
    Service::with(&Config::default().terminal("worker", json!({ "maxSessions": sessions })))
}

/// Runs `each` for 0..count on a few threads.
fn spread(count: usize, threads: usize, each: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        for first in 0..threads {
            let each = &each;
            scope.spawn(move || (first..count).step_by(threads).for_each(each));
        }
    });
}

#[test]
fn sixty_sessions_at_once_heavy() {
    let service = many(64);
    let agent = service.agent();
    let sessions: Vec<_> =
        (0..60).map(|_| agent.create(json!({ "allowId": "bash", "args": ["--norc"] }))).collect();
    spread(60, 12, |index| {
        sessions[index].wait(json!({ "forIdleMs": 300 }));
        sessions[index].submit(&format!("echo session $(({index} + 1000))"));
        sessions[index].wait(json!({ "forText": format!("session {}", index + 1000) }));
    });
    let list = agent.tool("terminal_session_list", &json!({})).ok();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 60);
    spread(60, 12, |index| assert_eq!(sessions[index].kill()["alive"], false));
}

#[test]
fn two_hundred_waits_block_nothing_heavy() {
    let service = Service::start();
    let agent = service.agent();
    let session = agent.create(json!({ "allowId": "bash", "args": ["-c", "read line; exit 4"] }));
    session.wait(json!({ "forIdleMs": 200 }));
    let answered = thread::scope(|scope| {
        let waits: Vec<_> = (0..200)
            .map(|_| scope.spawn(|| session.try_wait(json!({ "forExit": true })).ok()))
            .collect();
        // Every wait is in flight or about to be; the service answers others meanwhile.
        let mut slowest = Duration::ZERO;
        for _ in 0..50 {
            let asked = Instant::now();
            agent.get("/healthz").ok();
            slowest = slowest.max(asked.elapsed());
            session.status();
        }
        eprintln!("slowest /healthz beside 200 waits: {slowest:?}");
        session.submit("go");
        waits.into_iter().map(|wait| wait.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(answered.iter().all(|reply| reply["reason"] == "exit"));
}

#[test]
fn a_thousand_fast_programs_keep_output_and_code_heavy() {
    let service = many(32);
    let agent = service.agent();
    spread(1000, 8, |index| {
        let code = index % 250;
        let script = format!("echo out-{index}-end; exit {code}");
        let ended = agent.create(json!({ "allowId": "bash", "args": ["-c", script] })).wait_exit();
        assert_eq!(ended["exitCode"], code, "{ended:#}");
        let screen = ended["screen"].as_str().unwrap();
        assert!(screen.contains(&format!("out-{index}-end")), "{index}: {screen}");
    });
}

#[test]
fn half_a_gigabyte_of_output_is_taken_heavy() {
    let service = Service::start();
    let agent = service.agent();
    let script =
        "yes 0123456789012345678901234567890123456789 | head -c 500000000; echo; echo the end";
    let session = agent.create(json!({ "allowId": "bash", "args": ["-c", script] }));
    let reply = session.try_wait(json!({ "forExit": true, "timeoutMs": 200_000 })).ok();
    assert_eq!(reply["reason"], "exit", "{reply:#}");
    let ended = session.read(json!({}));
    assert_eq!(ended["exitCode"], 0);
    assert!(ended["screen"].as_str().unwrap().contains("the end"));
}

#[test]
fn descriptors_and_terminals_are_flat_after_five_hundred_sessions_heavy() {
    let service = many(16);
    let agent = service.agent();
    let round = |count: usize| {
        spread(count, 8, |_| {
            let session = agent.create(json!({ "allowId": "bash", "args": ["-c", "sleep 600"] }));
            assert_eq!(session.kill()["alive"], false);
        });
    };
    round(16);
    let before = settled(&service, &agent);
    round(484);
    let after = settled(&service, &agent);
    // Connections of the client come and go; a leak would be in the hundreds.
    assert!(after.0 <= before.0 + 24, "descriptors of the service: {before:?} {after:?}");
    assert!(after.1 <= before.1 + 2, "terminals of the host: {before:?} {after:?}");
}

/// Descriptors of the service and terminals of the host, once no session is alive.
fn settled(service: &Service, agent: &Client) -> (usize, usize) {
    let list = agent.tool("terminal_session_list", &json!({})).ok();
    let alive = list["sessions"].as_array().unwrap().iter().any(|s| s["alive"] == true);
    assert!(!alive, "{list:#}");
    let count = |path: String| std::fs::read_dir(path).unwrap().count();
    (count(format!("/proc/{}/fd", service.pid())), count("/dev/pts".to_owned()))
}
