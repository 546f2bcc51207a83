//! A killed service until it is ready again with 50 durable sessions.

use std::time::Instant;

use serde_json::json;

use crate::harness::{Config, Service};

const SESSIONS: usize = 50;

pub fn run() {
    let config = Config::default()
        .terminal("worker", json!({ "maxSessions": SESSIONS }))
        .terminal("drive", json!({ "durable": true }));
    let mut service = Service::with(&config);
    let agent = service.agent();
    let create = || agent.create(json!({ "allowId": "bash", "args": ["--norc"] }));
    let sessions: Vec<_> = (0..SESSIONS).map(|_| create()).collect();
    for session in &sessions {
        session.wait_state("awaiting-input");
    }
    let start = Instant::now();
    service.crash();
    let time = start.elapsed();
    let found = service.ready["recovered"].as_u64().unwrap();
    println!("{:<52} {time:.2?}, {found} of {SESSIONS}", "kill -9 to ready, sessions found again");
    let again = service.agent();
    for session in sessions {
        again.tool("terminal_session_kill", &json!({ "sessionId": session.id }));
    }
}
