//! Shared by the tests: terminals of a size, streams made from a seed, and what must hold of
//! every frame.

#![allow(dead_code)] // Each test file uses its own part.

use std::sync::Arc;

use term::{Frame, Options, Row, Size, Terminal};

pub fn size(cols: u16, rows: u16) -> Size {
    Size { cols, rows }
}

pub fn terminal(cols: u16, rows: u16) -> Terminal {
    Terminal::new(Options { size: size(cols, rows), scrollback_lines: 100 })
}

/// A terminal after the bytes.
pub fn after(cols: u16, rows: u16, bytes: impl AsRef<[u8]>) -> Terminal {
    let mut terminal = terminal(cols, rows);
    terminal.advance(bytes.as_ref());
    terminal
}

/// Rows as text, blank ones at the end left out.
pub fn rows(terminal: &mut Terminal) -> Vec<String> {
    let frame = terminal.frame();
    let mut rows: Vec<String> = frame.rows.iter().map(Row::text).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}

/// Zero-based column and row.
pub fn cursor(terminal: &mut Terminal) -> (u16, u16) {
    let cursor = terminal.frame().cursor;
    (cursor.x, cursor.y)
}

/// What holds of every frame whatever the bytes were.
pub fn check_frame(frame: &Frame) {
    let (cols, rows) = (usize::from(frame.size.cols), usize::from(frame.size.rows));
    assert_eq!(frame.rows.len(), rows);
    assert!(usize::from(frame.cursor.x) < cols, "cursor column");
    assert!(usize::from(frame.cursor.y) < rows, "cursor row");
    for row in &frame.rows {
        assert_eq!(row.cells.len(), cols);
        assert!(row.changed_in <= frame.number, "a change in the future");
        check_row(row);
    }
}

/// Wide glyphs are whole.
pub fn check_row(row: &Row) {
    let mut widths = row.cells.iter().map(|cell| cell.width).peekable();
    while let Some(width) = widths.next() {
        match width {
            1 => {}
            2 => assert_eq!(widths.next(), Some(0), "a wide glyph without its right half"),
            other => unreachable!("a cell of width {other} on its own"),
        }
    }
}

/// Same screen: everything a reader sees, not when it changed.
pub fn assert_same_screen(a: &Frame, b: &Frame, what: &str) {
    assert_eq!(a.size, b.size, "{what}");
    assert_eq!(a.cursor, b.cursor, "{what}");
    assert_eq!(a.title, b.title, "{what}");
    assert_eq!(a.modes, b.modes, "{what}");
    for (y, (one, other)) in a.rows.iter().zip(&b.rows).enumerate() {
        assert_eq!(one.text(), other.text(), "{what}: text of row {y}");
        assert_eq!(one.cells, other.cells, "{what}: row {y}");
        assert_eq!(one.wrapped, other.wrapped, "{what}: wrap of row {y}");
    }
}

pub fn replay(size: Size, bytes: &[u8], chunk: usize) -> Arc<Frame> {
    let mut terminal = Terminal::new(Options { size, scrollback_lines: 100 });
    for piece in bytes.chunks(chunk) {
        terminal.advance(piece);
    }
    terminal.frame()
}

/// Repeatable numbers (xorshift).
#[derive(Debug, Clone)]
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11) % limit.max(1)
    }

    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len() as u64) as usize]
    }
}

const TEXTS: &[&str] = &[
    "a",
    "hello",
    "The quick brown fox",
    " ",
    "    ",
    "日本語",
    "한국어",
    "é",
    "e\u{301}",
    "👩‍💻",
    "❤\u{fe0f}",
    "🇩🇪",
    "🇩",
    "\u{200d}",
    "\u{fe0f}",
    "\u{301}",
    "क्षि",
    "กำ",
    "🚀",
    "│├─",
    "x\u{7f}y",
    "\u{9b}31m",
    "\u{85}",
    "\u{90}q\u{9c}",
    "1\u{fe0f}\u{20e3}",
    "\u{ad}",
    "\u{200b}",
];

