//! What a caller of the actor system can be told. `api` gives each its code and status; this
//! crate knows neither. The hint says what the caller should do next, where the inside knows.

mod from;

use std::time::Duration;

/// Why something cannot be done just now although it is allowed and well formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConflictReason {
    DialogOpen,
    SessionExited,
    ForeignDraft,
    Busy,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("{field}: {detail}")]
    InvalidValue { field: String, detail: String, hint: Option<String> },
    #[error("{field} is missing")]
    MissingParam { field: String },
    #[error("the token is not valid")]
    Unauthenticated,
    #[error("{detail}")]
    PermissionDenied { reason: &'static str, detail: String, hint: Option<String> },
    #[error("{detail}")]
    ApprovalRequired { approval_id: String, detail: String, hint: Option<String> },
    /// `what` is a whole sentence: somebody else's thing and a missing one read the same.
    #[error("{what}")]
    NotFound { what: String },
    #[error("{detail}")]
    Conflict { reason: ConflictReason, detail: String, hint: Option<String> },
    #[error("{detail}")]
    TooLarge { detail: String, hint: Option<String> },
    #[error("{detail}")]
    UnsupportedAction { detail: String, hint: Option<String> },
    #[error("{detail}")]
    RateLimited { retry_after: Duration, detail: String },
    #[error("{detail}")]
    SandboxUnavailable { detail: String, hint: Option<String> },
    #[error("the service is recovering its sessions")]
    Recovering,
    /// The detail is for the log, never for the client.
    #[error("{detail}")]
    Internal { detail: String },
}

impl Error {
    /// The code callers see; `api` has its own table of statuses for them.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidValue { .. } => "invalid_value",
            Self::MissingParam { .. } => "missing_param",
            Self::Unauthenticated => "unauthenticated",
            Self::PermissionDenied { .. } => "permission_denied",
            Self::ApprovalRequired { .. } => "approval_required",
            Self::NotFound { .. } => "not_found",
            Self::Conflict { .. } => "conflict",
            Self::TooLarge { .. } => "too_large",
            Self::UnsupportedAction { .. } => "unsupported_action",
            Self::RateLimited { .. } => "rate_limited",
            Self::SandboxUnavailable { .. } => "sandbox_unavailable",
            Self::Recovering => "recovering",
            Self::Internal { .. } => "internal",
        }
    }
}
