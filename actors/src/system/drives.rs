//! Promoted drives, for their owners and for those who see everything.

use super::System;
use crate::caller::{Caller, Role};
use crate::drive::{DriveError, DriveInfo};
use crate::error::Error;
use crate::journal::Journal;

impl System {
    /// The promoted drives this caller may see.
    pub async fn drives(&self, caller: &Caller) -> Vec<DriveInfo> {
        self.records().drives.list(caller).await
    }

    /// What a drive remembers.
    ///
    /// # Errors
    /// No such drive of this caller.
    pub async fn drive_journal(&self, caller: &Caller, id: &str) -> Result<Journal, Error> {
        Ok(self.records().drives.journal(caller, id).await?)
    }

    /// Adds reported spend; returns the total. Over `maxCostUsd` the drive is stopped.
    ///
    /// # Errors
    /// A viewer asked, no such drive of this caller, or not an amount.
    pub async fn drive_usage(&self, caller: &Caller, id: &str, usd: f64) -> Result<f64, Error> {
        match caller.role {
            Role::Agent | Role::Admin => Ok(self.records().drives.spent(caller, id, usd).await?),
            Role::Viewer => Err(Error::PermissionDenied {
                reason: "role",
                detail: "viewers change nothing".to_owned(),
                hint: Some("use the agent's own token".to_owned()),
            }),
        }
    }
}

impl From<DriveError> for Error {
    fn from(error: DriveError) -> Self {
        match error {
            DriveError::NotFound => Self::NotFound { what: error.to_string() },
            DriveError::NotAnAmount => Self::InvalidValue {
                field: "costUsd".to_owned(),
                detail: error.to_string(),
                hint: None,
            },
        }
    }
}
