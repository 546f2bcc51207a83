//! Idempotency keys, preferences, handles.

use actors::Role;

use crate::harness::{Client, Server};

const KILL: &str = "/v1/tools/terminal_session_kill";
const BODY: &str = r#"{"sessionId":"ts_0000000000000000"}"#;

fn keyed(client: &Client, path: &str, body: &str, key: &str) -> crate::harness::Answer {
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)];
    client.post_with(path, body, &headers)
}

#[test]
fn the_first_outcome_is_replayed_byte_for_byte() {
    let server = Server::start();
    let agent = server.client(Role::Agent);
    let first = keyed(&agent, KILL, BODY, "one");
    first.problem(404, "not_found");
    let again = keyed(&agent, KILL, BODY, "one");
    assert_eq!((first.status, &first.text), (again.status, &again.text));
    assert_eq!(again.header("content-type"), "application/problem+json");
    // Without the key it runs again, and the request id shows it.
    assert_ne!(agent.post(KILL, BODY).text, first.text);
    let other = r#"{"sessionId":"ts_1111111111111111"}"#;
    keyed(&agent, KILL, other, "one").problem(409, "conflict");
    // The same body elsewhere is another request.
    keyed(&agent, "/v1/tools/terminal_session_status", BODY, "one").problem(409, "conflict");
    // Another token has keys of its own.
    let stranger = server.client(Role::Agent);
    assert_ne!(keyed(&stranger, KILL, BODY, "one").text, first.text);
    let list = keyed(&agent, "/v1/tools/terminal_session_list", "{}", "two");
    assert_eq!((list.status, list.text.as_str()), (200, r#"{"sessions":[]}"#));
}

#[test]
fn a_key_works_on_any_post_and_a_bad_one_is_named() {
    let server = Server::start();
    let admin = server.client(Role::Admin);
    let decide = r#"{"decision":"deny"}"#;
    let first = keyed(&admin, "/v1/approvals/ap_00", decide, "k");
    first.problem(404, "not_found");
    assert_eq!(keyed(&admin, "/v1/approvals/ap_00", decide, "k").text, first.text);
    let long = "k".repeat(256);
    let refused = keyed(&admin, KILL, BODY, &long).problem(400, "invalid_value");
    assert_eq!(refused["field"], "Idempotency-Key");
}

#[test]
fn a_preference_that_is_met_is_acknowledged() {
    let server = Server::start();
    let agent = server.client(Role::Agent);
    let headers = [("Content-Type", "application/json"), ("Prefer", "wait=20")];
    let answer = agent.post_with("/v1/tools/terminal_session_list", "{}", &headers);
    assert_eq!((answer.status, answer.header("preference-applied")), (200, "wait=20"));
    let plain = agent.post("/v1/tools/terminal_session_list", "{}");
    assert_eq!(plain.header("preference-applied"), "");
}

#[test]
fn an_unknown_handle_is_not_found() {
    let server = Server::start();
    let agent = server.client(Role::Agent);
    agent.get("/v1/calls/call_00?wait=0").problem(404, "not_found");
    agent.post("/v1/tools/collect_result", r#"{"handle":"call_00"}"#).problem(404, "not_found");
    let range = agent.get("/v1/calls/call_00?wait=46").problem(400, "invalid_value");
    assert_eq!(range["field"], "wait");
}
