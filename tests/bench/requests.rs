//! `status` and `list` with 200 sessions.

use std::io::{Read, Write};
use std::net::TcpStream;
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
                    let mut connection = Connection::to(agent);
                    let mut times = Vec::new();
                    while start.elapsed() < FOR {
                        let args = args(times.len() * CLIENTS + client).to_string();
                        let asked = Instant::now();
                        connection.post(tool, &args);
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

/// A connection that is kept, and no more work than needed: clients share the processors with
/// the service that is measured.
struct Connection {
    stream: TcpStream,
    head: String,
    buffer: Vec<u8>,
}

impl Connection {
    fn to(client: &Client) -> Self {
        let host = client.url.strip_prefix("http://").unwrap();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_nodelay(true).unwrap();
        let head = format!(
            "Host: {host}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n",
            client.token
        );
        Self { stream, head, buffer: vec![0; 1 << 20] }
    }

    fn post(&mut self, tool: &str, body: &str) {
        let request = format!(
            "POST /v1/tools/{tool} HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n{body}",
            self.head,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).unwrap();
        let (mut filled, mut whole) = (0, usize::MAX);
        while filled < whole {
            let read = self.stream.read(&mut self.buffer[filled..]).unwrap();
            assert_ne!(read, 0, "the service closed the connection");
            filled += read;
            if whole == usize::MAX {
                whole = answer_length(&self.buffer[..filled]).unwrap_or(usize::MAX);
            }
        }
    }
}

/// Bytes of a whole answer, once its head is here; it must be a success.
fn answer_length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&bytes[..end]).unwrap().to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 200"), "{head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    Some(end + length.expect("the length of the answer").parse::<usize>().unwrap())
}
