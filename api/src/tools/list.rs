//! `terminal_session_list`: the caller's sessions.

use actors::session_types as inner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Annotations, Context, READ_ONLY, Tool};
use crate::problem::Problem;
use crate::wire::{Drive, SessionState};

pub struct List;

/// Nothing to choose.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Reply {
    sessions: Vec<Session>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    session_id: String,
    allow_id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    state: SessionState,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    alive: bool,
    /// RFC 3339, UTC.
    last_activity_at: String,
    interactions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    drive: Option<Drive>,
}

impl From<inner::Summary> for Session {
    fn from(summary: inner::Summary) -> Self {
        Self {
            session_id: summary.session_id,
            allow_id: summary.allow_id,
            name: summary.name,
            project: summary.project,
            state: summary.state.into(),
            reason: summary.reason,
            alive: summary.alive,
            last_activity_at: summary.last_activity_at,
            interactions: summary.interactions,
            drive: summary.drive.map(Into::into),
        }
    }
}

impl Tool for List {
    type Args = Args;
    type Reply = Reply;
    const NAME: &'static str = "terminal_session_list";
    const DESCRIPTION: &'static str =
        "List your terminal sessions with state, reason and last activity.";
    const ANNOTATIONS: Annotations = READ_ONLY;

    async fn call(context: Context, _: Args) -> Result<Reply, Problem> {
        let sessions = context.system.list(&context.caller).await?;
        Ok(Reply { sessions: sessions.into_iter().map(Into::into).collect() })
    }
}
