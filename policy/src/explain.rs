//! What the last screen of a recording means. Pure: the caller read the file.

use std::time::Duration;

use profiles::Profile;
use term::cast::{CastError, Data, Reader};
use term::{Options, TermEvent, Terminal};

use crate::classification::Classification;
use crate::classify::classify;
use crate::observation::{
    Exit, Facts, History, Observation, ProgramReport, ProgramState, ShellMark,
};

/// `stuckMs` where no configuration says otherwise (contract).
pub const STUCK_DEFAULT: Duration = Duration::from_secs(30);

/// The verdict and the screen it is about, as plain rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    pub classification: Classification,
    pub screen: String,
}

/// Replays a recording, takes its last screen as unchanged for `idle`, and classifies it.
///
/// # Errors
/// The recording cannot be read.
pub fn cast(
    bytes: &[u8],
    profile: Option<&Profile>,
    idle: Duration,
) -> Result<Explained, CastError> {
    cast_in_chunks(bytes, profile, idle, usize::MAX)
}

/// The same, with output fed in pieces of so many bytes: the verdict must not depend on it.
///
/// # Errors
/// The recording cannot be read.
pub fn cast_in_chunks(
    bytes: &[u8],
    profile: Option<&Profile>,
    idle: Duration,
    chunk: usize,
) -> Result<Explained, CastError> {
    let reader = Reader::new(bytes)?;
    let options = Options { size: reader.header().size(), scrollback_lines: 0 };
    let mut replay = Replay { terminal: Terminal::new(options), told: Told::default() };
    for event in reader {
        let event = event?;
        match event.data {
            Data::Output(text) => {
                for piece in text.as_bytes().chunks(chunk.max(1)) {
                    replay.output(piece, event.time);
                }
            }
            Data::Resize(size) => replay.terminal.resize(size),
            Data::Exit(status) => replay.told.exit = Some(exit_of(status)),
            Data::Input(_) | Data::Marker(_) => {}
        }
        replay.told.end = event.time;
    }
    Ok(replay.explain(profile, idle))
}

/// A shell tells a signal as 128 + its number; a recorder may tell it as a negative one.
fn exit_of(status: i32) -> Exit {
    if status < 0 { Exit::Signal(status.saturating_neg()) } else { Exit::Code(status) }
}

#[derive(Debug, Default)]
struct Told {
    exit: Option<Exit>,
    shell_mark: Option<ShellMark>,
    bracketed_paste: Option<bool>,
    program: Option<(ProgramState, Option<String>, Duration)>,
    progress: Option<Duration>,
    end: Duration,
}

struct Replay {
    terminal: Terminal,
    told: Told,
}

impl Replay {
    fn output(&mut self, bytes: &[u8], time: Duration) {
        self.terminal.advance(bytes);
        for event in self.terminal.take_events() {
            match event {
                TermEvent::ShellMark(mark) => self.told.shell_mark = Some(shell_mark(mark)),
                TermEvent::ProgramStatus(status) => {
                    self.told.program = state(status.state).map(|state| (state, status.kind, time));
                }
                TermEvent::Progress(progress) => self.told.progress = progress.map(|_| time),
                TermEvent::BracketedPaste(on) => self.told.bracketed_paste = Some(on),
                TermEvent::Title(_)
                | TermEvent::Bell
                | TermEvent::Notification(_)
                | TermEvent::ClipboardWrite { .. } => {}
            }
        }
        // Nobody answers here; the replies must only not pile up.
        drop(self.terminal.take_replies());
    }

    fn explain(mut self, profile: Option<&Profile>, idle: Duration) -> Explained {
        self.terminal.release_synchronized_update();
        let told = self.told;
        let age = |at: Duration| told.end.saturating_sub(at) + idle;
        let facts = Facts {
            exit: told.exit,
            unchanged_for: idle,
            settled: true,
            shell_mark: told.shell_mark,
            bracketed_paste: told.bracketed_paste,
            program: told.program.map(|(state, kind, at)| ProgramReport {
                state,
                kind,
                age: age(at),
            }),
            progress_age: told.progress.map(age),
            ..Facts::default()
        };
        let frame = self.terminal.frame();
        let mut screen: Vec<String> = frame.rows.iter().map(term::Row::text).collect();
        while screen.last().is_some_and(String::is_empty) {
            screen.pop();
        }
        let history = History { no_change_for: idle, stuck_after: STUCK_DEFAULT };
        let observation = Observation { frame, facts };
        Explained {
            classification: classify(&observation, &history, profile),
            screen: screen.join("\n"),
        }
    }
}

fn shell_mark(mark: term::ShellMark) -> ShellMark {
    match mark {
        term::ShellMark::PromptStart => ShellMark::PromptStart,
        term::ShellMark::CommandStart => ShellMark::InputStart,
        term::ShellMark::OutputStart => ShellMark::OutputStart,
        term::ShellMark::Done { exit } => ShellMark::Done { exit },
    }
}

/// `None`: the program takes back what it said.
fn state(state: term::ProgramState) -> Option<ProgramState> {
    match state {
        term::ProgramState::Idle => Some(ProgramState::Idle),
        term::ProgramState::Working => Some(ProgramState::Working),
        term::ProgramState::Blocked => Some(ProgramState::Blocked),
        // A turn that failed is over, too.
        term::ProgramState::Done | term::ProgramState::Error => Some(ProgramState::Done),
        term::ProgramState::Cleared => None,
    }
}
