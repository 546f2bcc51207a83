//! Who gets in, and what is refused at the door.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::harness::{Client, Config, Service};

#[test]
fn without_a_valid_token_nothing_is_said() {
    let service = Service::start();
    let nobody = Client::new(&service.url, "");
    let wrong = Client::new(&service.url, "not-a-token-of-this-service-0000000000000000000");
    let paths = ["/v1/tools", "/v1/sessions", "/v1/events", "/v1/audit", "/v1/nothing", "/metrics"];
    for path in paths {
        for client in [&nobody, &wrong] {
            let answer = client.get(path);
            assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"ttydrive\"", "{path}");
            answer.problem(401, "unauthenticated");
        }
    }
    wrong.tool("terminal_session_list", &json!({})).problem(401, "unauthenticated");
    // A token in the query string is not looked at, not even a good one.
    let good = service.agent().token;
    for name in ["token", "access_token"] {
        nobody.get(&format!("/v1/tools?{name}={good}")).problem(401, "unauthenticated");
    }
    assert_eq!(nobody.get("/healthz").ok(), json!({ "status": "ok" }));
    assert_eq!(nobody.get("/readyz").ok(), json!({ "status": "ready" }));
}

#[test]
fn roles_see_and_do_what_they_may() {
    let service = Service::start();
    let (agent, viewer, admin) =
        (service.agent(), service.client("viewer", "default"), service.admin());
    let session = agent.create(json!({ "allowId": "bash" }));
    let args = json!({ "allowId": "bash" });
    let refused = viewer.tool("terminal_session_create", &args).problem(403, "permission_denied");
    assert_eq!(refused["reason"], "role");
    for client in [&viewer, &admin] {
        let seen = client.get(&format!("/v1/sessions/{}", session.id)).ok();
        assert_eq!(seen["agentId"], "default");
    }
    agent.get("/v1/audit").problem(403, "permission_denied");
    agent.get("/metrics").problem(403, "permission_denied");
    viewer.get("/metrics").problem(403, "permission_denied");
    assert!(admin.get("/metrics").text.contains("ttydrive_http_responses_total"));
    let names = |client: &Client| {
        let tools = client.get("/v1/tools").ok();
        let list = tools["tools"].as_array().unwrap().clone();
        list.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&agent).len(), 11);
    assert!(!names(&viewer).contains(&"terminal_session_kill".to_owned()));
}

#[test]
fn a_foreign_session_looks_like_a_missing_one() {
    let service = Service::start();
    let owner = service.agent();
    let session = owner.create(json!({ "allowId": "bash" }));
    let stranger = service.client("agent", "stranger");
    let missing = "ts_0000000000000000";
    for (tool, rest) in [
        ("read", json!({})),
        ("status", json!({})),
        ("send_text", json!({ "text": "echo hi" })),
        ("send_key", json!({ "keys": ["Enter"] })),
        ("wait", json!({})),
        ("resize", json!({ "cols": 90, "rows": 30 })),
        ("kill", json!({})),
    ] {
        let ask = |id: &str| {
            let mut args = rest.clone();
            args["sessionId"] = id.into();
            let answer = stranger.tool(&format!("terminal_session_{tool}"), &args);
            let mut problem = answer.problem(404, "not_found");
            problem["requestId"] = "".into();
            problem.to_string().replace(id, "ID")
        };
        assert_eq!(ask(&session.id), ask(missing), "{tool}");
    }
    // Another session key of the same agent is a stranger too.
    let other_key = owner
        .get_with(&format!("/v1/sessions/{}", session.id), &[("Ttydrive-Session-Key", "other")]);
    other_key.problem(404, "not_found");
    let list = stranger.tool("terminal_session_list", &json!({})).ok();
    assert_eq!(list, json!({ "sessions": [] }));
    assert_eq!(session.status()["interactions"], 0, "nothing a stranger sent was typed");
}

