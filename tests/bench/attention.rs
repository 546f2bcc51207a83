//! A prompt is drawn until its event is on the wire. The settle window of 120 ms is part of it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;

use crate::harness::{Config, Service};
use crate::report;

const PROMPTS: usize = 60;

/// Notes the moment before it asks, and works a while between two questions.
const GUEST: &str = "while :; do echo working; echo $EPOCHREALTIME >> asked; \
    printf 'Go on? [y/n] '; read -r || exit; sleep 0.3; done";

pub fn run() {
    let service = Service::with(&Config::default());
    let agent = service.agent();
    let events = agent.events("?types=terminal:input_needed", None);
    let session = agent.create(json!({ "allowId": "bash", "args": ["--norc", "-c", GUEST] }));
    let notes = service.data_dir().join("workspace/projects/asked");
    let times = (0..PROMPTS).map(|round| {
        events.until_kind("terminal:input_needed");
        let told = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let notes = std::fs::read_to_string(&notes).unwrap();
        let asked: f64 = notes.lines().nth(round).unwrap().parse().unwrap();
        session.try_send(json!({ "text": "y", "submit": true, "onDialog": "send" }));
        told.saturating_sub(Duration::from_secs_f64(asked))
    });
    report("prompt drawn to event on the wire", times.collect());
}
