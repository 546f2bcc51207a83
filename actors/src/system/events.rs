//! Who asks, and the event stream.

use super::System;
use crate::caller::{Caller, Owner};
use crate::error::Error;
use crate::events::{EventFilter, EventStream, LogStatus};

/// Names one conversation or workflow of an agent; it appears in events and listings.
const SESSION_KEY_BYTES_MAX: usize = 128;

impl System {
    /// The caller behind a bearer token and a `Ttydrive-Session-Key`.
    ///
    /// # Errors
    /// The token is not valid, or the key cannot be one.
    pub async fn authenticate(&self, bearer: &str, session_key: &str) -> Result<Caller, Error> {
        let identity = self.records().tokens.authenticate(bearer).await?;
        let length = session_key.len();
        let plain = session_key.bytes().all(|byte| byte.is_ascii_graphic());
        if length == 0 || length > SESSION_KEY_BYTES_MAX || !plain {
            return Err(Error::InvalidValue {
                field: "Ttydrive-Session-Key".to_owned(),
                detail: "must be 1 to 128 visible ASCII characters".to_owned(),
                hint: None,
            });
        }
        Ok(Caller {
            owner: Owner { agent_id: identity.agent_id, session_key: session_key.to_owned() },
            role: identity.role,
            origin: identity.origin,
            token_id: identity.token_id,
        })
    }

    /// A stream of what this caller may see, from the store and then live.
    ///
    /// # Errors
    /// The filter can never match, or too many streams are open.
    pub async fn subscribe(
        &self,
        caller: &Caller,
        filter: EventFilter,
    ) -> Result<EventStream, Error> {
        Ok(self.records().events.subscribe(caller, filter).await?)
    }

    /// Counts of the event log, for metrics.
    pub async fn event_log(&self) -> LogStatus {
        self.records().events.status().await
    }
}
