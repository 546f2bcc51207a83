//! Arguments and replies of the nine terminal tools, as the actors see them. The wire JSON is
//! `api`'s business and is converted by hand there.

use std::path::PathBuf;
use std::time::Duration;

use policy::outgoing::{Format, Wrap};
use policy::{Classification, Evidence, Exit, SafeText};

use crate::settings::{Backend, ReadMode};

#[derive(Debug, Clone, Default)]
pub struct Create {
    pub allow_id: String,
    pub command: Option<String>,
    pub args: Vec<String>,
    pub cwd: Option<PathBuf>,
    pub project: Option<String>,
    pub cols: Option<u16>,
    pub rows: Option<u16>,
    pub name: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Created {
    pub session_id: String,
    pub allow_id: String,
    pub name: String,
    pub cwd: PathBuf,
    pub cols: u16,
    pub rows: u16,
    pub backend: Backend,
    pub durable: bool,
    pub state: SessionState,
    /// RFC 3339, UTC.
    pub created_at: String,
}

/// What `state` says to clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionState {
    Created,
    Working,
    AwaitingInput,
    Stuck,
    Ending,
    Exited,
    Lost,
    Recovering,
}

#[derive(Debug, Clone)]
pub struct Summary {
    pub session_id: String,
    pub allow_id: String,
    pub name: String,
    pub project: Option<String>,
    pub agent_id: String,
    pub session_key: String,
    pub state: SessionState,
    pub reason: Option<String>,
    pub kind: Option<String>,
    pub alive: bool,
    pub created_at: String,
    pub last_activity_at: String,
    pub interactions: u64,
    pub drive: Option<DriveSummary>,
}

#[derive(Debug, Clone)]
pub struct DriveSummary {
    pub state: &'static str,
    pub promoted_at: Option<String>,
    pub cost_usd: f64,
}

#[derive(Debug, Clone)]
pub struct Read {
    pub format: Format,
    pub scrollback: u32,
    /// `None`: the operator's `drive.readMode`.
    pub mode: Option<ReadMode>,
    pub since_frame: Option<u64>,
    pub wrap: Wrap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CursorAt {
    pub x: u16,
    pub y: u16,
    pub visible: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Diff {
    pub changed: bool,
    pub first_changed_row: Option<u16>,
    pub last_changed_row: Option<u16>,
}

#[derive(Debug, Clone)]
pub struct ReadReply {
    pub screen: SafeText,
    pub cursor: CursorAt,
    pub cols: u16,
    pub rows: u16,
    /// Redacted like any other text that leaves.
    pub title: SafeText,
    pub alternate_screen: bool,
    pub alive: bool,
    pub frame: u64,
    pub diff: Diff,
    pub ghost_text: Option<SafeText>,
    pub exit: Option<Exit>,
    pub exit_tail: Option<SafeText>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paste {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnDialog {
    #[default]
    Refuse,
    Send,
}

#[derive(Debug, Clone)]
pub struct SendText {
    pub text: String,
    pub submit: bool,
    pub paste: Paste,
    pub settle: Duration,
    pub timeout: Duration,
    pub on_dialog: OnDialog,
    pub wrap: Wrap,
}

#[derive(Debug, Clone)]
pub struct SendKey {
    pub keys: Vec<String>,
    pub settle: Duration,
    pub wrap: Wrap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Delivered,
    Submitted,
    Queued,
    Stalled,
}

#[derive(Debug, Clone)]
pub struct SendReply {
    pub outcome: Outcome,
    pub bytes_written: u64,
    pub screen: SafeText,
    pub cursor: CursorAt,
    pub frame: u64,
    pub state: SessionState,
    pub reason: Option<String>,
    pub hint: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Wait {
    pub for_idle: Option<Duration>,
    pub for_text: Option<String>,
    pub for_regex: Option<String>,
    pub for_state: Option<SessionState>,
    pub for_exit: bool,
    pub timeout: Duration,
    pub since_frame: Option<u64>,
    pub wrap: Wrap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WaitReason {
    Idle,
    Text,
    State,
    Exit,
    Timeout,
}

#[derive(Debug, Clone)]
pub struct WaitReply {
    pub matched: bool,
    pub is_complete: bool,
    pub reason: WaitReason,
    pub producing: Option<bool>,
    pub hint: Option<String>,
    pub screen: SafeText,
    pub cursor: CursorAt,
    pub frame: u64,
    pub state: SessionState,
    pub state_reason: Option<String>,
}

#[derive(Debug, Clone)]
pub struct StatusReply {
    pub session: Summary,
    pub state: SessionState,
    pub classification: Option<Classification>,
    pub evidence: Vec<Evidence>,
    /// RFC 3339: when this state was entered.
    pub since: String,
    pub no_progress: Duration,
    pub cursor_parked: bool,
    pub foreground: Option<policy::Foreground>,
    pub modes: Option<StatusModes>,
    pub unanswered_queries: Vec<String>,
    pub exit: Option<Exit>,
    pub lost_reason: Option<String>,
    pub cols: u16,
    pub rows: u16,
    pub backend: Backend,
    pub limits: LimitsUsed,
}

#[derive(Debug, Clone, Default)]
pub struct LimitsUsed {
    pub wall_clock: Duration,
    pub interactions: u64,
    pub requests: u64,
}

#[derive(Debug, Clone, Copy)]
pub struct StatusModes {
    pub terminal: term::Modes,
    pub echo: Option<bool>,
    pub canonical: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum KillSignal {
    #[default]
    Term,
    Int,
    Hup,
    Kill,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KillReply {
    pub exit: Option<Exit>,
    pub alive: bool,
}

/// What a human watches: bytes that repaint the screen, then the program's own output.
#[derive(Debug)]
pub struct LiveStream {
    pub snapshot: Vec<u8>,
    pub cols: u16,
    pub rows: u16,
    /// Closes when the session ends or when the reader is too slow.
    pub output: tokio::sync::mpsc::Receiver<Vec<u8>>,
}
