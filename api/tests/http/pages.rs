//! Pages, documents, and what is honestly empty.

use actors::Role;

use crate::harness::Server;

#[test]
fn pages_fetch_nothing_and_run_nothing() {
    let server = Server::start();
    let nobody = server.nobody();
    for path in ["/", "/docs"] {
        let page = nobody.get(path);
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
        for outside in ["http://", "https://", "<script", "src=", "url("] {
            assert!(!page.text.contains(outside), "{path} contains {outside}");
        }
    }
    assert!(nobody.get("/docs").text.contains("terminal_session_create"));
    assert_eq!(nobody.get("/openapi.json").json()["openapi"], "3.1.0");
}

#[test]
fn what_there_is_none_of_is_an_empty_list() {
    let server = Server::start();
    let admin = server.client(Role::Admin);
    for (path, list) in [
        ("/v1/sessions", "sessions"),
        ("/v1/drives", "drives"),
        ("/v1/approvals", "approvals"),
        ("/v1/jobs", "jobs"),
    ] {
        let answer = admin.get(path).json();
        assert_eq!(answer[list].as_array().map(Vec::len), Some(0), "{path}: {answer}");
    }
    for path in ["/v1/drives/ts_0", "/v1/drives/ts_0/journal", "/v1/jobs/job_0"] {
        admin.get(path).problem(404, "not_found");
    }
    admin.post("/v1/drives/ts_0/usage", r#"{"costUsd":0.5}"#).problem(404, "not_found");
    let bad = admin.post("/v1/drives/ts_0/usage", r#"{"costUsd":-1}"#);
    assert_eq!(bad.problem(400, "invalid_value")["field"], "costUsd");
    admin.post("/v1/explain", r#"{"sessionId":"ts_0"}"#).problem(404, "not_found");
    let audit = admin.get("/v1/audit?limit=5&since=2026-01-01T00:00:00Z");
    assert_eq!(audit.status, 200, "{}", audit.text);
    let live = admin.get("/v1/sessions/ts_0/live");
    live.problem(426, "invalid_value");
}

#[test]
fn posture_names_what_is_switched_off() {
    let server = Server::with(|settings, _| {
        let agent = settings.agents.get_mut("default").expect("the agent");
        agent.terminal.unsafe_disable_sandbox = true;
    });
    server.client(Role::Agent).get("/v1/posture").problem(403, "permission_denied");
    let posture = server.client(Role::Viewer).get("/v1/posture").json();
    let switches = posture["unsafeSwitches"].as_array().expect("a list");
    let expected = "agents.default.skills.terminal.unsafeDisableSandbox: true";
    assert_eq!(switches, &[serde_json::json!(expected)]);
    assert_eq!(posture["agents"][0]["agentId"], "default");
    assert!(posture["checks"].as_array().is_some_and(|checks| !checks.is_empty()), "{posture:#}");
}
