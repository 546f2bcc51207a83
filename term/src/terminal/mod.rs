//! The emulator: bytes in, pictures, replies and facts out.
//!
//! Pure: it knows no clock, so the release of a synchronized update after its time is the
//! caller's call, and it writes to nobody, so replies are taken and sent by the caller.
//!
//! Invariants: the cursor is inside the grid; a wide glyph has both its cells; what is kept is
//! bounded by `limits`; the result does not depend on how the bytes were cut.

mod control;
mod csi;
mod dcs;
mod edit;
mod modes;
mod motion;
mod osc;
mod print;
mod query;
mod rectangle;
mod replies;
mod resize;
mod sgr;
mod snapshot;
mod state;
mod status;
mod switch;
mod view;

use std::sync::Arc;

use crate::events::TermEvent;
use crate::frame::{Frame, Modes, Row, Size};
use crate::limits::SCROLLBACK_LINES_MAX;
use crate::parser::Parser;
use crate::picture::Taken;
use state::State;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub size: Size,
    pub scrollback_lines: usize,
}

/// A headless terminal.
#[derive(Debug)]
pub struct Terminal {
    parser: Parser,
    state: State,
    /// Bytes came since the last picture.
    stale: bool,
    frame: Option<Arc<Frame>>,
}

// A session moves between threads.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Terminal>();
};

impl Terminal {
    #[must_use]
    pub fn new(options: Options) -> Self {
        let size = resize::clamped(options.size);
        let scrollback = options.scrollback_lines.min(SCROLLBACK_LINES_MAX);
        Self {
            parser: Parser::new(),
            state: State::new(size, scrollback),
            stale: true,
            frame: None,
        }
    }

    /// Takes what the program wrote, cut anywhere.
    pub fn advance(&mut self, bytes: &[u8]) {
        self.parser.advance(bytes, &mut self.state);
        self.stale = true;
    }

    /// The screen now, or before the synchronized update that is open.
    pub fn frame(&mut self) -> Arc<Frame> {
        self.look();
        if let Some(frame) = &self.frame {
            return Arc::clone(frame);
        }
        let state = &mut self.state;
        let around = state.picture.surroundings;
        let frame = Arc::new(Frame {
            number: state.picture.number(),
            size: state.size,
            rows: state.picture_rows(),
            cursor: around.cursor,
            title: Arc::clone(&state.picture.title),
            modes: Modes {
                synchronized_update: self.state.has(modes::SYNCHRONIZED),
                ..around.modes
            },
            history_total: around.history_total,
        });
        self.frame = Some(Arc::clone(&frame));
        frame
    }

    /// Takes a picture when there is something new to see.
    fn look(&mut self) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        if self.synchronized_update_open() && self.state.picture.number() > 0 {
            // Stays stale for the time after the update.
            self.stale = true;
            let number = self.state.picture.number();
            let current =
                |frame: &Arc<Frame>| frame.number == number && frame.modes.synchronized_update;
            if !self.frame.as_ref().is_some_and(current) {
                self.frame = None;
            }
            return;
        }
        if self.state.take_picture() == Taken::Differs {
            self.frame = None;
        }
        let number = self.state.picture.number();
        if self.frame.as_ref().is_some_and(|frame| frame.number != number) {
            self.frame = None;
        }
    }

    /// Number of the picture [`Self::frame`] would give. Cheap: only lines written to since
    /// the last call are compared.
    pub fn frame_number(&mut self) -> u64 {
        self.look();
        self.state.picture.number()
    }

    /// Rises only when cells really changed. Cursor movement, title, modes and an identical
    /// repaint do not count, nor does the cell under the cursor while it only blinks between
    /// two looks, nor a single cell that blinks like a cursor the program draws itself.
    pub fn content_number(&mut self) -> u64 {
        self.look();
        self.state.picture.content()
    }

    #[must_use]
    pub fn synchronized_update_open(&self) -> bool {
        self.state.has(modes::SYNCHRONIZED)
    }

    /// How many synchronized updates were ever opened. One that was closed and opened again
    /// within the same bytes is told apart by it, and its time begins anew.
    #[must_use]
    pub fn synchronized_updates(&self) -> u64 {
        self.state.updates
    }

    /// Ends a synchronized update that the program left open for too long.
    pub fn release_synchronized_update(&mut self) {
        if self.synchronized_update_open() {
            self.state.modes.set(modes::SYNCHRONIZED, false);
            self.stale = true;
        }
    }

    /// A new size; the text of the main screen and its history is broken anew.
    pub fn resize(&mut self, size: Size) {
        self.state.resize(size);
        self.stale = true;
        self.frame = None;
    }

    /// Answers to queries, in order; each is to be written at once and by itself.
    pub fn take_replies(&mut self) -> Vec<Vec<u8>> {
        self.state.replies.take()
    }

    /// What the program told, in order.
    pub fn take_events(&mut self) -> Vec<TermEvent> {
        std::mem::take(&mut self.state.events).into()
    }

    #[must_use]
    pub fn size(&self) -> Size {
        self.state.size
    }

    /// Modes as they are now, also inside a synchronized update.
    #[must_use]
    pub fn modes(&self) -> Modes {
        self.state.frame_modes()
    }

    /// Lines that ever scrolled off the main screen.
    #[must_use]
    pub fn history_total(&self) -> u64 {
        self.state.main().history.total()
    }

    /// Lines that scrolled off, from the absolute number `from` or the oldest one kept.
    #[must_use]
    pub fn history(&self, from: u64, max: usize) -> Vec<(u64, Row)> {
        self.state
            .main()
            .history
            .range(from, max)
            .map(|(number, line)| (number, self.state.row(&line.cells, line.wrapped, line.stamp)))
            .collect()
    }

    /// Lines that ever scrolled off the alternate screen.
    #[must_use]
    pub fn alternate_history_total(&self) -> u64 {
        self.state.alternate().history.total()
    }

    /// The transcript of the alternate screen: what scrolled off its top since it was entered
    /// the last time. It stays readable after the program has left it; lines keep the width
    /// they had.
    #[must_use]
    pub fn alternate_history(&self, from: u64, max: usize) -> Vec<(u64, Row)> {
        self.state
            .alternate()
            .history
            .range(from, max)
            .map(|(number, line)| (number, self.state.row(&line.cells, line.wrapped, line.stamp)))
            .collect()
    }

    /// Names of queries that got no answer.
    #[must_use]
    pub fn unanswered_queries(&self) -> Vec<String> {
        self.state.replies.unanswered_names()
    }

    /// Roughly the memory that grows with what the program does: cells, looks, clusters.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.state.memory_bytes()
    }
}
