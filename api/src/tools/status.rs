//! `terminal_session_status`: what the session is doing and why the service thinks so.

use actors::session_types as inner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Annotations, Context, READ_ONLY, Tool};
use crate::problem::Problem;
use crate::wire::{self, Drive, Evidence, SessionState};

pub struct Status;

/// Which session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    #[schemars(length(min = 1, max = 64))]
    session_id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    state: SessionState,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    evidence: Vec<Evidence>,
    /// RFC 3339: when this state was entered.
    since: String,
    last_activity_at: String,
    no_progress_ms: u64,
    interactions: u64,
    cursor_parked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    foreground: Option<Foreground>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modes: Option<Modes>,
    unanswered_queries: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drive: Option<Drive>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Foreground {
    command: String,
    pid: i32,
}

/// What the program has switched on in its terminal.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Modes {
    alternate_screen: bool,
    bracketed_paste: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    echo: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<bool>,
    application_cursor: bool,
    application_keypad: bool,
    focus_reporting: bool,
    modify_other_keys: u8,
    kitty_flags: u8,
    origin: bool,
    insert: bool,
    autowrap: bool,
    reverse_screen: bool,
    synchronized_update: bool,
}

impl From<inner::StatusModes> for Modes {
    fn from(modes: inner::StatusModes) -> Self {
        let terminal = modes.terminal;
        Self {
            alternate_screen: terminal.alternate_screen,
            bracketed_paste: terminal.bracketed_paste,
            echo: modes.echo,
            canonical: modes.canonical,
            application_cursor: terminal.application_cursor,
            application_keypad: terminal.application_keypad,
            focus_reporting: terminal.focus_reporting,
            modify_other_keys: terminal.modify_other_keys,
            kitty_flags: terminal.kitty_flags,
            origin: terminal.origin,
            insert: terminal.insert,
            autowrap: terminal.autowrap,
            reverse_screen: terminal.reverse_screen,
            synchronized_update: terminal.synchronized_update,
        }
    }
}

/// The reply for a status; the route of one session shows the same members.
#[must_use]
pub fn of(status: inner::StatusReply) -> Reply {
    let verdict = status.classification.as_ref();
    let reason = verdict
        .map(|verdict| verdict.reason.as_str().to_owned())
        .filter(|_| status.lost_reason.is_none())
        .or(status.lost_reason)
        .or(status.session.reason);
    Reply {
        state: status.state.into(),
        confidence: verdict.map(|verdict| verdict.confidence.as_str()),
        reason,
        kind: verdict.and_then(|verdict| verdict.kind).map(policy::Kind::as_str),
        evidence: status.evidence.into_iter().map(Into::into).collect(),
        since: status.since,
        last_activity_at: status.session.last_activity_at,
        no_progress_ms: wire::millis(status.no_progress),
        interactions: status.session.interactions,
        cursor_parked: status.cursor_parked,
        foreground: status
            .foreground
            .map(|foreground| Foreground { command: foreground.command, pid: foreground.pid }),
        modes: status.modes.map(Into::into),
        unanswered_queries: status.unanswered_queries,
        exit_code: wire::exit_code(status.exit),
        signal: wire::exit_signal(status.exit),
        drive: status.session.drive.map(Into::into),
    }
}

impl Tool for Status {
    type Args = Args;
    type Reply = Reply;
    const NAME: &'static str = "terminal_session_status";
    const DESCRIPTION: &'static str = "What a session is doing (working, awaiting-input, stuck, \
        exited), why the service thinks so, and since when. Moves no clock.";
    const ANNOTATIONS: Annotations = READ_ONLY;

    async fn call(context: Context, args: Args) -> Result<Reply, Problem> {
        Ok(of(context.system.status(&context.caller, &args.session_id).await?))
    }
}
