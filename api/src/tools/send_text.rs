//! `terminal_session_send_text`: type text, and submit it when asked to.

use std::time::Duration;

use actors::session_types as inner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Annotations, Context, Tool};
use crate::limits::TEXT_BYTES_MAX;
use crate::problem::{Code, Problem};
use crate::wire::{self, Cursor, SessionState};

pub struct SendText;

/// What to type.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    #[schemars(length(min = 1, max = 64))]
    session_id: String,
    /// At most 256 KiB of UTF-8.
    text: String,
    /// Press Enter afterwards, and prove that it had an effect.
    #[serde(default)]
    submit: bool,
    /// Whether the text is pasted (bracketed paste) instead of typed.
    #[serde(default)]
    paste: Paste,
    /// How long the screen must be unchanged to count as settled.
    #[serde(default = "default_settle_ms")]
    #[schemars(range(min = 0, max = 60_000))]
    settle_ms: u64,
    /// When to give up waiting for the effect.
    #[serde(default = "default_timeout_ms")]
    #[schemars(range(min = 1, max = 600_000))]
    timeout_ms: u64,
    /// What to do when the program shows a dialog instead of a text prompt.
    #[serde(default)]
    on_dialog: OnDialog,
}

pub(super) const fn default_settle_ms() -> u64 {
    120
}

const fn default_timeout_ms() -> u64 {
    15_000
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Paste {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnDialog {
    #[default]
    Refuse,
    Send,
}

/// What happened, and the screen after it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    outcome: Outcome,
    bytes_written: u64,
    screen: String,
    cursor: Cursor,
    frame: u64,
    state: SessionState,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    injection_signals: Option<Vec<&'static str>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Delivered,
    Submitted,
    Queued,
    Stalled,
}

impl From<inner::SendReply> for Reply {
    fn from(sent: inner::SendReply) -> Self {
        Self {
            outcome: match sent.outcome {
                inner::Outcome::Delivered => Outcome::Delivered,
                inner::Outcome::Submitted => Outcome::Submitted,
                inner::Outcome::Queued => Outcome::Queued,
                inner::Outcome::Stalled => Outcome::Stalled,
            },
            bytes_written: sent.bytes_written,
            injection_signals: wire::signals(&sent.screen),
            screen: sent.screen.as_str().to_owned(),
            cursor: sent.cursor.into(),
            frame: sent.frame,
            state: sent.state.into(),
            reason: sent.reason,
            hint: sent.hint,
        }
    }
}

impl Tool for SendText {
    type Args = Args;
    type Reply = Reply;
    const NAME: &'static str = "terminal_session_send_text";
    const DESCRIPTION: &'static str = "Type text into a session; with submit, press Enter and \
        report submitted only when the program reacted. Refused while a dialog is open: answer \
        dialogs with terminal_session_send_key.";
    const ANNOTATIONS: Annotations =
        Annotations { read_only: false, destructive: true, idempotent: false };

    async fn call(context: Context, args: Args) -> Result<Reply, Problem> {
        if args.text.len() > TEXT_BYTES_MAX {
            let detail = format!(
                "`text` has {} bytes; at most {TEXT_BYTES_MAX} are taken in one call",
                args.text.len()
            );
            let problem = Problem::new(Code::TooLarge, detail);
            return Err(Problem { field: Some("text".to_owned()), ..problem }
                .hint("Split the text over several calls, or put it in a file of the workspace."));
        }
        let send = inner::SendText {
            text: args.text,
            submit: args.submit,
            paste: match args.paste {
                Paste::Auto => inner::Paste::Auto,
                Paste::Always => inner::Paste::Always,
                Paste::Never => inner::Paste::Never,
            },
            settle: Duration::from_millis(args.settle_ms),
            timeout: Duration::from_millis(args.timeout_ms),
            on_dialog: match args.on_dialog {
                OnDialog::Refuse => inner::OnDialog::Refuse,
                OnDialog::Send => inner::OnDialog::Send,
            },
            wrap: context.wrap,
        };
        Ok(context.system.send_text(&context.caller, &args.session_id, send).await?.into())
    }
}
