//! A start that needs a human's word.

use std::thread;

use serde_json::{Value, json};

use crate::harness::{Client, Config, Service};

fn service() -> Service {
    Service::with(&Config::default().entry(json!({
        "id": "careful",
        "match": { "path": "/usr/bin/bash" },
        "approveOnCreate": true,
        "consent": { "acknowledgedRisk": true, "acknowledgedAt": "2026-01-01T00:00:00Z" },
    })))
}

/// What waits, once the event has said that something does.
fn pending(admin: &Client, id: &str) -> Value {
    let list = admin.get("/v1/approvals").ok();
    let found = list["approvals"].as_array().unwrap().iter().find(|one| one["approvalId"] == id);
    found.unwrap_or_else(|| panic!("{id} is not listed: {list:#}")).clone()
}

#[test]
fn a_start_waits_for_approval_and_is_bound_to_the_request() {
    let service = service();
    let (agent, admin) = (service.agent(), service.admin());
    let events = agent.events("?types=approval:*", None);
    let decide = |id: &Value, decision: &str| {
        let id = id.as_str().unwrap();
        admin.post(&format!("/v1/approvals/{id}"), &json!({ "decision": decision, "note": "n" }))
    };
    for (decision, script) in [("approve", "exit 3"), ("deny", "exit 4")] {
        let args = json!({ "allowId": "careful", "args": ["-c", script] });
        let asked = agent.clone();
        let call = {
            let args = args.clone();
            thread::spawn(move || asked.tool("terminal_session_create", &args))
        };
        let requested = events.until_kind("approval:requested");
        let id = &requested.data["approvalId"];
        let shown = pending(&admin, id.as_str().unwrap());
        assert!(shown["request"].to_string().contains(script), "{shown:#}");
        assert_eq!(shown["fingerprint"].as_str().unwrap().len(), 64, "{shown:#}");
        agent
            .post(
                &format!("/v1/approvals/{}", id.as_str().unwrap()),
                &json!({ "decision": "approve" }),
            )
            .problem(403, "permission_denied");
        decide(id, decision).ok();
        let resolved = events.until_kind("approval:resolved");
        assert_eq!(&resolved.data["approvalId"], id);
        let answer = call.join().unwrap();
        if decision == "approve" {
            assert!(answer.ok()["sessionId"].is_string());
        } else {
            answer.problem(403, "permission_denied");
        }
        decide(id, decision).problem_in(&[404, 409]);
    }
}
