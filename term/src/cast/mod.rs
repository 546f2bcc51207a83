//! Recordings in asciicast v2: a header line of JSON, then one JSON array per event.
//!
//! [`Reader`] takes events one at a time from anything buffered and never holds more than
//! one line; [`Writer`] appends events. Both leave opening files to their caller.
//!
//! Invariants
//! - A line longer than [`LINE_BYTES_MAX`] is an error, not an allocation.
//! - Event times never go back: a stamp before its predecessor reads as the predecessor.
//! - Output written in pieces that split a UTF-8 character comes out whole.
//!
//! Events: `o` output, `i` input, `r` resize, `m` marker, `x` exit status. Other letters
//! are skipped, as the format asks of readers.

mod reader;
mod writer;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::frame::Size;

pub use reader::Reader;
pub use writer::Writer;

/// Longest line a reader accepts. Recorders write one line per read of a pty, which is at
/// most 64 KiB; JSON escapes make at most six bytes of one.
pub const LINE_BYTES_MAX: usize = 1024 * 1024;

/// Largest width or height of a recording; an emulator of that size is still small.
pub const SIDE_CELLS_MAX: u16 = 1000;

/// The first line. Fields a reader does not know are ignored, as the format asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub version: u32,
    pub width: u16,
    pub height: u16,
    /// Seconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Variables without a value, which recorders write as null, are left out.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "reader::set_variables"
    )]
    pub env: BTreeMap<String, String>,
}

impl Header {
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self {
            version: 2,
            width: size.cols,
            height: size.rows,
            timestamp: None,
            command: None,
            title: None,
            env: BTreeMap::new(),
        }
    }

    #[must_use]
    pub fn size(&self) -> Size {
        Size { cols: self.width, rows: self.height }
    }
}

/// One event, with its time since the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub time: Duration,
    pub data: Data,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    Output(String),
    Input(String),
    Resize(Size),
    Marker(String),
    /// Exit status of the program.
    Exit(i32),
}

/// Why a recording cannot be read on. Lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum CastError {
    #[error("the recording is empty")]
    Empty,
    #[error("line 1: not an asciicast header: {detail}")]
    Header { detail: String },
    #[error("line 1: asciicast version {found} is not supported")]
    Version { found: u64 },
    #[error(
        "line {line}: {cols}x{rows} is not a size between 1x1 and {max}x{max}",
        max = SIDE_CELLS_MAX
    )]
    Size { line: u64, cols: u64, rows: u64 },
    #[error("line {line}: longer than {} bytes", LINE_BYTES_MAX)]
    LineTooLong { line: u64 },
    #[error("line {line}: not an event: {detail}")]
    Event { line: u64, detail: String },
    #[error("line {line}: cannot be read")]
    Read {
        line: u64,
        #[source]
        source: std::io::Error,
    },
}

impl CastError {
    /// The line the error is about; 0 when there is none.
    #[must_use]
    pub fn line(&self) -> u64 {
        match self {
            Self::Empty => 0,
            Self::Header { .. } | Self::Version { .. } => 1,
            Self::Size { line, .. }
            | Self::LineTooLong { line }
            | Self::Event { line, .. }
            | Self::Read { line, .. } => *line,
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Empty | Self::Header { .. } => {
                "an asciicast v2 file starts with a line like \
                 {\"version\": 2, \"width\": 80, \"height\": 24}"
            }
            Self::Version { .. } => {
                "convert the file to asciicast v2, as with `asciinema convert -f asciicast-v2`"
            }
            Self::Size { .. } => "correct the size in that line",
            Self::LineTooLong { .. } => "split the event into several with the same time",
            Self::Event { .. } => {
                "an event is a line like [1.25, \"o\", \"text\"]; codes are o, i, r, m and x"
            }
            Self::Read { .. } => "check the file and the device it is on",
        }
    }
}
