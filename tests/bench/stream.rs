//! 500 subscribers of the event stream, 100 events a second: none lost, and how late.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::json;

use crate::harness::{Config, Service};
use crate::report;

const SUBSCRIBERS: usize = 500;
const EVENTS: usize = 1000;
const EACH: Duration = Duration::from_millis(10);

pub fn run() {
    let service = Service::with(&Config::default());
    let agent = service.agent();
    let sessions: Vec<_> = (0..4)
        .map(|_| agent.create(json!({ "allowId": "bash", "args": ["--norc", "-c", "exec cat"] })))
        .collect();
    let streams: Vec<_> =
        (0..SUBSCRIBERS).map(|_| agent.events("?types=terminal:keystroke", None)).collect();
    let done = AtomicBool::new(false);
    let late = thread::scope(|scope| {
        // Each subscriber counts what it gets and how old it is.
        let readers: Vec<_> = streams
            .into_iter()
            .map(|stream| {
                let done = &done;
                scope.spawn(move || {
                    let mut late = Vec::new();
                    while late.len() < EVENTS && !done.load(Ordering::Relaxed) {
                        let event = stream.until_kind("terminal:keystroke");
                        late.push(age(event.data["time"].as_str().unwrap()));
                    }
                    late
                })
            })
            .collect();
        let start = Instant::now();
        thread::scope(|typing| {
            for (first, session) in sessions.iter().enumerate() {
                typing.spawn(move || {
                    for round in (first..EVENTS).step_by(4) {
                        let due = EACH * u32::try_from(round).unwrap();
                        thread::sleep(due.saturating_sub(start.elapsed()));
                        session.client.tool(
                            "terminal_session_send_key",
                            &json!({ "sessionId": session.id, "keys": ["x"], "settleMs": 0 }),
                        );
                    }
                });
            }
        });
        let rate = EVENTS as f64 / start.elapsed().as_secs_f64();
        println!("{:<52} {rate:.0}/s", format!("events to {SUBSCRIBERS} subscribers"));
        let late: Vec<Vec<Duration>> = readers.into_iter().map(|one| one.join().unwrap()).collect();
        done.store(true, Ordering::Relaxed);
        late
    });
    let whole = late.iter().filter(|one| one.len() == EVENTS).count();
    println!("{:<52} {whole} of {SUBSCRIBERS}", "subscribers that got every event");
    report("event stored to event read by a subscriber", late.into_iter().flatten().collect());
}

/// How long ago the event happened.
fn age(time: &str) -> Duration {
    let time: jiff::Timestamp = time.parse().unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let then = u64::try_from(time.as_microsecond()).unwrap();
    now.saturating_sub(Duration::from_micros(then))
}
