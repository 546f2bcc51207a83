//! Errors of the modules, as callers see them. No wildcard arm: a new one has to be placed.

use std::time::Duration;

use super::{ConflictReason, Error};
use crate::approvals::ApprovalError;
use crate::calls::CallError;
use crate::events::SubscribeError;
use crate::store::StoreError;
use crate::tokens::AuthError;

/// When it is worth trying again after a queue was full.
const SOON: Duration = Duration::from_secs(1);
/// When it is worth trying again after a limit of open things was reached.
const LATER: Duration = Duration::from_secs(10);

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let detail = error.to_string();
        match error {
            StoreError::Overloaded | StoreError::Locked => {
                Self::RateLimited { retry_after: SOON, detail }
            }
            StoreError::LimitReached { .. } => Self::RateLimited { retry_after: LATER, detail },
            StoreError::DataDirBusy { .. }
            | StoreError::File { .. }
            | StoreError::NewerSchema { .. }
            | StoreError::DiskFull
            | StoreError::ReadOnly
            | StoreError::Damaged(_)
            | StoreError::Stopped
            | StoreError::Database(_)
            | StoreError::BadRow(_) => Self::Internal { detail },
        }
    }
}

impl From<AuthError> for Error {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::Refused => Self::Unauthenticated,
            AuthError::Store(error) => error.into(),
        }
    }
}

impl From<SubscribeError> for Error {
    fn from(error: SubscribeError) -> Self {
        match error {
            SubscribeError::Filter(error) => Self::InvalidValue {
                field: "types".to_owned(),
                detail: error.to_string(),
                hint: Some(format!("the types are {}", crate::events::EVENT_TYPES.join(", "))),
            },
            SubscribeError::TooManyStreams => {
                Self::RateLimited { retry_after: LATER, detail: error.to_string() }
            }
            SubscribeError::Store(error) => error.into(),
        }
    }
}

impl From<CallError> for Error {
    fn from(error: CallError) -> Self {
        let detail = error.to_string();
        let hint = error.hint().map(str::to_owned);
        match error {
            CallError::KeyReused | CallError::Interrupted | CallError::Busy => {
                Self::Conflict { reason: ConflictReason::Busy, detail, hint }
            }
            CallError::TooMany => Self::RateLimited { retry_after: LATER, detail },
            CallError::NotFound => Self::NotFound {
                what: "no call has this handle, or its result is no longer kept".to_owned(),
            },
            CallError::TooLarge { .. } => Self::TooLarge { detail, hint },
            CallError::Store(error) => error.into(),
        }
    }
}

impl From<ApprovalError> for Error {
    fn from(error: ApprovalError) -> Self {
        let detail = error.to_string();
        match error {
            ApprovalError::NotFound { id } => {
                Self::NotFound { what: format!("there is no pending approval {id}") }
            }
            ApprovalError::Resolved { .. } | ApprovalError::BeingDecided => {
                Self::Conflict { reason: ConflictReason::Busy, detail, hint: None }
            }
            ApprovalError::NotAllowed => {
                let hint = Some("use an admin token".to_owned());
                Self::PermissionDenied { reason: "role", detail, hint }
            }
            ApprovalError::TooMany => Self::RateLimited { retry_after: LATER, detail },
            ApprovalError::Store(error) => error.into(),
        }
    }
}
