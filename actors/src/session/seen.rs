//! The newest look at a session, off the wire and in the words of `policy` and `term`.

use std::sync::Arc;
use std::time::Duration;

use policy::{
    Exit, Facts, Foreground, ProgramReport, ProgramState, ShellMark, TreeActivity, TtyMode,
};
use term::{Cursor, CursorShape, Frame, Modes, Row, Size};
use worker::protocol::{
    WireClock, WireExit, WireFacts, WireObservation, WireProgramState, WireRow, WireShellMark,
};

/// One look. Everything in it belongs to one moment.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) frame: Arc<Frame>,
    /// `settled` is decided where the last input is known.
    pub(crate) facts: Facts,
    pub(crate) clock: WireClock,
    /// When it came here.
    pub(crate) at_ms: i64,
    /// Numbered lines scrolled off the screen in use, as many as were asked for.
    pub(crate) history: Vec<(u64, Row)>,
    pub(crate) exit_tail: Option<String>,
    pub(crate) unanswered_queries: Vec<String>,
    /// Input lies in the terminal that the program could have read and has not.
    pub(crate) unread_input: bool,
}

impl Seen {
    pub(crate) fn new(observation: &WireObservation, at_ms: i64) -> Self {
        let frame = Arc::new(observation.frame.to_frame());
        Self {
            history: history(observation, frame.modes.alternate_screen),
            frame,
            facts: facts(&observation.facts, observation.clock),
            clock: observation.clock,
            at_ms,
            exit_tail: observation.exit_tail.clone(),
            unanswered_queries: observation.unanswered_queries.clone(),
            unread_input: observation.facts.unread_input == Some(true),
        }
    }

    /// Of a session whose screen nobody will see again.
    pub(crate) fn nothing(cols: u16, rows: u16) -> Self {
        Self {
            frame: Arc::new(blank(cols, rows)),
            facts: Facts::default(),
            clock: WireClock {
                frame: 0,
                content: 0,
                output_bytes: 0,
                unchanged_ms: 0,
                quiet_ms: 0,
                synchronized_update: false,
            },
            at_ms: 0,
            history: Vec::new(),
            exit_tail: None,
            unanswered_queries: Vec::new(),
            unread_input: false,
        }
    }

    /// The line discipline acts on keys itself.
    pub(crate) fn is_cooked(&self) -> bool {
        self.facts.tty.is_some_and(|tty| tty.canonical && tty.signals)
    }

    pub(crate) fn is_canonical(&self) -> bool {
        self.facts.tty.is_some_and(|tty| tty.canonical)
    }

    /// What is typed is not shown, and must not be stored.
    pub(crate) fn hides_input(&self) -> bool {
        self.facts.tty.is_some_and(|tty| tty.canonical && !tty.echo)
    }
}

fn blank(cols: u16, rows: u16) -> Frame {
    let row = Row { cells: Vec::new(), wrapped: false, changed_in: 0 };
    Frame {
        number: 0,
        size: Size { cols, rows },
        rows: vec![row; usize::from(rows)],
        cursor: Cursor { x: 0, y: 0, visible: false, shape: CursorShape::Block },
        title: Arc::from(""),
        modes: Modes::default(),
        history_total: 0,
    }
}

/// Lines of the alternate screen have numbers that no line of the main one has.
fn history(observation: &WireObservation, alternate: bool) -> Vec<(u64, Row)> {
    let (start, rows) = if alternate {
        let count = u64::try_from(observation.transcript.len()).unwrap_or(0);
        (u64::MAX - count, &observation.transcript)
    } else {
        (observation.history_start, &observation.history)
    };
    (start..).zip(rows.iter().map(WireRow::to_row)).collect()
}

pub(crate) fn exit(exit: WireExit) -> Exit {
    match exit {
        WireExit::Code(code) => Exit::Code(code),
        WireExit::Signal(signal) => Exit::Signal(signal),
    }
}

fn facts(wire: &WireFacts, clock: WireClock) -> Facts {
    let tty = match (wire.canonical, wire.echo) {
        (Some(canonical), Some(echo)) => {
            Some(TtyMode { canonical, echo, signals: wire.tty_signals.unwrap_or(true) })
        }
        (Some(_) | None, None) | (None, Some(_)) => None,
    };
    let foreground = wire.foreground_pid.map(|pid| Foreground {
        pid,
        command: wire.foreground_command.clone().unwrap_or_default(),
    });
    let activity = wire.tree_cpu_ms.map(|cpu| TreeActivity {
        cpu: Duration::from_millis(cpu),
        io_bytes: wire.tree_io_bytes.unwrap_or(0),
        busy_child: wire.busy_child.unwrap_or(false),
    });
    let program = wire.program_state.map(|state| ProgramReport {
        state: match state {
            WireProgramState::Idle => ProgramState::Idle,
            WireProgramState::Working => ProgramState::Working,
            WireProgramState::Blocked => ProgramState::Blocked,
            WireProgramState::Done => ProgramState::Done,
        },
        kind: wire.program_kind.clone(),
        age: Duration::from_millis(wire.program_age_ms.unwrap_or(0)),
    });
    Facts {
        exit: wire.exit.map(exit),
        unchanged_for: Duration::from_millis(clock.unchanged_ms),
        settled: false,
        tty,
        blocked_reader: wire.blocked_reader,
        foreground,
        activity,
        shell_mark: wire.shell_mark.map(|mark| match mark {
            WireShellMark::PromptStart => ShellMark::PromptStart,
            WireShellMark::InputStart => ShellMark::InputStart,
            WireShellMark::OutputStart => ShellMark::OutputStart,
            WireShellMark::Done { exit } => ShellMark::Done { exit },
        }),
        bracketed_paste: wire.bracketed_paste,
        program,
        progress_age: wire.progress_age_ms.map(Duration::from_millis),
    }
}
