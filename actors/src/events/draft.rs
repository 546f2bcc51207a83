//! An event on its way: stamped, not yet stored; and stored, on its way to subscribers.

use serde_json::{Map, Value};

use super::event::Emit;
use crate::caller::Owner;
use crate::clock;

/// What will be stored. The time is when it happened, not when the disk was done.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub(super) kind: &'static str,
    pub(super) time_ms: i64,
    pub(super) owner: Option<Owner>,
    pub(super) session_id: Option<String>,
    pub(super) fields: Map<String, Value>,
}

impl Draft {
    pub(super) fn new(emit: Emit, now_ms: i64) -> Self {
        Self {
            kind: emit.event.kind(),
            time_ms: now_ms,
            fields: emit.event.fields(),
            owner: emit.owner,
            session_id: emit.session_id,
        }
    }

    pub(super) fn stored_as(&self, id: i64) -> StoredEvent {
        StoredEvent {
            id,
            kind: self.kind.to_owned(),
            time: clock::rfc3339(self.time_ms),
            owner: self.owner.clone(),
            session_id: self.session_id.clone(),
            fields: self.fields.clone(),
        }
    }
}

/// An event that has its place in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
    /// One rising integer for the whole service, for ever.
    pub id: i64,
    /// `terminal:session_state` …
    pub kind: String,
    /// RFC 3339, UTC.
    pub time: String,
    pub owner: Option<Owner>,
    pub session_id: Option<String>,
    /// The members of its type.
    pub fields: Map<String, Value>,
}

impl StoredEvent {
    /// The event as it leaves: `id, type, time, agentId, sessionId?` and its own members.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut members = Map::new();
        members.insert("id".to_owned(), self.id.into());
        members.insert("type".to_owned(), self.kind.as_str().into());
        members.insert("time".to_owned(), self.time.as_str().into());
        if let Some(owner) = &self.owner {
            members.insert("agentId".to_owned(), owner.agent_id.as_str().into());
        }
        if let Some(session_id) = &self.session_id {
            members.insert("sessionId".to_owned(), session_id.as_str().into());
        }
        for (name, value) in &self.fields {
            members.entry(name.clone()).or_insert_with(|| value.clone());
        }
        Value::Object(members)
    }
}
