//! A task that outlives a wait becomes a drive.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::harness::{Client, Config, Event, Service, Session, until};

/// Ends by itself in a minute, should a test fail before it ends it.
const COUNTS: &str =
    "mark=$RANDOM$RANDOM; while [ $((n++)) -lt 3000 ]; do echo at $mark $n; sleep 0.02; done";

/// A shell that was given this task and has become a drive.
fn promoted(agent: &Client, task: &str) -> Session {
    let args = json!({ "allowId": "bash", "args": ["--norc"], "project": "task" });
    let session = agent.create(args);
    session.wait_state("awaiting-input");
    session.submit(task);
    let reply = session.try_wait(json!({ "forText": "never printed", "timeoutMs": 700 })).ok();
    assert_eq!((&reply["matched"], &reply["producing"]), (&json!(false), &json!(true)));
    session
}

fn notes(events: &[Event]) -> Vec<(Value, Value)> {
    let notes = events.iter().filter(|event| event.kind == "drive:notification");
    notes.map(|event| (event.data["outcome"].clone(), event.data["errorKind"].clone())).collect()
}

fn count(events: &[Event], kind: &str) -> usize {
    events.iter().filter(|event| event.kind == kind).count()
}

#[test]
fn a_long_task_is_promoted_once_and_takes_reports_of_spend() {
    let service = Service::start();
    let agent = service.agent();
    let events = agent.events("?types=terminal:drive_promoted,drive:*", None);
    let session = agent.create(json!({ "allowId": "bash", "args": ["--norc"] }));
    session.wait_state("awaiting-input");
    assert_eq!(agent.get("/v1/drives").ok(), json!({ "drives": [] }));
    agent.get(&format!("/v1/drives/{}", session.id)).problem(404, "not_found");
    session.submit("while :; do echo $((n++)); sleep 0.02; done");
    for _ in 0..2 {
        let args = json!({ "forText": "never printed", "timeoutMs": 700 });
        let reply = session.try_wait(args).ok();
        assert_eq!((&reply["matched"], &reply["producing"]), (&json!(false), &json!(true)));
    }
    let promoted = events.until_kind("terminal:drive_promoted");
    assert_eq!(promoted.data["sessionId"], session.id.as_str());
    let drive = agent.get(&format!("/v1/drives/{}", session.id)).ok();
    assert_eq!(drive["state"], "working", "{drive:#}");
    let usage = format!("/v1/drives/{}/usage", session.id);
    assert_eq!(agent.post(&usage, &json!({ "costUsd": 0.5 })).ok()["costUsd"], 0.5);
    assert_eq!(agent.post(&usage, &json!({ "costUsd": 0.25 })).ok()["costUsd"], 0.75);
    let journal = agent.get(&format!("/v1/drives/{}/journal", session.id));
    assert!(!journal.text.contains("while :;") || journal.json()["objective"].is_string());
    assert_eq!(journal.ok()["sessionId"], session.id.as_str());
    let stranger = service.client("agent", "stranger");
    stranger.get(&format!("/v1/drives/{}/journal", session.id)).problem(404, "not_found");
    session.kill();
    let ended = events
        .until(|event| event.kind == "drive:notification" && event.data["outcome"] == "failed");
    let again = ended.iter().filter(|event| event.kind == "terminal:drive_promoted").count();
    assert_eq!(again, 0, "promoted once: {ended:#?}");
}

/// The task ends by itself with this code, after it has become a drive.
fn ends_with(code: u8) -> Vec<Event> {
    let service = Service::start();
    let agent = service.agent();
    let events = agent.events("?types=terminal:drive_promoted,drive:*", None);
    let task = "until [ -e go ]; do echo $((n++)); sleep 0.02; done; exit ";
    let session = promoted(&agent, &format!("{task}{code}"));
    let list = agent.tool("terminal_session_list", &json!({})).ok();
    assert_eq!(list["sessions"][0]["drive"]["state"], "working", "{list:#}");
    assert_eq!(session.status()["drive"]["state"], "working");
    // The same project has the same folder: so the test says when the task ends.
    let touch = json!({ "allowId": "bash", "args": ["-c", "touch go"], "project": "task" });
    agent.create(touch).wait_exit();
    events.until(|event| ["done", "failed"].contains(&event.data["outcome"].as_str().unwrap_or("")))
}

#[test]
fn exit_0_is_done_and_another_code_is_a_failure_that_names_it() {
    let done = ends_with(0);
    assert_eq!(count(&done, "terminal:drive_promoted"), 1);
    assert_eq!(notes(&done), [(json!("started"), Value::Null), (json!("done"), Value::Null)]);
    let failed = ends_with(3);
    let last = &failed.last().unwrap().data;
    assert_eq!((&last["outcome"], &last["errorKind"]), (&json!("failed"), &json!("exit_code")));
    assert!(last["reason"].as_str().unwrap().contains('3'), "{last:#}");
}

