//! What the classifier looks at: one frame and the facts a screen cannot fake.

use std::sync::Arc;
use std::time::Duration;

use term::Frame;

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

/// What the program says of itself with OSC 7501.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProgramState {
    Idle,
    Working,
    Blocked,
    Done,
}

/// The last OSC 7501 report and how long ago it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramReport {
    pub state: ProgramState,
    pub kind: Option<String>,
    pub age: Duration,
}

/// The last OSC 133 mark seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShellMark {
    /// A: a prompt is being drawn.
    PromptStart,
    /// B: the prompt is complete, input is read.
    InputStart,
    /// C: a command runs.
    OutputStart,
    /// D: the command ended.
    Done { exit: Option<i32> },
}

/// CPU and I/O of the whole tree since the observation before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TreeActivity {
    pub cpu: Duration,
    pub io_bytes: u64,
    /// A child of the foreground program is running, sleeping in disk or using CPU.
    pub busy_child: bool,
}

/// Line-discipline state of the tty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TtyMode {
    pub canonical: bool,
    pub echo: bool,
    pub signals: bool,
}

/// Everything known besides the screen. `None` means "could not be found out".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    pub exit: Option<Exit>,
    /// How long the rendered cells have been unchanged, the cursor's own cell masked.
    pub unchanged_for: Duration,
    /// The settle window has passed, outside any synchronized update.
    pub settled: bool,
    pub tty: Option<TtyMode>,
    /// A thread of the foreground process group is blocked reading this tty.
    pub blocked_reader: Option<bool>,
    pub foreground: Option<Foreground>,
    pub activity: Option<TreeActivity>,
    pub shell_mark: Option<ShellMark>,
    /// Last edge of bracketed paste: on means a prompt reads, off that a command runs.
    /// `None` when the program never used it.
    pub bracketed_paste: Option<bool>,
    pub program: Option<ProgramReport>,
    /// OSC 9;4 says that work is in progress, and how long ago it said so.
    pub progress_age: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreground {
    pub pid: i32,
    pub command: String,
}

/// One look at a session.
#[derive(Debug, Clone)]
pub struct Observation {
    pub frame: Arc<Frame>,
    pub facts: Facts,
}

/// What the classifier remembers of earlier looks; plain data, owned by the caller.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    /// How long the rendered text is unchanged, measured against the last observation that
    /// counted; a status query never moves this anchor.
    pub no_change_for: Duration,
    /// `stuckMs` of the operator.
    pub stuck_after: Duration,
}
