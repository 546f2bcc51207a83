//! What a program told its terminal besides what to draw: facts for whoever watches, never
//! drawn and never answered here.

/// One fact, in the order the bytes came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermEvent {
    /// OSC 0 or 2.
    Title(String),
    Bell,
    /// OSC 133.
    ShellMark(ShellMark),
    /// OSC 7501.
    ProgramStatus(ProgramStatus),
    /// OSC 9;4; `None` takes the progress bar away.
    Progress(Option<Progress>),
    /// OSC 9 with a text.
    Notification(String),
    /// OSC 52 with data. The data goes nowhere; only its size is told.
    ClipboardWrite {
        bytes: usize,
    },
    /// Mode 2004 really changed.
    BracketedPaste(bool),
}

/// Semantic prompt marks of OSC 133.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellMark {
    /// `A`.
    PromptStart,
    /// `B`: the prompt is over, what follows is typed.
    CommandStart,
    /// `C`: the command runs from here.
    OutputStart,
    /// `D`, with the exit code when the shell says it.
    Done { exit: Option<i32> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProgramState {
    Idle,
    Working,
    Blocked,
    Done,
    /// It failed.
    Error,
    /// It takes back what it said.
    Cleared,
}

/// A program's own word about what it is doing (OSC 7501).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramStatus {
    pub state: ProgramState,
    /// `kind=`, for example `permission`.
    pub kind: Option<String>,
    /// `msg=`, decoded from base64.
    pub message: Option<String>,
    /// `app=`: a stable name of the program.
    pub app: Option<String>,
    /// `id=`: which of several things in one terminal; none is the terminal as a whole.
    pub id: Option<String>,
}

/// Progress of OSC 9;4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// State 1, 0 to 100.
    Percent(u8),
    /// State 2, 0 to 100.
    Error(u8),
    /// State 3.
    Indeterminate,
    /// State 4, 0 to 100.
    Paused(u8),
}
