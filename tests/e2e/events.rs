//! The event stream: by itself, in order, without loss or duplicate.

use serde_json::json;

use crate::harness::{Client, Config, Event, Service};

#[test]
fn attention_comes_by_itself_with_no_call_in_progress() {
    let service = Service::start();
    let agent = service.agent();
    let events = agent.events("?types=terminal:*", None);
    let header = |name: &str| events.headers[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/event-stream");
    assert_eq!(header("cache-control"), "no-store, no-transform");
    assert_eq!(header("x-accel-buffering"), "no");
    let session = agent.create(json!({ "allowId": "python3", "args": ["-q"] }));
    let event = events.until_kind("terminal:input_needed");
    assert_eq!(event.data["sessionId"], session.id.as_str());
    assert_eq!(event.data["agentId"], "default");
    assert_eq!(event.data["state"], "awaiting-input");
    assert_eq!(
        (event.data["id"].as_i64(), event.data["type"].as_str()),
        (Some(event.id), Some("terminal:input_needed"))
    );
    session.kill();
    let ended = events.until(|event| event.data["state"] == "exited");
    assert!(ended.windows(2).all(|pair| pair[0].id < pair[1].id), "ids rise: {ended:#?}");
}

#[test]
fn a_dropped_stream_resumes_without_loss_or_duplicate_over_a_restart() {
    let mut service = Service::start();
    let agent = service.agent();
    let run = || agent.create(json!({ "allowId": "bash", "args": ["-c", "exit 5"] })).wait_exit();
    let ended = |event: &Event| event.data["state"] == "exited";
    let live = agent.events("", None);
    run();
    let first = live.until(ended);
    drop(live);
    // Nobody is connected while these happen.
    run();
    run();
    let last = first.last().unwrap().id;
    let all = agent.events("", Some(0));
    let everything: Vec<Event> = (0..3).flat_map(|_| all.until(ended)).collect();
    drop(all);
    let agent_id = agent.token.clone();
    service.restart();
    let agent = crate::harness::Client::new(&service.url, &agent_id);
    let resumed = agent.events(&format!("?lastEventId={last}"), None);
    let later: Vec<Event> = (0..2).flat_map(|_| resumed.until(ended)).collect();
    let ids = |events: &[Event]| events.iter().map(|event| event.id).collect::<Vec<_>>();
    let expected: Vec<i64> = ids(&everything).into_iter().filter(|id| *id > last).collect();
    assert_eq!(ids(&later), expected);
    assert!(ids(&everything).windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn an_agent_sees_its_own_events_only_on_replay_too() {
    let service = Service::start();
    let (agent, stranger) = (service.agent(), service.client("agent", "stranger"));
    agent.create(json!({ "allowId": "bash", "args": ["-c", "exit 1"] })).wait_exit();
    let mine = stranger.create(json!({ "allowId": "bash", "args": ["-c", "exit 2"] }));
    mine.wait_exit();
    let seen = stranger.events("", Some(0)).until(|event| event.data["state"] == "exited");
    assert!(seen.iter().all(|event| event.data["agentId"] == "stranger"), "{seen:#?}");
    assert_eq!(seen.last().unwrap().data["exitCode"], 2);
    let viewer = service.client("viewer", "default");
    let both = viewer.events("?types=terminal:session_state", Some(0));
    both.until(|event| event.data["exitCode"] == 1);
    both.until(|event| event.data["exitCode"] == 2);
    let one = viewer.events(&format!("?sessionId={}", mine.id), Some(0));
    let seen = one.until(|event| event.data["state"] == "exited");
    assert!(seen.iter().all(|event| event.data["sessionId"] == mine.id.as_str()), "{seen:#?}");
}

#[test]
fn an_end_in_the_last_moment_of_a_drain_is_told_by_the_next_life() {
    let durable = json!({ "durable": true });
    let mut service = Service::with(&Config::default().terminal("drive", durable));
    let agent = service.agent();
    let script = "echo waiting; until [ -e go ]; do sleep 0.02; done; exit 7";
    let session = agent.create(json!({ "allowId": "bash", "args": ["-c", script] }));
    session.wait(json!({ "forText": "waiting" }));
    let events = agent.events("", None);
    // A call that still waits keeps the service from ending at once.
    let waiting = {
        let (agent, id) = (agent.clone(), session.id.clone());
        let args = json!({ "sessionId": id, "forText": "never", "timeoutMs": 60_000 });
        std::thread::spawn(move || agent.tool("terminal_session_wait", &args))
    };
    let admin = service.admin();
    while !admin.get("/metrics").text.contains("ttydrive_tool_calls_running 1\n") {
        assert!(!waiting.is_finished(), "the wait is over early");
    }
    service.ask_to_end();
    // The log ends its streams when it stores nothing more.
    events.until_closed();
    std::fs::write(service.data_dir().join("workspace/projects/go"), "").unwrap();
    service.restart();
    // The session was let go, not gone.
    let refused = waiting.join().unwrap().problem(409, "conflict");
    assert_eq!(refused["reason"], "busy");
    let events = Client::new(&service.url, &agent.token).events("", Some(0));
    let told = events.until(|event| event.data["state"] == "exited");
    assert_eq!(told.last().expect("it came").data["exitCode"], 7);
}