const CONTROLS: &[&str] = &[
    "\r", "\n", "\r\n", "\x08", "\t", "\x0b", "\x0e", "\x0f", "\x07", "\x18", "\x1a", "\x1b7",
    "\x1b8", "\x1bD", "\x1bM", "\x1bE", "\x1bH", "\x1bc", "\x1b#8", "\x1b(0", "\x1b)0", "\x1b(B",
    "\x1b=", "\x1b>", "\x1b6", "\x1b9", "\x1bN", "\x1bn", "\x1b[!p", "\x1b\\",
];

const STRINGS: &[&str] = &[
    "\x1b]0;title\x07",
    "\x1b]2;other\x1b\\",
    "\x1b]8;;http://a.b\x1b\\",
    "\x1b]8;;\x1b\\",
    "\x1b]4;1;?\x07",
    "\x1b]11;?\x1b\\",
    "\x1b]133;A\x07",
    "\x1b]9;4;1;50\x07",
    "\x1b]52;c;aGk=\x07",
    "\x1bP$qm\x1b\\",
    "\x1bP+q544e\x1b\\",
    "\x1b_Gi=1;AAAA\x1b\\",
    "\x1bXsos\x1b\\",
    "\x1bktitle\x1b\\",
    "\x1b]7501;state=working:msg=aGk=\x1b\\",
    "\x1b]unfinished",
    "\x1bPunfinished",
];

const PRIVATE_MODES: &[u16] = &[
    1, 3, 5, 6, 7, 9, 12, 25, 40, 45, 47, 66, 69, 1000, 1002, 1003, 1004, 1006, 1047, 1048, 1049,
    2004, 2026, 2027, 2031, 9999,
];

/// One piece of a stream, from plain text to nonsense.
pub fn piece(numbers: &mut Numbers) -> Vec<u8> {
    match numbers.below(16) {
        0..=4 => numbers.pick(TEXTS).into(),
        5..=6 => numbers.pick(CONTROLS).into(),
        7 => numbers.pick(STRINGS).into(),
        8..=12 => sequence(numbers),
        13 => {
            let number = PRIVATE_MODES[numbers.below(PRIVATE_MODES.len() as u64) as usize];
            let last = if numbers.below(2) == 0 { 'h' } else { 'l' };
            format!("\x1b[?{number}{last}").into_bytes()
        }
        14 => (0..numbers.below(6)).map(|_| numbers.next() as u8).collect(),
        _ => {
            let cut = numbers.below(4) as usize;
            let mut bytes = sequence(numbers);
            bytes.truncate(cut);
            bytes
        }
    }
}

/// A control sequence that is at least well formed.
fn sequence(numbers: &mut Numbers) -> Vec<u8> {
    let prefix = numbers.pick(&["", "", "", "", "", "?", ">", "=", "<"]);
    let middle = numbers.pick(&["", "", "", "", "", "", " ", "$", "'", "*", "\"", "!"]);
    let mut out = format!("\x1b[{prefix}");
    let params = numbers.below(5);
    for index in 0..params {
        if index > 0 {
            out.push_str(numbers.pick(&[";", ";", ";", ":"]));
        }
        let value = match numbers.below(8) {
            0 => String::new(),
            1 => numbers.below(100_000).to_string(),
            2 => numbers.below(110).to_string(),
            _ => numbers.below(12).to_string(),
        };
        out.push_str(&value);
    }
    out.push_str(middle);
    const LAST: &[u8] = b"@ABCDEFGHIJKLMPSTXZ`abcdefghlmnpqrstuvxyz{}~^W";
    out.push(char::from(LAST[numbers.below(LAST.len() as u64) as usize]));
    out.into_bytes()
}

pub fn stream(seed: u64, pieces: usize) -> Vec<u8> {
    let mut numbers = Numbers::new(seed);
    (0..pieces).flat_map(|_| piece(&mut numbers)).collect()
}

/// A size from 1×1 to 500×200, small ones more often.
pub fn any_size(numbers: &mut Numbers) -> Size {
    match numbers.below(8) {
        0 => size(1 + numbers.below(500) as u16, 1 + numbers.below(200) as u16),
        1 => size(1 + numbers.below(3) as u16, 1 + numbers.below(3) as u16),
        _ => size(1 + numbers.below(30) as u16, 1 + numbers.below(12) as u16),
    }
}
