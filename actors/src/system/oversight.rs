//! What operators do: approvals and the audit trail.

use super::System;
use crate::approvals::{ApprovalInfo, Decision};
use crate::audit::{AuditFilter, AuditRecord};
use crate::caller::{Caller, Role};
use crate::error::Error;

/// A note is for the next reader, not a document.
const NOTE_BYTES_MAX: usize = 1_024;

impl System {
    /// Pending approvals this caller may see, oldest first.
    ///
    /// # Errors
    /// The service is stopping.
    pub async fn approvals(&self, caller: &Caller) -> Result<Vec<ApprovalInfo>, Error> {
        Ok(self.records().approvals.list(caller).await?)
    }

    /// Grants or denies; returns after that is stored.
    ///
    /// # Errors
    /// Not an admin, no such pending approval, or not stored.
    pub async fn decide(
        &self,
        caller: &Caller,
        id: &str,
        decision: Decision,
        note: Option<String>,
    ) -> Result<(), Error> {
        if note.as_ref().is_some_and(|note| note.len() > NOTE_BYTES_MAX) {
            return Err(Error::InvalidValue {
                field: "note".to_owned(),
                detail: format!("must be at most {NOTE_BYTES_MAX} bytes"),
                hint: None,
            });
        }
        Ok(self.records().approvals.decide(caller, id, decision, note).await?)
    }

    /// Audit records, in the order of time.
    ///
    /// # Errors
    /// Agents may not read the trail.
    pub async fn audit(
        &self,
        caller: &Caller,
        filter: AuditFilter,
    ) -> Result<Vec<AuditRecord>, Error> {
        match caller.role {
            Role::Viewer | Role::Admin => Ok(self.records().audit.query(filter).await?),
            Role::Agent => Err(Error::PermissionDenied {
                reason: "role",
                detail: "the audit trail is for viewers and admins".to_owned(),
                hint: Some("use a viewer or admin token".to_owned()),
            }),
        }
    }
}