#[test]
fn a_report_over_the_ceiling_is_told_once_and_ends_the_session() {
    let drive = json!({ "durable": false, "maxCostUsd": 1.0 });
    let service = Service::with(&Config::default().terminal("drive", drive));
    let agent = service.agent();
    let events = agent.events("", None);
    let session = promoted(&agent, COUNTS);
    let usage = format!("/v1/drives/{}/usage", session.id);
    assert_eq!(agent.post(&usage, &json!({ "costUsd": 1.0 })).ok()["costUsd"], 1.0);
    let drive = agent.get(&format!("/v1/drives/{}", session.id)).ok();
    assert_eq!(drive["state"], "working", "the ceiling itself is within it: {drive:#}");
    assert_eq!(agent.post(&usage, &json!({ "costUsd": 0.5 })).ok()["costUsd"], 1.5);
    session.wait_exit();
    let seen = events.until(|event| event.data["state"] == "exited");
    let limit = |event: &&Event| event.data["reason"] == "spend_limit";
    let told = seen.iter().filter(limit).filter(|event| event.kind == "terminal:escalated");
    assert_eq!(told.count(), 1, "{seen:#?}");
}

#[test]
fn a_journal_is_private_and_has_nothing_of_the_screen() {
    let service = Service::start();
    let agent = service.agent();
    let session = promoted(&agent, COUNTS);
    let (mark, _) = reached(&session);
    let folder = service.data_dir().join("terminal-drive/default/journals");
    let file = folder.join(format!("{}.json", session.id));
    // It is written beside the call that promotes.
    until(|| file.exists(), || format!("no journal at {}", file.display()));
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(&mark), "what the program printed is not in it: {text}");
    let journal: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(journal["sessionId"], session.id.as_str());
    session.kill();
}

/// What the counting program has printed last: its own mark and its count.
fn reached(session: &Session) -> (String, u64) {
    let reply = session.read(json!({ "mode": "full" }));
    let screen = reply["screen"].as_str().expect("a screen");
    let last = screen.lines().rev().find_map(|row| {
        let (mark, count) = row.trim().strip_prefix("at ")?.split_once(' ')?;
        Some((mark.to_owned(), count.parse().ok()?))
    });
    last.unwrap_or_else(|| panic!("it counts: {screen}"))
}

fn outlives(end: fn(&mut Service)) {
    let drive = json!({ "durable": true });
    let mut service = Service::with(&Config::default().terminal("drive", drive));
    let agent = service.agent();
    let live = agent.events("", Some(0));
    let session = promoted(&agent, COUNTS);
    let before = live.until(|event| event.data["outcome"] == "started");
    let usage = format!("/v1/drives/{}/usage", session.id);
    assert_eq!(agent.post(&usage, &json!({ "costUsd": 0.5 })).ok()["costUsd"], 0.5);
    let path = format!("/v1/drives/{}/journal", session.id);
    let objective = agent.get(&path).ok()["objective"].clone();
    let (mark, earlier) = reached(&session);
    drop(live);

    end(&mut service);
    assert!(service.ready["recovered"].as_u64().unwrap() >= 1, "{}", service.ready);
    let agent = Client::new(&service.url, &agent.token);
    let session = Session { client: agent.clone(), id: session.id };
    let (same, later) = reached(&session);
    assert_eq!(same, mark, "the same program, not a second one");
    assert!(later >= earlier, "it went on: {earlier} then {later}");
    let next = json!({ "forText": format!("at {mark} {}", later + 50) });
    session.wait(next);
    let journal = agent.get(&path).ok();
    assert_eq!((&journal["objective"], &journal["costUsd"]), (&objective, &json!(0.5)));
    let drive = agent.get(&format!("/v1/drives/{}", session.id)).ok();
    assert_eq!((&drive["state"], &drive["costUsd"]), (&json!("done"), &json!(0.5)), "{drive:#}");

    session.kill();
    let replay = agent.events("", Some(0)).until(|event| event.data["state"] == "exited");
    let ids = |events: &[Event]| events.iter().map(|event| event.id).collect::<Vec<_>>();
    assert!(ids(&replay).starts_with(&ids(&before)), "no gap: {before:#?} then {replay:#?}");
    assert_eq!(count(&replay, "terminal:drive_promoted"), 1);
    assert_eq!(count(&replay, "terminal:drive_reattached"), 1);
}

#[test]
fn a_drive_outlives_a_restart() {
    outlives(Service::restart);
}

#[test]
fn a_drive_outlives_a_crash() {
    outlives(Service::crash);
}
