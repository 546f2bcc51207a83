//! Sessions: sizes, lists, dead ones, approval.

use serde_json::json;

use crate::harness::{Config, Service};

#[test]
fn a_session_is_listed_resized_and_dead_in_the_end() {
    let service = Service::start();
    let agent = service.agent();
    let args =
        json!({ "allowId": "bash", "args": ["--norc"], "cols": 100, "rows": 30, "name": "n" });
    let created = agent.tool("terminal_session_create", &args).ok();
    for member in ["sessionId", "allowId", "name", "cwd", "backend", "createdAt"] {
        assert!(created[member].is_string(), "{member}: {created:#}");
    }
    assert_eq!((&created["cols"], &created["rows"]), (&json!(100), &json!(30)));
    let session = crate::harness::Session {
        client: agent.clone(),
        id: created["sessionId"].as_str().unwrap().to_owned(),
    };
    session.wait_state("awaiting-input");
    assert_eq!(session.resize(120, 40).ok(), json!({ "cols": 120, "rows": 40 }));
    session.submit("stty size");
    session.wait(json!({ "forText": "40 120" }));
    let list = agent.tool("terminal_session_list", &json!({})).ok();
    assert_eq!(list["sessions"][0]["sessionId"], created["sessionId"]);
    assert_eq!(list["sessions"][0]["alive"], true);
    session.submit("exit 3");
    assert_eq!(session.wait_exit()["exitCode"], 3);
    let late = session.resize(80, 24).problem(409, "conflict");
    assert_eq!(late["reason"], "session_exited");
    let late = session.try_send(json!({ "text": "x" })).problem(409, "conflict");
    assert_eq!(late["reason"], "session_exited");
    assert_eq!(session.kill()["exitCode"], 3);
}

#[test]
fn more_than_the_allowed_sessions_are_refused_by_name() {
    let service = Service::with(&Config::default().terminal("worker", json!({ "maxSessions": 2 })));
    let agent = service.agent();
    let args = json!({ "allowId": "bash", "args": ["-c", "sleep 600"] });
    let first = agent.create(args.clone());
    let _second = agent.create(args.clone());
    let refused = agent.tool("terminal_session_create", &args).problem(409, "conflict");
    assert_eq!(refused["reason"], "busy");
    assert!(refused["detail"].as_str().unwrap().contains("maxSessions"), "{refused}");
    first.kill();
    agent.create(args);
}

#[test]
fn only_what_is_allowed_is_started() {
    let service = Service::start();
    let agent = service.agent();
    let create = |args| agent.tool("terminal_session_create", &args);
    let wrong = json!({ "allowId": "bash", "command": "/usr/bin/python3" });
    create(wrong).problem(403, "permission_denied");
    assert!(create(json!({ "allowId": "nothing" })).status >= 400);
    let outside = create(json!({ "allowId": "bash", "cwd": "/etc" })).problem(400, "invalid_value");
    assert_eq!(outside["field"], "cwd");
    let args = json!({ "allowId": "bash", "args": ["--norc"] });
    let session = agent.create(args);
    let keys = json!({ "sessionId": session.id, "keys": ["a", "NoSuchKey"] });
    let bad = agent.tool("terminal_session_send_key", &keys).problem(400, "invalid_value");
    assert!(bad["field"].as_str().unwrap().starts_with("keys"), "{bad}");
    assert_eq!(session.status()["interactions"], 0, "an unknown key writes nothing");
}
