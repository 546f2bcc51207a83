//! The gate: token, role, host, content type, body, paths.

use std::os::unix::fs::PermissionsExt;

use actors::Role;

use crate::harness::Server;

#[test]
fn a_token_is_needed_everywhere_below_v1() {
    let server = Server::start();
    let nobody = server.nobody();
    for path in ["/v1/tools", "/v1/sessions", "/v1/events", "/v1/nothing", "/metrics"] {
        let answer = nobody.get(path);
        answer.problem(401, "unauthenticated");
        assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"ttydrive\"");
        for wrong in ["Basic abc", "Bearer", "Bearer ", "Bearer x", "bearer"] {
            nobody.get_with(path, &[("Authorization", wrong)]).problem(401, "unauthenticated");
        }
    }
    let token = server.client(Role::Admin).token;
    nobody.get(&format!("/v1/tools?token={token}")).problem(401, "unauthenticated");
    // The path in another spelling is not a way around the gate.
    for path in ["/%76%31/tools", "//v1/tools", "/v1//tools", "/./v1/tools"] {
        assert!(nobody.get(path).status >= 400, "{path}");
    }
    assert_eq!(nobody.get("/healthz").json()["status"], "ok");
    assert_eq!(nobody.get("/readyz").json()["status"], "ready");
}

#[test]
fn roles_are_checked_by_route_and_by_tool() {
    let server = Server::start();
    let (agent, viewer) = (server.client(Role::Agent), server.client(Role::Viewer));
    let admin = server.client(Role::Admin);
    agent.get("/v1/audit").problem(403, "permission_denied");
    viewer.get("/metrics").problem(403, "permission_denied");
    assert_eq!(viewer.get("/v1/audit").status, 200);
    assert_eq!(admin.get("/metrics").header("content-type"), "text/plain; version=0.0.4");
    let decide = r#"{"decision":"approve"}"#;
    agent.post("/v1/approvals/ap_00", decide).problem(403, "permission_denied");
    viewer.post("/v1/approvals/ap_00", decide).problem(403, "permission_denied");
    admin.post("/v1/approvals/ap_00", decide).problem(404, "not_found");
    let body = r#"{"allowId":"bash"}"#;
    let refused = viewer.post("/v1/tools/terminal_session_create", body);
    assert_eq!(refused.problem(403, "permission_denied")["reason"], "role");
    let count = |client: &crate::harness::Client| {
        client.get("/v1/tools").json()["tools"].as_array().expect("a list").len()
    };
    assert_eq!((count(&agent), count(&viewer), count(&admin)), (11, 6, 11));
}

