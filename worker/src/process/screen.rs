//! The emulator with everything that is learnt from output: settle clock, final bytes, marks.

use std::time::Instant;

use term::{
    Options, ProgramState, ProgramStatus, Progress, Row, ShellMark, Size, TermEvent, Terminal,
};

use crate::limits::{HISTORY_BYTES_MAX, HISTORY_ROWS_MAX, RING_BYTES_MAX, TRANSCRIPT_BYTES_MAX};
use crate::process::settle::Settle;
use crate::process::tail::Ring;
use crate::protocol::{
    WireClock, WireFacts, WireFrame, WireObservation, WireProgramState, WireRow, WireShellMark,
};

pub struct Screen {
    terminal: Terminal,
    pub settle: Settle,
    ring: Ring,
    output_bytes: u64,
    marks: Marks,
    exit_tail: Option<String>,
}

/// What the program said about itself, newest of each kind.
#[derive(Debug, Default)]
struct Marks {
    shell: Option<WireShellMark>,
    bracketed_paste: Option<bool>,
    program: Option<(ProgramStatus, Instant)>,
    progress: Option<Instant>,
}

impl Screen {
    #[must_use]
    pub fn new(cols: u16, rows: u16, scrollback: u32, ring: u32, now: Instant) -> Self {
        let scrollback_lines = usize::try_from(scrollback).unwrap_or(usize::MAX);
        let ring = usize::try_from(ring).unwrap_or(usize::MAX).min(RING_BYTES_MAX);
        Self {
            terminal: Terminal::new(Options { size: Size { cols, rows }, scrollback_lines }),
            settle: Settle::new(now),
            ring: Ring::new(ring),
            output_bytes: 0,
            marks: Marks::default(),
            exit_tail: None,
        }
    }

    /// One piece of output. What the terminal answers is for the program, at once.
    pub fn output(&mut self, bytes: &[u8], now: Instant) -> Vec<Vec<u8>> {
        let was_open = self.terminal.synchronized_update_open();
        self.terminal.advance(bytes);
        self.ring.push(bytes);
        self.output_bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.settle.output(now);
        let open = self.terminal.synchronized_update_open();
        // Closed and opened again within this piece: the 150 ms begin anew.
        let closed = was_open && open && bytes.windows(6).any(|window| window == b"?2026l");
        self.settle.sync_update(now, open, closed);
        for event in self.terminal.take_events() {
            self.marks.note(event, now);
        }
        self.terminal.take_replies()
    }

    pub fn evaluate(&mut self, now: Instant) {
        let content = self.terminal.content_number();
        self.settle.evaluated(now, content);
    }

    pub fn release_sync(&mut self) {
        self.terminal.release_synchronized_update();
    }

    pub fn resize(&mut self, cols: u16, rows: u16, now: Instant) {
        self.terminal.resize(Size { cols, rows });
        self.settle.output(now);
    }

    pub fn snapshot(&mut self, history_lines: u32) -> Vec<u8> {
        let lines = usize::try_from(history_lines).unwrap_or(usize::MAX).min(HISTORY_ROWS_MAX);
        self.terminal.snapshot_ansi(lines)
    }

    pub fn size(&mut self) -> Size {
        self.terminal.frame().size
    }

    /// No more output will come; what is not needed for looking is given back.
    pub fn end(&mut self) {
        self.exit_tail = Some(self.ring.tail());
        self.ring = Ring::new(0);
    }

    pub fn clock(&mut self, now: Instant) -> WireClock {
        WireClock {
            frame: self.terminal.frame_number(),
            content: self.settle.content(),
            output_bytes: self.output_bytes,
            unchanged_ms: millis(self.settle.unchanged(now)),
            quiet_ms: millis(self.settle.quiet(now)),
            synchronized_update: self.terminal.synchronized_update_open(),
        }
    }

    /// The whole picture. `facts` are the kernel's; the program's own words are added here.
    pub fn observe(
        &mut self,
        mut facts: WireFacts,
        history: Option<(u64, u32)>,
        now: Instant,
    ) -> Box<WireObservation> {
        self.evaluate(now);
        self.marks.add_to(&mut facts, now);
        let frame = self.terminal.frame();
        // Only the past of the screen in use: a look has one reader, and that is what it shows.
        let (mut history_start, mut scrolled_off, mut transcript) =
            (frame.history_total, Vec::new(), Vec::new());
        match history {
            Some((_, max)) if frame.modes.alternate_screen => transcript = self.transcript(max),
            Some((from, max)) => (history_start, scrolled_off) = self.history(from, max),
            None => {}
        }
        Box::new(WireObservation {
            clock: self.clock(now),
            frame: WireFrame::from_frame(&frame),
            facts,
            history_start,
            history: scrolled_off,
            transcript,
            exit_tail: self.exit_tail.clone(),
            unanswered_queries: self.terminal.unanswered_queries(),
            dropped_bytes: 0,
        })
    }

