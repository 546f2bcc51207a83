//! From typed events to the names and JSON members clients see (contract).

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::event::{
    AnswerSource, ApprovalDecision, EscalationReason, Event, EvictionReason, KeystrokeKind,
    Notification, NotificationOutcome, SessionPhase, StuckReason, ToolStatus,
};
use crate::session_types::Outcome;

/// Every event type, in the order of the documentation.
pub const EVENT_TYPES: [&str; 15] = [
    "terminal:session_state",
    "terminal:spawn_failed",
    "terminal:input_needed",
    "terminal:stuck",
    "terminal:auto_answered",
    "terminal:escalated",
    "terminal:keystroke",
    "terminal:session_evicted",
    "terminal:drive_promoted",
    "terminal:drive_reattached",
    "drive:notification",
    "approval:requested",
    "approval:resolved",
    "job:exited",
    "tool:completed",
];

impl Event {
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SessionState { .. } => "terminal:session_state",
            Self::SpawnFailed { .. } => "terminal:spawn_failed",
            Self::InputNeeded { .. } => "terminal:input_needed",
            Self::Stuck { .. } => "terminal:stuck",
            Self::AutoAnswered { .. } => "terminal:auto_answered",
            Self::Escalated { .. } => "terminal:escalated",
            Self::Keystroke { .. } => "terminal:keystroke",
            Self::SessionEvicted { .. } => "terminal:session_evicted",
            Self::DrivePromoted { .. } => "terminal:drive_promoted",
            Self::DriveReattached { .. } => "terminal:drive_reattached",
            Self::Notification(_) => "drive:notification",
            Self::ApprovalRequested { .. } => "approval:requested",
            Self::ApprovalResolved { .. } => "approval:resolved",
            Self::JobExited { .. } => "job:exited",
            Self::ToolCompleted { .. } => "tool:completed",
        }
    }

    /// The members besides `id, type, time, agentId, sessionId`.
    #[must_use]
    pub fn fields(&self) -> Map<String, Value> {
        let value = match self {
            Self::Notification(notification) => return notification_fields(notification),
            Self::SessionState { phase, duration, exit_code, reason } => json!({
                "state": phase.as_str(), "durationMs": millis(*duration),
                "exitCode": exit_code, "reason": reason.as_ref().map(ToString::to_string),
            }),
            Self::SpawnFailed { error_kind, hint } => {
                json!({ "errorKind": error_kind.as_str(), "hint": hint })
            }
            Self::InputNeeded { state, kind, reason, confidence } => json!({
                "state": state.as_str(), "kind": kind.as_str(),
                "reason": reason.as_str(), "confidence": confidence.as_str(),
            }),
            Self::Stuck { no_progress, reason, confidence } => json!({
                "noProgressMs": millis(*no_progress), "reason": reason.as_str(),
                "confidence": confidence.as_str(),
            }),
            Self::AutoAnswered { source, keystroke_count } => json!({
                "source": source.as_str(), "pattern": source.pattern(),
                "keystrokeCount": keystroke_count,
            }),
            Self::Escalated { reason } => json!({ "reason": reason.as_str() }),
            Self::Keystroke { kind, byte_length, redactions, outcome } => json!({
                "kind": kind.as_str(), "byteLength": byte_length,
                "redactions": redactions, "outcome": outcome_str(*outcome),
            }),
            Self::SessionEvicted { reason, limit, duration } => json!({
                "reason": reason.as_str(), "limit": limit.to_string(),
                "durationMs": millis(*duration),
            }),
            Self::DrivePromoted { reason } | Self::DriveReattached { reason } => {
                json!({ "reason": reason.as_str() })
            }
            Self::ApprovalRequested { approval_id, kind } => {
                json!({ "approvalId": approval_id, "kind": kind.as_str() })
            }
            Self::ApprovalResolved { approval_id, kind, decision } => json!({
                "approvalId": approval_id, "kind": kind.as_str(),
                "decision": decision.as_str(),
            }),
            Self::JobExited { job_id, status, exit_code, duration } => json!({
                "jobId": job_id, "status": status.as_str(), "exitCode": exit_code,
                "durationMs": millis(*duration),
            }),
            Self::ToolCompleted { handle, tool, status, duration } => json!({
                "handle": handle, "tool": tool.as_str(), "status": status.as_str(),
                "durationMs": millis(*duration),
            }),
        };
        without_nulls(value)
    }
}

fn notification_fields(notification: &Notification) -> Map<String, Value> {
    without_nulls(json!({
        "outcome": notification.outcome.as_str(),
        "reason": notification.reason.as_ref().map(ToString::to_string),
        "errorKind": notification.error_kind.as_ref().map(ToString::to_string),
        "durationMs": millis(notification.duration),
        "interactions": notification.interactions,
        "costUsd": notification.cost_usd,
        "excerpt": notification.excerpt.as_ref().map(policy::SafeText::as_str),
        "untrusted": notification.excerpt.is_some().then_some(true),
    }))
}

/// An absent optional member is left out, not `null`.
fn without_nulls(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members.into_iter().filter(|(_, v)| !v.is_null()).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn outcome_str(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Delivered => "delivered",
        Outcome::Submitted => "submitted",
        Outcome::Queued => "queued",
        Outcome::Stalled => "stalled",
    }
}

impl SessionPhase {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Running => "running",
            Self::Exited => "exited",
            Self::Lost => "lost",
        }
    }
}

impl StuckReason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Classified(reason) => reason.as_str(),
            Self::LivenessBackstop => "liveness_backstop",
        }
    }
}

impl AnswerSource {
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Hint(_) => "hint",
            Self::Dialog(_) => "dialog",
        }
    }

    fn pattern(&self) -> Value {
        match self {
            Self::Hint(index) => json!(index),
            Self::Dialog(name) => json!(name.as_str()),
        }
    }
}

impl EscalationReason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::Approval => "approval",
            Self::AuthLogin => "auth_login",
            Self::NoSafeMatch => "no_safe_match",
            Self::LoopDetected => "loop_detected",
            Self::Stuck => "stuck",
            Self::SpendLimit => "spend_limit",
            Self::HopLimit => "hop_limit",
        }
    }
}

impl EscalationReason {
    /// The inverse of `as_str`.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [
            Self::Destructive,
            Self::Approval,
            Self::AuthLogin,
            Self::NoSafeMatch,
            Self::LoopDetected,
            Self::Stuck,
            Self::SpendLimit,
            Self::HopLimit,
        ]
        .into_iter()
        .find(|reason| reason.as_str() == word)
    }
}

impl KeystrokeKind {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Key => "key",
        }
    }
}

impl EvictionReason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::MaxSessions => "max_sessions",
            Self::WallClock => "wall_clock",
            Self::MaxInteractions => "max_interactions",
            Self::Spend => "spend",
            Self::NeverTasked => "never_tasked",
        }
    }
}

impl ApprovalDecision {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Granted => "granted",
            Self::Denied => "denied",
            Self::Expired => "expired",
        }
    }
}

impl ToolStatus {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
        }
    }
}

impl NotificationOutcome {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Progress => "progress",
            Self::Done => "done",
            Self::NeedsYou => "needs-you",
            Self::Failed => "failed",
        }
    }
}