#[test]
fn the_tool_policy_hides_and_refuses() {
    let server = Server::with(|settings, _| {
        let agent = settings.agents.get_mut("default").expect("the agent");
        agent.tool_policy.allowed.retain(|name| name != "terminal_session_kill");
        agent.tool_policy.denied.push("terminal_session_read".to_owned());
    });
    let agent = server.client(Role::Agent);
    let catalogue = agent.get("/v1/tools").text;
    assert!(!catalogue.contains("\"terminal_session_kill\""));
    assert!(!catalogue.contains("\"terminal_session_read\""));
    let body = r#"{"sessionId":"ts_0"}"#;
    let outside = agent.post("/v1/tools/terminal_session_kill", body);
    assert_eq!(outside.problem(403, "permission_denied")["reason"], "not_in_profile");
    let denied = agent.post("/v1/tools/terminal_session_read", body);
    assert_eq!(denied.problem(403, "permission_denied")["reason"], "explicit_deny");
    let found = agent.post("/v1/tools/search_tools", r#"{"query":"inventory"}"#).json();
    // A host without a jail has more that is unavailable, for another reason.
    let unavailable = found["unavailable"].as_array().expect("a list").iter();
    let denied: Vec<_> = unavailable.filter(|tool| tool["status"] == "deniedByPolicy").collect();
    assert_eq!(denied.len(), 2, "{found:#}");
}

#[test]
fn bodies_are_checked_and_the_field_is_named() {
    let server = Server::start();
    let agent = server.client(Role::Agent);
    let create = |body: &str| agent.post("/v1/tools/terminal_session_create", body);
    let unknown = create(r#"{"allowId":"bash","colums":80}"#).problem(400, "invalid_value");
    assert_eq!(unknown["field"], "colums");
    assert_eq!(unknown["hint"], "Did you mean `cols`?");
    assert_eq!(create("{}").problem(400, "missing_param")["field"], "allowId");
    let nested = create(r#"{"allowId":"bash","args":["ok",5]}"#).problem(400, "invalid_value");
    assert_eq!(nested["field"], "args[1]");
    let nul = create(r#"{"allowId":"bash","args":["a\u0000b"]}"#).problem(400, "invalid_value");
    assert_eq!(nul["field"], "args[0]");
    for bad in ["", "{", "[1]", "3", "{}{}", "{\"allowId\":\"bash\",}"] {
        create(bad).problem(400, "invalid_value");
    }
    let path = "/v1/tools/terminal_session_list";
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        agent.post_with(path, "{}", &[("Content-Type", kind)]).problem(415, "invalid_value");
    }
    agent.post_with(path, "{}", &[]).problem(415, "invalid_value");
    for bytes in [1024 * 1024 + 1, 3 * 1024 * 1024] {
        agent.post(path, &"x".repeat(bytes)).problem(413, "too_large");
    }
    let text = "y".repeat(256 * 1024 + 1);
    let send = format!("{{\"sessionId\":\"ts_0\",\"text\":\"{text}\"}}");
    agent.post("/v1/tools/terminal_session_send_text", &send).problem(413, "too_large");
}

#[test]
fn wrong_paths_and_methods_are_problems() {
    let server = Server::start();
    let agent = server.client(Role::Agent);
    agent.get("/v1/nothing").problem(404, "not_found");
    agent.get("/nothing").problem(404, "not_found");
    let near = agent.post("/v1/tools/terminal_session_lst", "{}").problem(404, "not_found");
    assert_eq!(near["hint"], "Did you mean `terminal_session_list`?");
    let answer = agent.post("/v1/sessions", "{}");
    answer.problem(405, "unsupported_action");
    assert_eq!(answer.header("allow"), "GET");
    assert_eq!(agent.post("/healthz", "{}").header("allow"), "GET, HEAD");
    let http: ureq::Agent = ureq::Agent::config_builder().build().into();
    let head = http.head(format!("{}/healthz", agent.url)).call().expect("an answer");
    assert_eq!(head.status(), 200);
    agent.get("/v1/sessions/ts_0").problem(404, "not_found");
    let query = agent.get("/v1/tools?format=xml").problem(400, "invalid_value");
    assert_eq!(query["field"], "format");
    let key = agent.get_with("/v1/sessions", &[("Ttydrive-Session-Key", "a b")]);
    assert_eq!(key.problem(400, "invalid_value")["field"], "Ttydrive-Session-Key");
}

#[test]
fn every_answer_has_its_own_request_id_and_safe_headers() {
    let server = Server::start();
    let agent = server.client(Role::Agent);
    let (one, two) = (agent.get("/v1/sessions"), agent.get("/v1/nothing"));
    let (first, second) = (one.header("ttydrive-request-id"), two.header("ttydrive-request-id"));
    assert!(first.starts_with("req_") && first.len() == 20, "{first}");
    assert_ne!(first, second);
    assert_eq!(two.json()["requestId"], second);
    assert_eq!(one.header("cache-control"), "no-store");
    assert_eq!(one.header("x-content-type-options"), "nosniff");
}

#[test]
fn a_foreign_host_or_origin_is_refused_on_every_route() {
    let server = Server::with(|_, server| server.allowed_hosts.push("drive.test".to_owned()));
    let agent = server.client(Role::Agent);
    for path in ["/healthz", "/", "/docs", "/openapi.json", "/v1/tools", "/nothing"] {
        let refused = agent.get_with(path, &[("Host", "evil.example")]);
        assert_eq!(refused.problem(403, "permission_denied")["reason"], "host", "{path}");
        let page = agent.get_with(path, &[("Origin", "http://evil.example")]);
        assert_eq!(page.problem(403, "permission_denied")["reason"], "origin", "{path}");
    }
    assert_eq!(agent.get_with("/v1/tools", &[("Host", "drive.test:80")]).status, 200);
    let own = format!("http://{}", server.address);
    assert_eq!(agent.get_with("/v1/tools", &[("Origin", &own)]).status, 200);
}

#[test]
fn only_loopback_is_served_unless_told_otherwise() {
    let settings = api::ServerSettings {
        bind: ([0, 0, 0, 0], 0).into(),
        unix_socket: None,
        allow_remote: false,
        allowed_hosts: Vec::new(),
        foreground_ms: None,
    };
    let server = Server::start();
    drop(server);
    assert!(api::check(&settings).expect_err("refused").hint().is_some());
    assert!(api::check(&api::ServerSettings { allow_remote: true, ..settings }).is_ok());
}

#[test]
fn the_unix_socket_belongs_to_its_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.sock");
    let mut server = Server::with(|_, server| server.unix_socket = Some(path.clone()));
    let mode = std::fs::metadata(&path).expect("the socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut stream = std::os::unix::net::UnixStream::connect(&path).expect("a connection");
    use std::io::{Read, Write};
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    server.stop();
    assert!(!path.exists(), "the socket goes with the server");
}

#[test]
fn the_hourly_budget_is_a_rate_limit() {
    let server = Server::with(|settings, _| {
        let agent = settings.agents.get_mut("default").expect("the agent");
        agent.budget.tool_calls_per_hour_max = Some(2);
    });
    let agent = server.client(Role::Agent);
    let list = || agent.post("/v1/tools/terminal_session_list", "{}");
    assert_eq!((list().status, list().status), (200, 200));
    let refused = list();
    refused.problem(429, "rate_limited");
    let seconds: u64 = refused.header("retry-after").parse().expect("seconds");
    assert!((3_500..=3_600).contains(&seconds), "{seconds}");
    assert_eq!(agent.get("/v1/sessions").status, 200, "reading routes are no tool calls");
}
