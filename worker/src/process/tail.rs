//! The last output of a program as plain lines: no escape sequences, no overwritten text.
//!
//! A screen shows only its last rows and a full-screen program clears it; this is what the
//! program said at the end, whatever it did to the screen. It is not a second emulator: a
//! carriage return starts the line again, a backspace goes back one, cursor movements are
//! ignored.

use std::collections::VecDeque;

use crate::limits::{EXIT_TAIL_BYTES, EXIT_TAIL_RAW_BYTES};

/// The newest raw bytes of a program's output.
#[derive(Debug)]
pub struct Ring {
    bytes: VecDeque<u8>,
    max: usize,
}

impl Ring {
    #[must_use]
    pub fn new(max: usize) -> Self {
        Self { bytes: VecDeque::new(), max }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        let new = bytes.get(bytes.len().saturating_sub(self.max)..).unwrap_or_default();
        let excess = (self.bytes.len() + new.len()).saturating_sub(self.max);
        self.bytes.drain(..excess);
        self.bytes.extend(new);
    }

    /// The cleaned end of what is kept.
    #[must_use]
    pub fn tail(&mut self) -> String {
        clean(self.bytes.make_contiguous())
    }
}

/// Escapes out, carriage returns applied, at most `EXIT_TAIL_BYTES` from the end, cut at a
/// line where there is one.
#[must_use]
pub fn clean(bytes: &[u8]) -> String {
    let bytes = bytes.get(bytes.len().saturating_sub(EXIT_TAIL_RAW_BYTES)..).unwrap_or_default();
    let mut lines: VecDeque<String> = VecDeque::new();
    let mut kept = 0;
    let mut line = Line::default();
    for c in Plain::new(&String::from_utf8_lossy(bytes)) {
        if c == '\n' {
            let done = line.finish();
            kept += done.len() + 1;
            lines.push_back(done);
            while kept > EXIT_TAIL_BYTES && lines.len() > 1 {
                kept -= lines.pop_front().map_or(0, |old| old.len() + 1);
            }
        } else {
            line.put(c);
        }
    }
    lines.push_back(line.finish());
    let joined = Vec::from(lines).join("\n");
    let text = joined.trim_end();
    let cut = (text.len().saturating_sub(EXIT_TAIL_BYTES)..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    text.get(cut..).unwrap_or_default().to_owned()
}

/// One line being written, with a place to write at.
#[derive(Debug, Default)]
struct Line {
    chars: Vec<char>,
    at: usize,
}

impl Line {
    fn put(&mut self, c: char) {
        match c {
            '\r' => self.at = 0,
            '\u{8}' => self.at = self.at.saturating_sub(1),
            _ => {
                match self.chars.get_mut(self.at) {
                    Some(old) => *old = c,
                    None => self.chars.push(c),
                }
                self.at += 1;
            }
        }
    }

    fn finish(&mut self) -> String {
        self.at = 0;
        let line: String = self.chars.drain(..).collect();
        line.trim_end().to_owned()
    }
}

/// The characters of a text that are not part of an escape sequence.
struct Plain<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
}

impl<'a> Plain<'a> {
    fn new(text: &'a str) -> Self {
        Self { chars: text.chars().peekable() }
    }

    /// Behind an ESC.
    fn skip_escape(&mut self) {
        match self.chars.next() {
            Some('[') => self.skip_csi(),
            Some(']' | 'P' | '_' | '^' | 'X') => self.skip_string(),
            // nF sequences: intermediates up to a final byte.
            Some(' '..='/') => {
                while self.chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
                self.chars.next();
            }
            Some(_) | None => {}
        }
    }

    fn skip_csi(&mut self) {
        while self.chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
        self.chars.next_if(|c| ('@'..='~').contains(c));
    }

    fn skip_string(&mut self) {
        while let Some(c) = self.chars.next() {
            match c {
                '\u{7}' | '\u{9c}' | '\u{18}' | '\u{1a}' => return,
                '\u{1b}' => {
                    self.chars.next_if_eq(&'\\');
                    return;
                }
                _ => {}
            }
        }
    }
}

impl Iterator for Plain<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        loop {
            match self.chars.next()? {
                '\u{1b}' => self.skip_escape(),
                '\u{9b}' => self.skip_csi(),
                '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => self.skip_string(),
                c @ ('\n' | '\r' | '\t' | '\u{8}') => return Some(c),
                c if c.is_control() => {}
                c => return Some(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_go_and_text_stays() {
        let cases: [(&[u8], &str); 8] = [
            (b"plain\r\nlines\r\n", "plain\nlines"),
            (b"\x1b[1;31mred\x1b[0m text", "red text"),
            (b"\x1b]0;title\x07body\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "bodylink"),
            (b"10%\r50%\r100%\n", "100%"),
            (b"long line\rshort\n", "shortline"),
            (b"abc\x08\x08X", "aXc"),
            (b"\x1b(Bx\x1b=y\x1b7z\x1bP+q\x1b\\w", "xyzw"),
            (b"a\x00b\x07c \xff", "abc \u{fffd}"),
        ];
        for (raw, wanted) in cases {
            assert_eq!(clean(raw), wanted, "{}", raw.escape_ascii());
        }
    }

    #[test]
    fn the_end_survives_within_the_cap() {
        let text: String = (0..4_000).map(|n| format!("line {n}\n")).collect();
        let tail = clean(text.as_bytes());
        assert!(tail.len() <= EXIT_TAIL_BYTES && tail.len() > EXIT_TAIL_BYTES - 20);
        assert!(tail.starts_with("line ") && tail.ends_with("line 3999"));
        let one = clean("é".repeat(20_000).as_bytes());
        assert!(one.len() <= EXIT_TAIL_BYTES && one.chars().all(|c| c == 'é'));
    }

    #[test]
    fn the_ring_keeps_the_newest() {
        let mut ring = Ring::new(10);
        ring.push(b"0123456");
        ring.push(b"789abc");
        assert_eq!(ring.tail(), "3456789abc");
        ring.push(b"a long piece of output");
        assert_eq!(ring.tail(), " of output");
        assert_eq!(Ring::new(0).tail(), "");
    }
}
