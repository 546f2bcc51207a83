//! Retried and long calls.

use std::io::Write;
use std::net::TcpStream;

use serde_json::json;

use crate::harness::{Client, Service, until};

#[test]
fn a_retried_send_types_once() {
    let service = Service::start();
    let agent = service.agent();
    let session = agent.create(json!({ "allowId": "bash", "args": ["--norc"] }));
    session.wait_state("awaiting-input");
    let args = json!({ "sessionId": session.id, "text": "echo once >> log", "submit": true });
    let body = args.to_string();
    let send = |body: &str| {
        let key = [("Idempotency-Key", "send-1")];
        agent.post_with("/v1/tools/terminal_session_send_text", body.as_bytes(), &key)
    };
    let first = send(&body);
    let again = send(&body);
    assert_eq!((first.status, &first.text), (200, &again.text), "replayed byte for byte");
    let other = json!({ "sessionId": session.id, "text": "echo twice >> log", "submit": true });
    send(&other.to_string()).problem(409, "conflict");
    session.wait_state("awaiting-input");
    session.submit("wc -l < log");
    let reply = session.wait(json!({ "forRegex": "(?m)^1\\s*$" }));
    assert_eq!(reply["reason"], "text");
    // An outcome that is a problem is replayed as well, request id and all.
    let gone = json!({ "sessionId": "ts_0000000000000000" }).to_string();
    let kill = || {
        let key = [("Idempotency-Key", "kill-1")];
        agent.post_with("/v1/tools/terminal_session_kill", gone.as_bytes(), &key)
    };
    let (first, again) = (kill(), kill());
    assert_eq!((first.status, &first.text), (404, &again.text));
}

#[test]
fn a_long_call_answers_pending_and_is_collected() {
    let service = Service::start();
    let agent = service.agent();
    let session = agent.create(json!({ "allowId": "bash", "args": ["-c", "read x; echo got $x"] }));
    let events = agent.events("?types=tool:*", None);
    let args = json!({ "sessionId": session.id, "forExit": true, "timeoutMs": 120_000 });
    let answer = agent.post_with(
        "/v1/tools/terminal_session_wait",
        args.to_string().as_bytes(),
        &[("Prefer", "wait=0")],
    );
    assert_eq!(answer.status, 202, "{}", answer.text);
    assert_eq!(answer.header("preference-applied"), "wait=0");
    let pending = answer.json();
    assert_eq!(pending["status"], "pending");
    assert_eq!(pending["tool"], "terminal_session_wait");
    let handle = pending["handle"].as_str().unwrap().to_owned();
    let still = agent.tool("collect_result", &json!({ "handle": handle })).json();
    assert_eq!(still["status"], "pending");
    assert!(still["elapsedMs"].is_u64(), "{still}");
    session.submit("text");
    let completed = events.until_kind("tool:completed");
    assert_eq!(completed.data["handle"], handle);
    let result = agent.get(&format!("/v1/calls/{handle}?wait=45")).ok();
    assert_eq!(result["reason"], "exit", "{result:#}");
    assert_eq!(agent.tool("collect_result", &json!({ "handle": handle })).ok(), result);
    service
        .client("agent", "stranger")
        .get(&format!("/v1/calls/{handle}"))
        .problem(404, "not_found");
}

/// The service's own count of calls that have not ended.
fn running(admin: &Client) -> u64 {
    let text = admin.get("/metrics").text;
    let line = text.lines().find_map(|line| line.strip_prefix("ttydrive_tool_calls_running "));
    line.expect("the gauge is there").parse().expect("a number")
}

/// Looks until the count is this, within the patience of a test.
fn until_running(admin: &Client, wanted: u64) {
    let missing = || format!("{} calls run, not {wanted}", running(admin));
    until(|| running(admin) == wanted, missing);
}

#[test]
fn a_dropped_connection_ends_the_call_and_never_the_session() {
    let service = Service::start();
    let (agent, admin) = (service.agent(), service.admin());
    let session = agent.create(json!({ "allowId": "bash", "args": ["-c", "read x; exit 6"] }));
    let args = json!({ "sessionId": session.id, "forExit": true, "timeoutMs": 600_000 });
    let begin = |extra: &str| {
        let body = args.to_string();
        let address = service.url.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "POST /v1/tools/terminal_session_wait HTTP/1.1\r\nHost: localhost\r\n\
             Authorization: Bearer {}\r\nContent-Type: application/json\r\n{extra}\
             Content-Length: {}\r\n\r\n",
            agent.token,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        stream
    };
    let plain = begin("");
    until_running(&admin, 1);
    drop(plain);
    until_running(&admin, 0);
    let preferring = begin("Prefer: wait=300\r\n");
    until_running(&admin, 1);
    drop(preferring);
    until_running(&admin, 0);
    // Under a key the call goes on: whoever retries gets its outcome.
    let keyed = begin("Idempotency-Key: wait-1\r\n");
    until_running(&admin, 1);
    drop(keyed);
    assert!(session.status()["state"].is_string(), "the session lives");
    session.submit("x");
    until_running(&admin, 0);
    let retried = agent.post_with(
        "/v1/tools/terminal_session_wait",
        args.to_string().as_bytes(),
        &[("Idempotency-Key", "wait-1")],
    );
    assert_eq!(retried.ok()["reason"], "exit");
    assert_eq!(session.wait_exit()["exitCode"], 6);
}
