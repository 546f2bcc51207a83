//! Stub.
use crate::{JailError, Request};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub session_id: String,
}

/// # Errors
/// When any part of the scope cannot be materialised.
pub fn plan(request: &Request, host: &Host) -> Result<Plan, JailError> {
    let _ = (request, host);
    Err(JailError::Unavailable { detail: "not built".to_owned(), fix: String::new() })
}

/// Facts about this machine.
#[derive(Debug, Clone)]
pub struct Host {}
impl Host {
    #[must_use]
    pub fn probe() -> Self {
        Self {}
    }
}
