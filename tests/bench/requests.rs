//! `status` and `list` with 200 sessions.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Client, Config, Service, Session};
use crate::report;

pub const SESSIONS: usize = 200;
const CLIENTS: usize = 8;
const FOR: Duration = Duration::from_secs(5);

/// A service with many sessions at their prompts.
pub fn full() -> (Service, Vec<Session>) {
    let worker = json!({ "maxSessions": SESSIONS });
    let service = Service::with(&Config::default().terminal("worker", worker));
    let agent = service.agent();
    let create = || agent.create(json!({ "allowId": "bash", "args": ["--norc"] }));
    let sessions: Vec<_> = (0..SESSIONS).map(|_| create()).collect();
    for session in &sessions {
        session.wait_state("awaiting-input");
    }
    (service, sessions)
}

pub fn run() {
    let (service, sessions) = full();
    let agent = service.agent();
    measure(
        &agent,
        "terminal_session_status",
        |round| json!({ "sessionId": sessions[round % SESSIONS].id }),
    );
    measure(&agent, "terminal_session_list", |_| json!({}));
}

fn measure(agent: &Client, tool: &str, args: impl Fn(usize) -> Value + Sync) {
    let start = Instant::now();
    let times: Vec<Duration> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let args = &args;
                scope.spawn(move || {
                    let mut times = Vec::new();
                    while start.elapsed() < FOR {
                        let asked = Instant::now();
                        agent.tool(tool, &args(times.len() * CLIENTS + client)).ok();
                        times.push(asked.elapsed());
                    }
                    times
                })
            })
            .collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    report(&format!("{tool} with {SESSIONS} sessions, {rate:.0}/s"), times);
}
