//! Calls that outlive their request.

use std::time::Duration;

use super::System;
use crate::caller::Caller;
use crate::calls::{CallStart, CallState, CallTicket, HandOut, IdempotencyKey, StoredResponse};
use crate::error::Error;

impl System {
    /// Before a tool runs; see `Calls::begin`.
    ///
    /// # Errors
    /// The key was used for something else, its outcome is unknown, or it cannot be stored.
    pub async fn call_begin(
        &self,
        caller: &Caller,
        tool: &str,
        key: Option<IdempotencyKey>,
        join_wait: Option<Duration>,
    ) -> Result<CallStart, Error> {
        Ok(self.records().calls.begin(caller, tool, key, join_wait).await?)
    }

    /// When `Prefer: wait` ran out; see `Calls::hand_out`.
    ///
    /// # Errors
    /// The handle could not be stored.
    pub async fn call_hand_out(&self, handle: &str) -> Result<HandOut, Error> {
        Ok(self.records().calls.hand_out(handle).await?)
    }

    /// With the outcome, which is true whatever this returns.
    ///
    /// # Errors
    /// It could not be stored and is unknown after a restart.
    pub async fn call_finish(
        &self,
        ticket: CallTicket,
        response: StoredResponse,
    ) -> Result<(), Error> {
        Ok(self.records().calls.finish(ticket, response).await?)
    }

    /// The outcome of a handed-out call.
    ///
    /// # Errors
    /// No such call of this caller, or its outcome is unknown.
    pub async fn call_collect(
        &self,
        caller: &Caller,
        handle: &str,
        wait: Duration,
    ) -> Result<CallState, Error> {
        Ok(self.records().calls.collect(caller, handle, wait).await?)
    }
}
