//! The emulator (signatures first).

use std::sync::Arc;

use crate::events::TermEvent;
use crate::frame::{Cursor, CursorShape, Frame, Modes, Row, Size};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub size: Size,
    pub scrollback_lines: usize,
}

/// A headless terminal.
#[derive(Debug)]
pub struct Terminal {
    options: Options,
}

impl Terminal {
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options }
    }
    pub fn advance(&mut self, _bytes: &[u8]) {}
    pub fn frame(&mut self) -> Arc<Frame> {
        Arc::new(Frame {
            number: 0,
            size: self.options.size,
            rows: Vec::new(),
            cursor: Cursor {
                x: 0,
                y: 0,
                visible: true,
                shape: CursorShape::Block,
            },
            title: Arc::from(""),
            modes: Modes::default(),
            history_total: 0,
        })
    }
    pub fn frame_number(&mut self) -> u64 {
        0
    }
    /// Rises only when cells change, the cell under the cursor left out of account.
    pub fn content_number(&mut self) -> u64 {
        0
    }
    #[must_use]
    pub fn synchronized_update_open(&self) -> bool {
        false
    }
    pub fn release_synchronized_update(&mut self) {}
    pub fn resize(&mut self, size: Size) {
        self.options.size = size;
    }
    pub fn take_replies(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }
    pub fn take_events(&mut self) -> Vec<TermEvent> {
        Vec::new()
    }
    #[must_use]
    pub fn modes(&self) -> Modes {
        Modes::default()
    }
    #[must_use]
    pub fn history_total(&self) -> u64 {
        0
    }
    #[must_use]
    pub fn history(&self, _from: u64, _max: usize) -> Vec<(u64, Row)> {
        Vec::new()
    }
    #[must_use]
    pub fn unanswered_queries(&self) -> Vec<String> {
        Vec::new()
    }
    pub fn snapshot_ansi(&mut self, _history_lines: usize) -> Vec<u8> {
        Vec::new()
    }
}
