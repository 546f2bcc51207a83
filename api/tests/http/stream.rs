//! The event stream's form; its content is tested where events are made.

use std::io::{BufRead, BufReader, Read};

use actors::Role;

use crate::harness::Server;

#[test]
fn a_stream_starts_at_once_and_ends_with_the_server() {
    let mut server = Server::start();
    let agent = server.client(Role::Agent);
    let http: ureq::Agent = ureq::Agent::config_builder().build().into();
    let response = http
        .get(format!("{}/v1/events?types=terminal:*,drive:*", agent.url))
        .header("Authorization", format!("Bearer {}", agent.token))
        .call()
        .expect("a stream");
    let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
    assert_eq!(header("content-type"), "text/event-stream");
    assert_eq!(header("cache-control"), "no-store, no-transform");
    assert_eq!(header("x-accel-buffering"), "no");
    let mut reader = BufReader::new(response.into_body().into_reader());
    let mut line = String::new();
    reader.read_line(&mut line).expect("a line");
    assert_eq!(line, "retry: 2000\n");
    let metrics = server.client(Role::Admin).get("/metrics").text;
    assert!(metrics.contains("ttydrive_event_streams_open 1\n"), "{metrics}");
    server.stop();
    let mut rest = String::new();
    reader.read_to_string(&mut rest).expect("a clean end");
    assert_eq!(rest, "\n");
}

#[test]
fn filters_and_ids_are_checked() {
    let server = Server::start();
    let agent = server.client(Role::Agent);
    let id = agent.get_with("/v1/events", &[("Last-Event-ID", "x")]).problem(400, "invalid_value");
    assert_eq!(id["field"], "Last-Event-ID");
    let id = agent.get("/v1/events?lastEventId=-1").problem(400, "invalid_value");
    assert_eq!(id["field"], "lastEventId");
    let types = agent.get("/v1/events?types=nothing:*").problem(400, "invalid_value");
    assert_eq!(types["field"], "types");
}
