//! What a worker saw, as the policy wants to see it.

use std::sync::Arc;
use std::time::Duration;

use policy::{
    Exit, Facts, Foreground, Observation, ProgramReport, ProgramState, ShellMark, TreeActivity,
    TtyMode,
};
use worker::protocol::{
    WireExit, WireFacts, WireObservation, WireProgramState, WireShellMark,
};

use crate::session_limits::SETTLE;

/// One look with everything that came along.
#[derive(Debug, Clone)]
pub struct Look {
    pub observation: Arc<Observation>,
    pub clock: worker::protocol::WireClock,
    pub history_start: u64,
    pub history: Arc<Vec<term::Row>>,
    pub exit_tail: Option<Arc<str>>,
    pub unanswered_queries: Arc<Vec<String>>,
    pub dropped_bytes: u64,
    /// Input lies in the terminal that the program could have read and has not.
    pub unread_input: Option<bool>,
    /// When it was taken (monotonic milliseconds).
    pub at_ms: i64,
}

impl Look {
    #[must_use]
    pub fn new(wire: &WireObservation, now_ms: i64) -> Self {
        let frame = wire.frame.to_frame();
        let facts = facts(wire);
        let history = wire.history.iter().map(worker::protocol::WireRow::to_row).collect();
        Self {
            observation: Arc::new(Observation { frame: Arc::new(frame), facts }),
            clock: wire.clock,
            history_start: wire.history_start,
            history: Arc::new(history),
            exit_tail: wire.exit_tail.as_deref().map(Arc::from),
            unanswered_queries: Arc::new(wire.unanswered_queries.clone()),
            dropped_bytes: wire.dropped_bytes,
            unread_input: wire.facts.unread_input,
            at_ms: now_ms,
        }
    }

    #[must_use]
    pub fn frame(&self) -> &term::Frame {
        &self.observation.frame
    }
}

#[must_use]
pub fn exit(wire: WireExit) -> Exit {
    match wire {
        WireExit::Code(code) => Exit::Code(code),
        WireExit::Signal(signal) => Exit::Signal(signal),
    }
}

fn facts(wire: &WireObservation) -> Facts {
    let WireFacts { exit: ended, canonical, echo, tty_signals, .. } = wire.facts;
    let facts = &wire.facts;
    let tty = match (canonical, echo) {
        (Some(canonical), Some(echo)) => {
            Some(TtyMode { canonical, echo, signals: tty_signals.unwrap_or(canonical) })
        }
        (Some(_) | None, Some(_) | None) => None,
    };
    let unchanged_for = Duration::from_millis(wire.clock.unchanged_ms);
    Facts {
        exit: ended.map(exit),
        unchanged_for,
        settled: unchanged_for >= SETTLE && !wire.clock.synchronized_update,
        tty,
        blocked_reader: facts.blocked_reader,
        foreground: facts.foreground_pid.map(|pid| Foreground {
            pid,
            command: facts.foreground_command.clone().unwrap_or_default(),
        }),
        activity: facts.tree_cpu_ms.map(|cpu_ms| TreeActivity {
            cpu: Duration::from_millis(cpu_ms),
            io_bytes: facts.tree_io_bytes.unwrap_or(0),
            busy_child: facts.busy_child.unwrap_or(false),
        }),
        shell_mark: facts.shell_mark.map(shell_mark),
        bracketed_paste: facts.bracketed_paste,
        program: facts.program_state.map(|state| ProgramReport {
            state: program_state(state),
            kind: facts.program_kind.clone(),
            age: Duration::from_millis(facts.program_age_ms.unwrap_or(0)),
        }),
        progress_age: facts.progress_age_ms.map(Duration::from_millis),
    }
}

fn shell_mark(wire: WireShellMark) -> ShellMark {
    match wire {
        WireShellMark::PromptStart => ShellMark::PromptStart,
        WireShellMark::InputStart => ShellMark::InputStart,
        WireShellMark::OutputStart => ShellMark::OutputStart,
        WireShellMark::Done { exit } => ShellMark::Done { exit },
    }
}

fn program_state(wire: WireProgramState) -> ProgramState {
    match wire {
        WireProgramState::Idle => ProgramState::Idle,
        WireProgramState::Working => ProgramState::Working,
        WireProgramState::Blocked => ProgramState::Blocked,
        WireProgramState::Done => ProgramState::Done,
    }
}
