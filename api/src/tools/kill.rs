//! `terminal_session_kill`: end everything a session started.

use actors::session_types as inner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Annotations, Context, Tool};
use crate::problem::Problem;
use crate::wire;

pub struct Kill;

/// How to begin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    #[schemars(length(min = 1, max = 64))]
    session_id: String,
    /// The first signal; two seconds later everything left is killed.
    #[serde(default)]
    signal: Signal,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Signal {
    #[default]
    Term,
    Int,
    Hup,
    Kill,
}

/// How the program ended.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<String>,
    alive: bool,
}

impl Tool for Kill {
    type Args = Args;
    type Reply = Reply;
    const NAME: &'static str = "terminal_session_kill";
    const DESCRIPTION: &'static str = "End a session and everything it started; returns when \
        all of it is gone. Killing a dead session is not an error.";
    const ANNOTATIONS: Annotations =
        Annotations { read_only: false, destructive: true, idempotent: true };

    async fn call(context: Context, args: Args) -> Result<Reply, Problem> {
        let signal = match args.signal {
            Signal::Term => inner::KillSignal::Term,
            Signal::Int => inner::KillSignal::Int,
            Signal::Hup => inner::KillSignal::Hup,
            Signal::Kill => inner::KillSignal::Kill,
        };
        let reply = context.system.kill(&context.caller, &args.session_id, signal).await?;
        Ok(Reply {
            exit_code: wire::exit_code(reply.exit),
            signal: wire::exit_signal(reply.exit),
            alive: reply.alive,
        })
    }
}
