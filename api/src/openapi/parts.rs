//! Pieces many operations share.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::limits::{IDEMPOTENCY_KEY_BYTES_MAX, SESSION_KEY_BYTES_MAX};
use crate::problem::{CONTENT_TYPE, Code, TABLE};
use crate::route::{Access, Reply, Route, Verb};

pub fn json(description: &str, schema: &Value) -> Value {
    json!({
        "description": description,
        "headers": answer_headers(),
        "content": { "application/json": { "schema": schema } },
    })
}

pub fn answer_headers() -> Value {
    json!({ "Ttydrive-Request-Id": { "$ref": "#/components/headers/RequestId" } })
}

pub fn event_stream() -> Value {
    json!({
        "description": "Server-sent events: `id` rises for the whole service, `event` is the \
            type, `data` is JSON with id, type, time, agentId, sessionId and the type's own \
            members. `retry: 2000`; a comment line every 15 s. A `resync` event says that \
            events were missed; the stream ends after it when the reader was too slow.",
        "headers": {
            "Ttydrive-Request-Id": { "$ref": "#/components/headers/RequestId" },
            "Cache-Control": { "schema": { "const": "no-store, no-transform" } },
            "X-Accel-Buffering": { "schema": { "const": "no" } },
        },
        "content": { "text/event-stream": {
            "schema": { "type": "string" },
            "x-event-types": actors::events::EVENT_TYPES,
        }},
    })
}

/// Problem responses by status; several codes can share one.
pub fn problems(codes: &[Code], verb: Verb) -> Vec<(String, Value)> {
    let mut by_status: BTreeMap<u16, Vec<&'static str>> = BTreeMap::new();
    for code in codes {
        by_status.entry(code.row().status).or_default().push(code.row().name);
    }
    if verb == Verb::Post {
        by_status.insert(415, vec![Code::InvalidValue.row().name]);
    }
    by_status
        .into_iter()
        .map(|(status, names)| (status.to_string(), problem(status, &names)))
        .collect()
}

fn problem(status: u16, names: &[&str]) -> Value {
    let mut headers = Map::new();
    let mut put = |name: &str, part: &str| {
        headers.insert(name.to_owned(), json!({ "$ref": format!("#/components/headers/{part}") }));
    };
    put("Ttydrive-Request-Id", "RequestId");
    match status {
        401 => put("WWW-Authenticate", "WwwAuthenticate"),
        429 | 503 => put("Retry-After", "RetryAfter"),
        _ => {}
    }
    json!({
        "description": names.join(", "),
        "headers": headers,
        "content": { CONTENT_TYPE: { "schema": { "$ref": "#/components/schemas/Problem" } } },
    })
}

pub fn request_headers(route: &Route) -> Vec<Value> {
    let mut names = Vec::new();
    if route.access != Access::Public {
        names.push("SessionKey");
    }
    if route.verb == Verb::Post {
        names.push("IdempotencyKey");
    }
    match route.reply {
        Reply::Tool if route.verb == Verb::Post => names.push("Prefer"),
        Reply::EventStream => names.push("LastEventId"),
        Reply::Json(_) | Reply::Text(_) | Reply::WebSocket | Reply::Tool => {}
    }
    names
        .into_iter()
        .map(|name| json!({ "$ref": format!("#/components/parameters/{name}") }))
        .collect()
}

pub fn components() -> Value {
    json!({
        "securitySchemes": {
            "bearer": {
                "type": "http",
                "scheme": "bearer",
                "description": "Made by `ttydrive token create`. Never in a query string.",
            },
        },
        "schemas": { "Problem": problem_schema() },
        "headers": {
            "RequestId": {
                "description": "Names this request in the log.",
                "schema": { "type": "string" },
            },
            "RetryAfter": {
                "description": "Seconds to wait before the request is repeated.",
                "schema": { "type": "integer" },
            },
            "WwwAuthenticate": { "schema": { "type": "string" } },
        },
        "parameters": parameters(),
    })
}

fn parameters() -> Value {
    json!({
        "SessionKey": {
            "name": "Ttydrive-Session-Key", "in": "header",
            "description": "Second half of the owner of a session; `main` when absent.",
            "schema": { "type": "string", "minLength": 1, "maxLength": SESSION_KEY_BYTES_MAX,
                "pattern": "^[!-~]+$" },
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key", "in": "header",
            "description": "The first outcome under a key is kept for 24 h and replayed byte \
                for byte; the same key with another request is a conflict.",
            "schema": { "type": "string", "minLength": 1,
                "maxLength": IDEMPOTENCY_KEY_BYTES_MAX, "pattern": "^[ -~]+$" },
        },
        "Prefer": {
            "name": "Prefer", "in": "header",
            "description": "`wait=N`: answer 202 with a handle when the call has not finished \
                after N seconds.",
            "schema": { "type": "string" },
        },
        "LastEventId": {
            "name": "Last-Event-ID", "in": "header",
            "description": "Replays everything later than this event.",
            "schema": { "type": "string", "pattern": "^[0-9]*$" },
        },
    })
}

fn problem_schema() -> Value {
    let codes: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
    json!({
        "type": "object",
        "description": "RFC 9457 problem details.",
        "properties": {
            "type": { "type": "string" },
            "title": { "type": "string" },
            "status": { "type": "integer" },
            "detail": { "type": "string" },
            "code": { "type": "string", "enum": codes },
            "hint": { "type": "string", "description": "What to do next." },
            "reason": {
                "type": "string",
                "description": "Refines the code: dialog_open, session_exited, foreign_draft, \
                    busy, not_in_profile, explicit_deny, role, host, origin ….",
            },
            "field": { "type": "string", "description": "Path of the field at fault." },
            "approvalId": { "type": "string" },
            "retryAfterMs": { "type": "integer" },
            "requestId": { "type": "string" },
        },
        "required": ["type", "title", "status", "detail", "code", "hint", "requestId"],
    })
}
