//! A task that outlives a wait becomes a drive.

use serde_json::json;

use crate::harness::Service;

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
