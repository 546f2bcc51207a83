//! The classifier's verdict and its vocabulary (the names are contract).

/// What a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    Working,
    AwaitingInput,
    Stuck,
    Exited,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Confidence {
    High,
    Medium,
}

/// Which rule fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    PtyExit,
    UnsettledOutput,
    PasswordPrompt,
    ProgramStatus,
    DialogDetected,
    WorkingLine,
    ProgressOsc,
    CommandRunning,
    ShellPrompt,
    TtyRead,
    SettledCursorParked,
    BusyQuiet,
    NoProgress,
    SettledCursorUnparked,
}

/// What kind of input is awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Prompt,
    Composer,
    Menu,
    Confirm,
    Permission,
    Trust,
    Login,
    Password,
    Limit,
    Pager,
    Editor,
    Unknown,
}

/// One piece of evidence: a stable name and a short content-free detail
/// (`settled` / `340 ms`, `profile_pattern` / `claude-code:spinner`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub name: &'static str,
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classification {
    pub state: State,
    pub confidence: Confidence,
    pub reason: Reason,
    pub kind: Option<Kind>,
    pub evidence: Vec<Evidence>,
}

impl State {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::AwaitingInput => "awaiting-input",
            Self::Stuck => "stuck",
            Self::Exited => "exited",
        }
    }
}

impl Confidence {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
        }
    }
}

impl Reason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PtyExit => "pty_exit",
            Self::UnsettledOutput => "unsettled_output",
            Self::PasswordPrompt => "password_prompt",
            Self::ProgramStatus => "program_status",
            Self::DialogDetected => "dialog_detected",
            Self::WorkingLine => "working_line",
            Self::ProgressOsc => "progress_osc",
            Self::CommandRunning => "command_running",
            Self::ShellPrompt => "shell_prompt",
            Self::TtyRead => "tty_read",
            Self::SettledCursorParked => "settled_cursor_parked",
            Self::BusyQuiet => "busy_quiet",
            Self::NoProgress => "no_progress",
            Self::SettledCursorUnparked => "settled_cursor_unparked",
        }
    }
}

impl Kind {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Composer => "composer",
            Self::Menu => "menu",
            Self::Confirm => "confirm",
            Self::Permission => "permission",
            Self::Trust => "trust",
            Self::Login => "login",
            Self::Password => "password",
            Self::Limit => "limit",
            Self::Pager => "pager",
            Self::Editor => "editor",
            Self::Unknown => "unknown",
        }
    }

    /// Whether typed text would choose an option or confirm something instead of being read
    /// as text: `send_text` refuses with `dialog_open` here.
    #[must_use]
    pub fn is_dialog(self) -> bool {
        match self {
            Self::Menu
            | Self::Confirm
            | Self::Permission
            | Self::Trust
            | Self::Login
            | Self::Limit => true,
            Self::Prompt
            | Self::Composer
            | Self::Password
            | Self::Pager
            | Self::Editor
            | Self::Unknown => false,
        }
    }
}
