//! `terminal_session_wait`: until the program has settled, said something, or ended.

use std::time::Duration;

use actors::session_types as inner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Annotations, Context, READ_ONLY, Tool};
use crate::limits::INTEGER_MAX;
use crate::problem::Problem;
use crate::wire::{self, Cursor, SessionState};

pub struct Wait;

/// What to wait for; the first that happens ends the wait. Exit and timeout always do.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    #[schemars(length(min = 1, max = 64))]
    session_id: String,
    /// The screen has been unchanged for this long (120 when nothing else is asked).
    #[schemars(range(min = 1, max = 600_000))]
    for_idle_ms: Option<u64>,
    /// This text appears in new output.
    #[schemars(length(min = 1, max = 4096))]
    for_text: Option<String>,
    /// This regular expression matches new output (linear-time engine).
    #[schemars(length(min = 1, max = 4096))]
    for_regex: Option<String>,
    /// The session reaches this state.
    for_state: Option<ForState>,
    /// Only the end of the program counts.
    #[serde(default)]
    for_exit: bool,
    /// Not a failure when it passes: matched is false then.
    #[serde(default = "default_timeout_ms")]
    #[schemars(range(min = 0, max = 600_000))]
    timeout_ms: u64,
    /// Text counts as new when it came after this frame (default: your last input).
    #[schemars(range(max = INTEGER_MAX))]
    since_frame: Option<u64>,
}

const fn default_timeout_ms() -> u64 {
    15_000
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ForState {
    Working,
    AwaitingInput,
    Stuck,
    Exited,
}

impl From<ForState> for inner::SessionState {
    fn from(state: ForState) -> Self {
        match state {
            ForState::Working => Self::Working,
            ForState::AwaitingInput => Self::AwaitingInput,
            ForState::Stuck => Self::Stuck,
            ForState::Exited => Self::Exited,
        }
    }
}

/// How the wait ended, and the screen then.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    matched: bool,
    is_complete: bool,
    reason: WaitReason,
    #[serde(skip_serializing_if = "Option::is_none")]
    producing: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    screen: String,
    cursor: Cursor,
    frame: u64,
    state: SessionState,
    #[serde(skip_serializing_if = "Option::is_none")]
    state_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    injection_signals: Option<Vec<&'static str>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WaitReason {
    Idle,
    Text,
    State,
    Exit,
    Timeout,
}

impl From<inner::WaitReply> for Reply {
    fn from(wait: inner::WaitReply) -> Self {
        Self {
            matched: wait.matched,
            is_complete: wait.is_complete,
            reason: match wait.reason {
                inner::WaitReason::Idle => WaitReason::Idle,
                inner::WaitReason::Text => WaitReason::Text,
                inner::WaitReason::State => WaitReason::State,
                inner::WaitReason::Exit => WaitReason::Exit,
                inner::WaitReason::Timeout => WaitReason::Timeout,
            },
            producing: wait.producing,
            hint: wait.hint,
            injection_signals: wire::signals(&wait.screen),
            screen: wait.screen.as_str().to_owned(),
            cursor: wait.cursor.into(),
            frame: wait.frame,
            state: wait.state.into(),
            state_reason: wait.state_reason,
        }
    }
}

impl Tool for Wait {
    type Args = Args;
    type Reply = Reply;
    const NAME: &'static str = "terminal_session_wait";
    const DESCRIPTION: &'static str = "Wait until the screen has settled, a text or state \
        appears, or the program ends, then return the screen. A timeout is not a failure.";
    const ANNOTATIONS: Annotations = READ_ONLY;

    async fn call(context: Context, args: Args) -> Result<Reply, Problem> {
        let wait = inner::Wait {
            for_idle: args.for_idle_ms.map(Duration::from_millis),
            for_text: args.for_text,
            for_regex: args.for_regex,
            for_state: args.for_state.map(Into::into),
            for_exit: args.for_exit,
            timeout: Duration::from_millis(args.timeout_ms),
            since_frame: args.since_frame,
            wrap: context.wrap,
        };
        Ok(context.system.wait(&context.caller, &args.session_id, wait).await?.into())
    }
}
