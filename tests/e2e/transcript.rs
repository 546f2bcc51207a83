//! Lines that left the screen, and how they are read.

use serde_json::{Value, json};

use crate::harness::{Client, Service, Session};

fn bash(agent: &Client, script: &str) -> Session {
    agent.create(json!({ "allowId": "bash", "args": ["-c", script], "rows": 10, "cols": 40 }))
}

/// The numbers that stand alone on a line.
fn numbers(read: &Value) -> Vec<u32> {
    let screen = read["screen"].as_str().expect("a screen");
    screen.lines().filter_map(|line| line.trim().parse().ok()).collect()
}

#[test]
fn what_scrolled_off_the_alternate_screen_can_be_read() {
    let service = Service::start();
    let agent = service.agent();
    let script = "echo main; printf '\\e[?1049h\\e[H'; seq 1 100; read -r _; seq 101 103; \
                  read -r _; printf '\\e[?1049l'; echo back; sleep 600";
    let session = bash(&agent, script);
    session.wait(json!({ "forText": "100" }));
    let read = session.read(json!({ "mode": "full", "scrollback": 1000 }));
    assert_eq!(read["alternateScreen"], true);
    assert_eq!(numbers(&read), (1..=100).collect::<Vec<_>>());
    assert!(!read["screen"].as_str().unwrap().contains("main"), "{read:#}");
    // Nine numbers and the cursor's row are on the screen.
    let some = session.read(json!({ "mode": "full", "scrollback": 5 }));
    assert_eq!(numbers(&some), (87..=100).collect::<Vec<_>>());
    let none = session.read(json!({}));
    assert_eq!(numbers(&none), (92..=100).collect::<Vec<_>>());
    session.resize(60, 12).ok();
    session.keys(&["Enter"]);
    session.wait(json!({ "forText": "103" }));
    let read = session.read(json!({ "mode": "full", "scrollback": 1000 }));
    assert_eq!(numbers(&read), (1..=103).collect::<Vec<_>>());
    session.keys(&["Enter"]);
    session.wait(json!({ "forText": "back" }));
    let read = session.read(json!({ "mode": "full", "scrollback": 1000 }));
    assert_eq!(read["alternateScreen"], false);
    assert_eq!(numbers(&read), [] as [u32; 0], "the main screen has its own past: {read:#}");
}

#[test]
fn text_that_ran_through_the_alternate_screen_is_found() {
    let service = Service::start();
    let agent = service.agent();
    let script = "printf '\\e[?1049h\\e[H'; read -r _; echo needle; seq 1 100; sleep 600";
    let session = bash(&agent, script);
    session.wait_state("awaiting-input");
    session.keys(&["Enter"]);
    session.wait(json!({ "forText": "100" }));
    assert!(!session.screen().contains("needle"));
    session.wait(json!({ "forText": "needle" }));
}

#[test]
fn a_program_that_clears_the_history_does_not_hide_it_from_reads() {
    let service = Service::start();
    let agent = service.agent();
    let session = bash(&agent, "seq 1 50; printf '\\e[H\\e[2J\\e[3J'; echo cleared; sleep 600");
    session.wait(json!({ "forText": "cleared" }));
    let read = session.read(json!({ "mode": "full", "scrollback": 1000 }));
    assert_eq!(numbers(&read), (1..=41).collect::<Vec<_>>(), "what had scrolled off");
}
