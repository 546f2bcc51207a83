//! `terminal_session_send_key`: press keys.

use std::time::Duration;

use actors::session_types as inner;
use schemars::JsonSchema;
use serde::Deserialize;

use super::send_text::{Reply, default_settle_ms};
use super::{Annotations, Context, Tool};
use crate::problem::Problem;

pub struct SendKey;

/// Which keys, in order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    #[schemars(length(min = 1, max = 64))]
    session_id: String,
    /// Names (Enter, Tab, Escape, Up, F5 ...), chords (C-c, S-Tab, M-x, C-Left) or one
    /// printable character each.
    #[schemars(length(min = 1, max = 64), inner(length(min = 1, max = 64)))]
    keys: Vec<String>,
    /// How long the screen must be unchanged to count as settled.
    #[serde(default = "default_settle_ms")]
    #[schemars(range(min = 0, max = 60_000))]
    settle_ms: u64,
}

impl Tool for SendKey {
    type Args = Args;
    type Reply = Reply;
    const NAME: &'static str = "terminal_session_send_key";
    const DESCRIPTION: &'static str = "Press keys in a session, encoded for the modes the \
        program set. An unknown key writes nothing at all.";
    const ANNOTATIONS: Annotations =
        Annotations { read_only: false, destructive: true, idempotent: false };

    async fn call(context: Context, args: Args) -> Result<Reply, Problem> {
        let send = inner::SendKey {
            keys: args.keys,
            settle: Duration::from_millis(args.settle_ms),
            wrap: context.wrap,
        };
        Ok(context.system.send_key(&context.caller, &args.session_id, send).await?.into())
    }
}
