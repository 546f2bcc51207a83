//! Writing a recording.

use std::io::{self, Write};
use std::time::Duration;

use super::{Header, LINE_BYTES_MAX};
use crate::frame::Size;

/// Most bytes of output in one event: escaped as `\u00XX` they still fit in a line that a
/// reader accepts.
const EVENT_BYTES_MAX: usize = LINE_BYTES_MAX / 8;

/// Appends events to a recording, one line each. Times must not go back.
#[derive(Debug)]
pub struct Writer<W> {
    sink: W,
    /// Bytes of a character whose rest has not come yet; at most three.
    torn: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Writes the header line.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn new(mut sink: W, header: &Header) -> io::Result<Self> {
        let line = serde_json::to_string(header)?;
        writeln!(sink, "{line}")?;
        Ok(Self { sink, torn: Vec::new() })
    }

    /// Output of the program. A character split over two calls is written with the second;
    /// bytes that are no UTF-8 become U+FFFD, as a terminal shows them.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn output(&mut self, time: Duration, bytes: &[u8]) -> io::Result<()> {
        let mut pending = std::mem::take(&mut self.torn);
        pending.extend_from_slice(bytes);
        let whole = pending.len() - torn_tail(&pending);
        self.torn = pending.split_off(whole);
        self.pieces(time, "o", &String::from_utf8_lossy(&pending))
    }

    /// Input typed into the program.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn input(&mut self, time: Duration, text: &str) -> io::Result<()> {
        self.pieces(time, "i", text)
    }

    /// # Errors
    /// When the sink fails.
    pub fn resize(&mut self, time: Duration, size: Size) -> io::Result<()> {
        self.event(time, "r", &format!("{}x{}", size.cols, size.rows))
    }

    /// A named point in time; a long label is cut.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn marker(&mut self, time: Duration, label: &str) -> io::Result<()> {
        let end = label.floor_char_boundary(EVENT_BYTES_MAX);
        self.event(time, "m", &label[..end])
    }

    /// The program's exit status, after whatever output is still held back.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn exit(&mut self, time: Duration, status: i32) -> io::Result<()> {
        self.flush_torn(time)?;
        self.event(time, "x", &status.to_string())
    }

    /// Writes what is held back and gives the sink back.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn finish(mut self, time: Duration) -> io::Result<W> {
        self.flush_torn(time)?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    fn flush_torn(&mut self, time: Duration) -> io::Result<()> {
        let torn = std::mem::take(&mut self.torn);
        self.pieces(time, "o", &String::from_utf8_lossy(&torn))
    }

    fn pieces(&mut self, time: Duration, code: &str, text: &str) -> io::Result<()> {
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, tail) = rest.split_at(rest.floor_char_boundary(EVENT_BYTES_MAX));
            self.event(time, code, piece)?;
            rest = tail;
        }
        Ok(())
    }

    fn event(&mut self, time: Duration, code: &str, data: &str) -> io::Result<()> {
        let data = serde_json::to_string(data)?;
        let seconds = time.as_secs();
        let micros = time.subsec_micros();
        writeln!(self.sink, "[{seconds}.{micros:06}, \"{code}\", {data}]")
    }
}

/// How many bytes at the end begin a character that is not complete.
fn torn_tail(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let start = bytes.len() - back;
        let length = match bytes.get(start) {
            Some(0xc2..=0xdf) => 2,
            Some(0xe0..=0xef) => 3,
            Some(0xf0..=0xf4) => 4,
            Some(0x80..=0xbf) => continue,
            _ => return 0,
        };
        let torn = &bytes[start..];
        let possible = std::str::from_utf8(torn).is_err_and(|e| e.error_len().is_none());
        return if back < length && possible { back } else { 0 };
    }
    0
}