    /// The newest lines from `from` on that fit into a message.
    fn history(&self, from: u64, max: u32) -> (u64, Vec<WireRow>) {
        let max = usize::try_from(max).unwrap_or(usize::MAX).min(HISTORY_ROWS_MAX);
        let rows = self.terminal.history(from, max);
        let start = rows.first().map_or(from, |(line, _)| *line);
        let (cut, wire) = newest(&rows, HISTORY_BYTES_MAX);
        (start + u64::try_from(cut).unwrap_or(0), wire)
    }

    /// The newest lines that scrolled off the alternate screen.
    fn transcript(&self, max: u32) -> Vec<WireRow> {
        let max = usize::try_from(max).unwrap_or(usize::MAX).min(HISTORY_ROWS_MAX);
        let total = self.terminal.alternate_history_total();
        let from = total.saturating_sub(u64::try_from(max).unwrap_or(u64::MAX));
        newest(&self.terminal.alternate_history(from, max), TRANSCRIPT_BYTES_MAX).1
    }
}

/// The newest rows that fit, and how many older ones do not.
fn newest(rows: &[(u64, Row)], bytes_max: usize) -> (usize, Vec<WireRow>) {
    let mut wire: Vec<WireRow> = rows.iter().map(|(_, row)| WireRow::from_row(row)).collect();
    let mut bytes = 0;
    let fits = |row: &&WireRow| {
        bytes += row.approximate_bytes();
        bytes <= bytes_max
    };
    let cut = wire.len() - wire.iter().rev().take_while(fits).count();
    wire.drain(..cut);
    (cut, wire)
}

impl Marks {
    fn note(&mut self, event: TermEvent, now: Instant) {
        match event {
            TermEvent::ShellMark(mark) => {
                self.shell = Some(match mark {
                    ShellMark::PromptStart => WireShellMark::PromptStart,
                    ShellMark::CommandStart => WireShellMark::InputStart,
                    ShellMark::OutputStart => WireShellMark::OutputStart,
                    ShellMark::Done { exit } => WireShellMark::Done { exit },
                });
            }
            TermEvent::ProgramStatus(status) => self.note_status(status, now),
            TermEvent::Progress(progress) => {
                self.progress = match progress {
                    Some(Progress::Percent(_) | Progress::Indeterminate) => Some(now),
                    // Neither is work going on.
                    Some(Progress::Error(_) | Progress::Paused(_)) | None => None,
                };
            }
            TermEvent::BracketedPaste(on) => self.bracketed_paste = Some(on),
            TermEvent::Title(_)
            | TermEvent::Bell
            | TermEvent::Notification(_)
            | TermEvent::ClipboardWrite { .. } => {}
        }
    }

    fn note_status(&mut self, status: ProgramStatus, now: Instant) {
        // Word about a part does not replace word about the whole.
        let whole_known = self.program.as_ref().is_some_and(|(known, _)| known.id.is_none());
        if status.id.is_some() && whole_known {
            return;
        }
        self.program = match status.state {
            ProgramState::Cleared => None,
            ProgramState::Idle
            | ProgramState::Working
            | ProgramState::Blocked
            | ProgramState::Done
            | ProgramState::Error => Some((status, now)),
        };
    }

    fn add_to(&self, facts: &mut WireFacts, now: Instant) {
        facts.shell_mark = self.shell;
        facts.bracketed_paste = self.bracketed_paste;
        if let Some((status, at)) = &self.program {
            facts.program_state = Some(match status.state {
                ProgramState::Idle => WireProgramState::Idle,
                ProgramState::Working => WireProgramState::Working,
                ProgramState::Blocked => WireProgramState::Blocked,
                ProgramState::Done | ProgramState::Error | ProgramState::Cleared => {
                    WireProgramState::Done
                }
            });
            facts.program_kind.clone_from(&status.kind);
            facts.program_age_ms = Some(millis(now.saturating_duration_since(*at)));
        }
        facts.progress_age_ms = self.progress.map(|at| millis(now.saturating_duration_since(at)));
    }
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