#[test]
fn faults_of_a_body_name_the_field() {
    let service = Service::start();
    let agent = service.agent();
    let create =
        |body: &str| agent.post_with("/v1/tools/terminal_session_create", body.as_bytes(), &[]);
    let unknown = create(r#"{"allowId":"bash","colz":80}"#).problem(400, "invalid_value");
    assert_eq!(unknown["field"], "colz");
    assert!(unknown["hint"].as_str().unwrap().contains("`cols`"), "{unknown}");
    assert_eq!(create("{}").problem(400, "missing_param")["field"], "allowId");
    let range = create(r#"{"allowId":"bash","cols":501}"#).problem(400, "invalid_value");
    assert_eq!(range["field"], "cols");
    for bad in ["", "{", "[]", "null", "\"x\"", "{\"allowId\":\"bash\"}}", "\u{feff}{}"] {
        create(bad).problem(400, "invalid_value");
    }
    let path = "/v1/tools/terminal_session_list";
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        agent.post_with(path, b"{}", &[("Content-Type", kind)]).problem(415, "invalid_value");
    }
    agent.get(path).problem(405, "unsupported_action");
    agent.post("/v1/tools/terminal_session_lst", &json!({})).problem(404, "not_found");
    agent.get("/v1/nothing").problem(404, "not_found");
    assert_eq!(agent.get("/v1/tools?formt=openai").problem(400, "invalid_value")["field"], "formt");
    assert_eq!(agent.tool("terminal_session_list", &json!({})).ok(), json!({ "sessions": [] }));
}

#[test]
fn an_oversized_body_is_refused_with_an_answer() {
    let service = Service::start();
    let agent = service.agent();
    let path = "/v1/tools/terminal_session_list";
    for bytes in [1024 * 1024 + 1, 4 * 1024 * 1024] {
        let body = format!("{{\"x\":\"{}\"}}", "a".repeat(bytes));
        agent.post_with(path, body.as_bytes(), &[]).problem(413, "too_large");
    }
    let session = agent.create(json!({ "allowId": "bash" }));
    let text = "a".repeat(256 * 1024 + 1);
    session.try_send(json!({ "text": text })).problem(413, "too_large");
}

#[test]
fn a_rebound_host_and_a_foreign_page_are_refused_everywhere() {
    let service = Service::with(&Config::default().server("allowedHosts", json!(["drive.test"])));
    let token = service.agent().token;
    for path in ["/healthz", "/", "/docs", "/openapi.json", "/v1/tools", "/v1/events"] {
        for host in ["evil.example", "127.0.0.1.evil.example:80", ""] {
            let answer = raw(&service.url, path, &token, &format!("Host: {host}\r\n"));
            assert!(answer.starts_with("HTTP/1.1 403 "), "{path} {host}: {answer}");
            assert!(answer.contains("\"permission_denied\""), "{answer}");
        }
    }
    for host in ["localhost", "127.0.0.1:1", "[::1]", "drive.test", "DRIVE.test:443"] {
        let answer = raw(&service.url, "/v1/tools", &token, &format!("Host: {host}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 200 "), "{host}: {answer}");
    }
    let foreign = "Host: localhost\r\nOrigin: http://evil.example\r\n";
    assert!(raw(&service.url, "/v1/tools", &token, foreign).starts_with("HTTP/1.1 403 "));
}

/// A request with exactly these headers; the whole answer.
fn raw(url: &str, path: &str, token: &str, headers: &str) -> String {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\n{headers}Authorization: Bearer {token}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_denied_tool_is_absent_and_says_why() {
    let policy = json!({ "profile": "terminal-read-only", "deny": ["terminal_session_read"] });
    let service = Service::with(&Config::default().agent("toolPolicy", policy));
    let agent = service.agent();
    let tools = agent.get("/v1/tools").text;
    assert!(tools.contains("terminal_session_status"));
    assert!(!tools.contains("terminal_session_read") && !tools.contains("terminal_session_kill"));
    let args = json!({ "sessionId": "ts_0000000000000000" });
    let denied = agent.tool("terminal_session_read", &args).problem(403, "permission_denied");
    assert_eq!(denied["reason"], "explicit_deny");
    let outside = agent.tool("terminal_session_kill", &args).problem(403, "permission_denied");
    assert_eq!(outside["reason"], "not_in_profile");
    let inventory = agent.tool("search_tools", &json!({ "query": "inventory" })).ok();
    let count = |list: &str| inventory[list].as_array().unwrap().len();
    assert_eq!(count("tools") + count("unavailable"), 11, "{inventory:#}");
}
