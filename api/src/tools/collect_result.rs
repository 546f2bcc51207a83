//! `collect_result`: redeem a handle that a call answered with when `Prefer: wait` ran out.

use std::time::Duration;

use actors::calls::{CallState, StoredResponse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Answer, Context, Entry, READ_ONLY};
use crate::input;
use crate::problem::Problem;
use crate::{schema, wire};

/// Which call, and how long to wait for its end.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// `call_<hex>` as the pending answer gave it.
    #[schemars(length(min = 1, max = 64))]
    handle: String,
    /// Seconds to wait for the result.
    #[schemars(range(min = 0, max = 45))]
    wait_sec: Option<u64>,
    /// The same as waitSec, named like the query parameter of GET /v1/calls.
    #[schemars(range(min = 0, max = 45))]
    wait: Option<u64>,
}

/// The call has not finished.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    pub status: PendingStatus,
    pub handle: String,
    pub tool: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PendingStatus {
    Pending,
}

impl Pending {
    #[must_use]
    pub fn new(handle: &str, tool: &str, elapsed: Option<Duration>) -> Self {
        Self {
            status: PendingStatus::Pending,
            handle: handle.to_owned(),
            tool: tool.to_owned(),
            elapsed_ms: elapsed.map(wire::millis),
        }
    }
}

impl From<StoredResponse> for Answer {
    fn from(stored: StoredResponse) -> Self {
        Self {
            status: stored.status,
            content_type: stored.content_type,
            body: stored.body,
            retry_after_secs: None,
        }
    }
}

pub(super) fn entry() -> Entry {
    Entry {
        name: "collect_result",
        description: "Collect the result of a call that answered pending. Returns pending with \
            elapsedMs, or exactly what the tool itself would have returned. A result is kept \
            for an hour and may be read again.",
        annotations: READ_ONLY,
        input: schema::input::<Args>(),
        output: json!({
            "type": "object",
            "description": "Still pending, or the tool's own result.",
            "anyOf": [schema::output::<Pending>(), {"type": "object"}],
        }),
        run: |entry, context, value| {
            Box::pin(async move {
                let args = input::typed::<Args>(&entry.input, value)?;
                let wait = Duration::from_secs(args.wait_sec.or(args.wait).unwrap_or(0));
                collect(&context, &args.handle, wait).await
            })
        },
    }
}

/// What the tool and the route have in common.
///
/// # Errors
/// When the handle is unknown, foreign or too old.
pub async fn collect(context: &Context, handle: &str, wait: Duration) -> Result<Answer, Problem> {
    match context.system.call_collect(&context.caller, handle, wait).await? {
        CallState::Pending { tool, elapsed } => {
            Answer::json(202, &Pending::new(handle, &tool, Some(elapsed)))
        }
        CallState::Finished(stored) => Ok(stored.into()),
    }
}
