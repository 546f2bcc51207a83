//! What is recorded.

use policy::SafeText;
use serde_json::{Map, Value};

use crate::caller::{Caller, Owner, Role};
use crate::events::Code;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditAction {
    SessionCreate,
    SessionSendText,
    SessionSendKey,
    SessionResize,
    SessionKill,
    /// The reaper or a cap ended it.
    SessionEvict,
    AutoAnswer,
    Escalate,
    ApprovalRequest,
    ApprovalDecide,
    TokenCreate,
    TokenRevoke,
    ToolRefused,
    SkillLoad,
    SkillReject,
    Takeover,
}

impl AuditAction {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SessionCreate => "session.create",
            Self::SessionSendText => "session.send_text",
            Self::SessionSendKey => "session.send_key",
            Self::SessionResize => "session.resize",
            Self::SessionKill => "session.kill",
            Self::SessionEvict => "session.evict",
            Self::AutoAnswer => "session.auto_answer",
            Self::Escalate => "session.escalate",
            Self::ApprovalRequest => "approval.request",
            Self::ApprovalDecide => "approval.decide",
            Self::TokenCreate => "token.create",
            Self::TokenRevoke => "token.revoke",
            Self::ToolRefused => "tool.refused",
            Self::SkillLoad => "skill.prompt.load",
            Self::SkillReject => "skill.scan.reject",
            Self::Takeover => "session.takeover",
        }
    }

    /// What an operator did is recorded whatever an agent's settings say.
    pub(super) fn is_administrative(self) -> bool {
        match self {
            Self::ApprovalRequest
            | Self::ApprovalDecide
            | Self::TokenCreate
            | Self::TokenRevoke
            | Self::Takeover => true,
            Self::SessionCreate
            | Self::SessionSendText
            | Self::SessionSendKey
            | Self::SessionResize
            | Self::SessionKill
            | Self::SessionEvict
            | Self::AutoAnswer
            | Self::Escalate
            | Self::ToolRefused
            | Self::SkillLoad
            | Self::SkillReject => false,
        }
    }
}

/// One thing that was done or refused.
#[derive(Debug, Clone)]
pub struct AuditEntry {
    pub action: AuditAction,
    /// `ok`, or the code of the refusal.
    pub outcome: Code,
    /// Whose session or request it was.
    pub owner: Option<Owner>,
    /// Who did it; `None`: the service itself.
    pub role: Option<Role>,
    pub token_id: Option<String>,
    pub session_id: Option<String>,
    pub request_id: Option<String>,
    /// Redacted text that was sent, where there is one.
    pub payload: Option<SafeText>,
    /// Ids, counts and enums.
    pub details: Map<String, Value>,
}

impl AuditEntry {
    /// Done by a caller of the API.
    #[must_use]
    pub fn by(caller: &Caller, action: AuditAction, outcome: Code) -> Self {
        Self {
            owner: Some(caller.owner.clone()),
            role: Some(caller.role),
            token_id: Some(caller.token_id.clone()),
            ..Self::by_service(action, outcome)
        }
    }

    /// Done by the service on its own.
    #[must_use]
    pub fn by_service(action: AuditAction, outcome: Code) -> Self {
        Self {
            action,
            outcome,
            owner: None,
            role: None,
            token_id: None,
            session_id: None,
            request_id: None,
            payload: None,
            details: Map::new(),
        }
    }

    #[must_use]
    pub fn session(mut self, session_id: &str) -> Self {
        self.session_id = Some(session_id.to_owned());
        self
    }

    #[must_use]
    pub fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }
}

/// An entry with its time.
#[derive(Debug, Clone)]
pub(super) struct Stamped {
    pub(super) time_ms: i64,
    pub(super) entry: AuditEntry,
}

impl Stamped {
    pub(super) fn new(entry: AuditEntry, time_ms: i64) -> Self {
        Self { time_ms, entry }
    }
}

/// Which records are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    pub session_id: Option<String>,
    /// Milliseconds since 1970; records of this moment or later.
    pub since_ms: Option<i64>,
    /// At most 1,000; `None`: 100.
    pub limit: Option<u32>,
}

/// A record as it is read back.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRecord {
    pub id: i64,
    /// RFC 3339, UTC.
    pub time: String,
    pub action: String,
    pub agent_id: Option<String>,
    pub session_key: Option<String>,
    pub role: Option<String>,
    pub token_id: Option<String>,
    pub session_id: Option<String>,
    pub outcome: String,
    pub request_id: Option<String>,
    pub payload: Option<String>,
    pub details: Map<String, Value>,
}
