//! The one place where an error of the actors becomes a problem. No wildcard arm: a new kind
//! of error does not compile until somebody decides its code.

use actors::{ConflictReason, Error};

use crate::problem::{Code, Problem};

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidValue { field, detail, hint } => {
                Self::invalid(field, detail).maybe_hint(hint)
            }
            Error::MissingParam { field } => Self::missing(field),
            Error::Unauthenticated => {
                Self::new(Code::Unauthenticated, "the token is unknown, expired or revoked")
            }
            Error::PermissionDenied { reason, detail, hint } => {
                Self::new(Code::PermissionDenied, detail).reason(reason).maybe_hint(hint)
            }
            Error::ApprovalRequired { approval_id, detail, hint } => {
                let problem = Self::new(Code::ApprovalRequired, detail).maybe_hint(hint);
                Self { approval_id: Some(approval_id), ..problem }
            }
            Error::NotFound { what } => Self::new(Code::NotFound, what),
            Error::Conflict { reason, detail, hint } => {
                Self::new(Code::Conflict, detail).reason(conflict(reason)).maybe_hint(hint)
            }
            Error::TooLarge { detail, hint } => Self::new(Code::TooLarge, detail).maybe_hint(hint),
            Error::UnsupportedAction { detail, hint } => {
                Self::new(Code::UnsupportedAction, detail).maybe_hint(hint)
            }
            Error::RateLimited { retry_after, detail } => {
                let problem = Self::new(Code::RateLimited, detail);
                Self { retry_after: Some(retry_after), ..problem }
            }
            Error::SandboxUnavailable { detail, hint } => {
                Self::new(Code::SandboxUnavailable, detail).maybe_hint(hint)
            }
            Error::Recovering => recovering(),
            Error::Internal { detail } => {
                tracing::error!(detail, "a call failed inside");
                Self::internal()
            }
        }
    }
}

fn conflict(reason: ConflictReason) -> &'static str {
    match reason {
        ConflictReason::DialogOpen => "dialog_open",
        ConflictReason::SessionExited => "session_exited",
        ConflictReason::ForeignDraft => "foreign_draft",
        ConflictReason::Busy => "busy",
    }
}

fn recovering() -> Problem {
    let problem = Problem::new(Code::Recovering, "sessions are being re-attached");
    Problem { retry_after: Some(std::time::Duration::from_secs(1)), ..problem }
}
