//! What daemon and worker say to each other: length-prefixed MessagePack on a unix socket.
//!
//! Every message is a named-field map, so a newer side may add fields an older one ignores.
//! The first message each way is `Hello`; a different `PROTOCOL_VERSION` ends the link.
//! The daemon asks (`Request`, answered exactly once by the `Reply` with the same id); the
//! worker also tells facts by itself (`Push`). Frames cross as `WireFrame`, because
//! `term::Frame` cannot be serialised.

use serde::{Deserialize, Serialize};

/// Raised when a message changes its meaning; new optional fields do not raise it.
pub const PROTOCOL_VERSION: u32 = 1;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ToWorker {
    Hello { version: u32 },
    Request { id: u64, body: Request },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ToDaemon {
    Hello(WorkerHello),
    Reply { id: u64, body: Result<Reply, Refusal> },
    Push(Push),
}

/// Who the worker is; `start_ticks` (field 22 of /proc/pid/stat) tells a reused pid apart.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkerHello {
    pub version: u32,
    pub session_id: String,
    pub worker_pid: i32,
    pub worker_start_ticks: u64,
    pub phase: Phase,
}

/// How far the program has got.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Phase {
    Starting,
    Running { child_pid: i32 },
    SpawnFailed { kind: String, message: String, hint: String },
    Exited(WireExit),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WireExit {
    Code(i32),
    Signal(i32),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Request {
    /// One consistent look: frame, facts and, when asked, lines that scrolled off.
    Observe {
        /// Absolute number of the first history line wanted; `None` for none.
        history_from: Option<u64>,
        history_max: u32,
        /// Walk /proc for the process tree too (costs a millisecond or so).
        with_tree: bool,
    },
    /// Raw bytes for the tty. Answered when all are taken by the kernel or at the deadline.
    Write {
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
        deadline_ms: u64,
    },
    Resize {
        cols: u16,
        rows: u16,
    },
    /// TERM/INT/HUP/KILL to the program; `whole_tree` ends everything the session started.
    Signal {
        signal: i32,
        whole_tree: bool,
    },
    /// Bytes that repaint the screen, then `Output` pushes follow from exactly there.
    SubscribeOutput {
        history_lines: u32,
    },
    UnsubscribeOutput,
    /// The session is over: remove the socket and exit.
    Shutdown,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Reply {
    Observed(Box<WireObservation>),
    Written {
        bytes_written: u64,
        complete: bool,
    },
    Resized {
        cols: u16,
        rows: u16,
    },
    Signalled {
        alive: bool,
        exit: Option<WireExit>,
    },
    Subscribed {
        #[serde(with = "serde_bytes")]
        snapshot: Vec<u8>,
        cols: u16,
        rows: u16,
    },
    Done,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refusal {
    pub kind: RefusalKind,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RefusalKind {
    /// The program is not running.
    NotRunning,
    Busy,
    InvalidValue,
    Internal,
}

/// Facts told without being asked. All but `Output` are coalesced: a slow daemon gets the
/// newest, never a queue of old ones.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Push {
    Started {
        child_pid: i32,
    },
    SpawnFailed {
        kind: String,
        message: String,
        hint: String,
    },
    /// Output came and the screen may have changed; at most one per 15 ms.
    Changed {
        clock: WireClock,
    },
    /// The settle window (120 ms) passed without a change of content after a `Changed`.
    Settled(Box<WireObservation>),
    Exited {
        exit: WireExit,
        observation: Box<WireObservation>,
    },
    Output {
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
        /// Bytes lost before these because the subscriber was too slow.
        dropped: u64,
    },
}

/// Where the session stands in time; all ages are counted at the moment of sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireClock {
    pub frame: u64,
    /// Changes only when content other than the cursor's own cell changes.
    pub content: u64,
    /// Bytes ever read from the program.
    pub output_bytes: u64,
    /// Since the content number last rose.
    pub unchanged_ms: u64,
    /// Since the last byte came.
    pub quiet_ms: u64,
    pub synchronized_update: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WireObservation {
    pub clock: WireClock,
    pub frame: WireFrame,
    pub facts: WireFacts,
    /// Absolute number of the first line in `history`, which is empty on an alternate screen.
    pub history_start: u64,
    pub history: Vec<WireRow>,
    /// Newest lines that scrolled off the alternate screen since it was entered; only while it
    /// is in use and when history was asked for.
    #[serde(default)]
    pub transcript: Vec<WireRow>,
    /// Cleaned final output (<= 8 KiB) once the program has ended.
    pub exit_tail: Option<String>,
    pub unanswered_queries: Vec<String>,
    /// Bytes that never reached the emulator's ring or strings that were cut.
    pub dropped_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct WireFacts {
    pub exit: Option<WireExit>,
    pub canonical: Option<bool>,
    pub echo: Option<bool>,
    pub tty_signals: Option<bool>,
    pub blocked_reader: Option<bool>,
    /// Input lies in the terminal that the program could read and has not.
    #[serde(default)]
    pub unread_input: Option<bool>,
    pub foreground_pid: Option<i32>,
    pub foreground_command: Option<String>,
    /// CPU time of the tree since the observation with a tree before this one.
    pub tree_cpu_ms: Option<u64>,
    pub tree_io_bytes: Option<u64>,
    pub busy_child: Option<bool>,
    pub shell_mark: Option<WireShellMark>,
    pub bracketed_paste: Option<bool>,
    pub program_state: Option<WireProgramState>,
    pub program_kind: Option<String>,
    pub program_age_ms: Option<u64>,
    pub progress_age_ms: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WireShellMark {
    PromptStart,
    InputStart,
    OutputStart,
    Done { exit: Option<i32> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WireProgramState {
    Idle,
    Working,
    Blocked,
    Done,
}

/// A whole `term::Frame`; `wire_frame.rs` converts both ways without loss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireFrame {
    pub number: u64,
    pub cols: u16,
    pub rows: Vec<WireRow>,
    pub cursor: WireCursor,
    pub title: String,
    pub modes: WireModes,
    pub history_total: u64,
}

/// One row. A cell is one code point of `text` and one column wide unless `odd` says
/// otherwise; cells behind the end of `text` are blank, cells behind the last run plain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireRow {
    pub cells: u16,
    pub text: String,
    pub odd: Vec<WireOdd>,
    pub runs: Vec<WireRun>,
    pub wrapped: bool,
    pub changed_in: u64,
}

/// A cell that is not one code point in one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireOdd(
    /// Index of the cell, rising within a row.
    pub u16,
    /// Width: 0, 1 or 2.
    pub u8,
    /// Bytes of `text` it takes.
    pub u16,
    /// A grapheme cluster, even when it is one code point.
    pub bool,
);

/// So many neighbouring cells of equal style; `None` is plain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireRun(pub u16, pub Option<Box<WireStyle>>);

/// Flags and underline shape, then foreground, background, underline colour, link. The bit
/// layout is private to `wire_frame.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireStyle(pub u32, pub u32, pub u32, pub u32, pub Option<String>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireCursor {
    pub x: u16,
    pub y: u16,
    pub visible: bool,
    /// 0 block, 1 underline, 2 bar.
    pub shape: u8,
}

/// The boolean modes as bits, the others as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireModes {
    pub bits: u16,
    pub mouse: u8,
    pub modify_other_keys: u8,
    pub kitty_flags: u8,
}

/// The one line of JSON a worker writes to its standard output: the socket is there, or why not.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReadyLine {
    pub error: Option<String>,
}

/// What the daemon writes to a new worker's standard input, once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkerSpec {
    pub version: u32,
    pub session_id: String,
    /// The socket is `<socket_dir>/<session_id>.sock`, 0600.
    pub socket_dir: std::path::PathBuf,
    /// Launch plan of the jail.
    pub plan: serde_json::Value,
    pub cols: u16,
    pub rows: u16,
    pub scrollback_lines: u32,
    /// Raw output kept for exit tails and late subscribers.
    pub ring_bytes: u32,
    /// Survive the daemon. When false the worker ends once its daemon's link is gone.
    pub durable: bool,
}
