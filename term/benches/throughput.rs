//! Megabytes per second of the emulator beside `alacritty_terminal`, on the same generated
//! data in the same run, single-threaded. What counts is the ratio.
//!
//! `cargo bench -p term [-- SECONDS]`

// A benchmark measures time and prints; both are its purpose.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::Config;
use alacritty_terminal::vte::ansi::Processor;
use term::{Options, Size, Terminal};

const COLS: u16 = 120;
const ROWS: u16 = 40;
const SCROLLBACK: usize = 5_000;
const DATA_BYTES: usize = 8 << 20;
/// What a PTY read gives at most.
const CHUNK: usize = 65_536;

/// Name, data, and the ratio that is the goal.
type Case = (&'static str, Vec<u8>, f64);

fn main() {
    let seconds = std::env::args().filter_map(|arg| arg.parse::<f64>().ok()).next().unwrap_or(1.0);
    let budget = Duration::from_secs_f64(seconds);
    let cases: [Case; 4] = [
        ("ascii", ascii(), 4.0),
        ("sgr", sgr(), 1.0),
        ("redraw", redraw(), 1.2),
        ("unicode", unicode(), 1.3),
    ];
    println!("{COLS}x{ROWS}, {SCROLLBACK} lines of scrollback, MB/s (best run)");
    println!("{:<10}{:>10}{:>14}{:>8}{:>8}", "", "ttydrive", "alacritty", "ratio", "goal");
    for (name, data, goal) in &cases {
        let (mut ours, mut theirs) = (0.0, 0.0);
        // In turns, so that a busy moment of the machine hits both.
        for _ in 0..3 {
            ours = f64::max(ours, rate(data, budget / 3, run_ours));
            theirs = f64::max(theirs, rate(data, budget / 3, run_alacritty));
        }
        let ratio = ours / theirs;
        let mark = if ratio >= *goal { "" } else { "  missed" };
        println!("{name:<10}{ours:>10.0}{theirs:>14.0}{ratio:>8.2}{goal:>8.1}{mark}");
    }
}

/// The best of several passes.
fn rate(data: &[u8], budget: Duration, run: fn(&[u8])) -> f64 {
    let start = Instant::now();
    let mut best = 0.0;
    while start.elapsed() < budget || best == 0.0 {
        let pass = Instant::now();
        run(black_box(data));
        best = f64::max(best, data.len() as f64 / 1e6 / pass.elapsed().as_secs_f64());
    }
    best
}

fn run_ours(data: &[u8]) {
    let mut terminal = Terminal::new(Options {
        size: Size { cols: COLS, rows: ROWS },
        scrollback_lines: SCROLLBACK,
    });
    for chunk in data.chunks(CHUNK) {
        terminal.advance(chunk);
    }
    black_box(terminal.frame_number());
}

struct Grid;

impl Dimensions for Grid {
    fn total_lines(&self) -> usize {
        usize::from(ROWS)
    }
    fn screen_lines(&self) -> usize {
        usize::from(ROWS)
    }
    fn columns(&self) -> usize {
        usize::from(COLS)
    }
}

fn run_alacritty(data: &[u8]) {
    let config = Config { scrolling_history: SCROLLBACK, ..Config::default() };
    let mut terminal = alacritty_terminal::Term::new(config, &Grid, VoidListener);
    let mut parser: Processor = Processor::new();
    for chunk in data.chunks(CHUNK) {
        parser.advance(&mut terminal, chunk);
    }
    black_box(terminal.grid().cursor.point);
}

/// Small generator of numbers; the data must be the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

const WORDS: [&str; 12] = [
    "error",
    "warning",
    "src/main.rs",
    "the",
    "quick",
    "compiling",
    "v1.0.3",
    "(local)",
    "a",
    "of",
    "0x7ffe",
    "finished",
];

/// A build log: lines of 40 to 110 columns.
fn ascii() -> Vec<u8> {
    let mut numbers = Numbers(1);
    let mut out = Vec::new();
    while out.len() < DATA_BYTES {
        let width = 40 + numbers.below(70) as usize;
        let start = out.len();
        while out.len() - start < width {
            out.extend_from_slice(WORDS[numbers.below(12) as usize].as_bytes());
            out.push(b' ');
        }
        out.extend_from_slice(b"\r\n");
    }
    out
}

/// Coloured words: sixteen, 256 and true colours, attributes and resets.
fn sgr() -> Vec<u8> {
    let mut numbers = Numbers(2);
    let mut out = Vec::new();
    while out.len() < DATA_BYTES {
        for _ in 0..10 {
            let color = numbers.below(256);
            let text = match numbers.below(4) {
                0 => format!("\x1b[{}m", 30 + color % 8),
                1 => format!("\x1b[1;{}m", 90 + color % 8),
                2 => format!("\x1b[38;5;{color}m"),
                _ => format!("\x1b[38;2;{color};{};{}m", color / 2, 255 - color),
            };
            out.extend_from_slice(text.as_bytes());
            out.extend_from_slice(WORDS[numbers.below(12) as usize].as_bytes());
            out.extend_from_slice(b"\x1b[0m ");
        }
        out.extend_from_slice(b"\r\n");
    }
    out
}

/// A full-screen program: every row addressed, erased and written, with some colour.
fn redraw() -> Vec<u8> {
    let mut numbers = Numbers(3);
    let mut out = Vec::new();
    out.extend_from_slice(b"\x1b[?1049h\x1b[H\x1b[2J");
    while out.len() < DATA_BYTES {
        out.extend_from_slice(b"\x1b[?25l");
        for row in 1..=ROWS {
            out.extend_from_slice(format!("\x1b[{row};1H\x1b[K").as_bytes());
            out.extend_from_slice(format!("\x1b[{}m", 31 + numbers.below(6)).as_bytes());
            for _ in 0..4 {
                out.extend_from_slice(WORDS[numbers.below(12) as usize].as_bytes());
                out.push(b' ');
            }
            out.extend_from_slice(format!("\x1b[m\x1b[{row};60H").as_bytes());
            for _ in 0..5 {
                out.extend_from_slice(WORDS[numbers.below(12) as usize].as_bytes());
                out.push(b' ');
            }
        }
        out.extend_from_slice(b"\x1b[?25h");
    }
    out
}

/// Latin with accents, CJK, box drawing, emoji with and without joiners, combining marks.
fn unicode() -> Vec<u8> {
    const PARTS: [&str; 10] = [
        "naïve café ",
        "日本語の文字 ",
        "한국어 ",
        "├── └── │ ",
        "Привет мир ",
        "🚀 ✅ ",
        "👩‍💻 ",
        "e\u{301}o\u{308} ",
        "❤️ 🇩🇪 ",
        "→ • … ",
    ];
    let mut numbers = Numbers(4);
    let mut out = Vec::new();
    while out.len() < DATA_BYTES {
        for _ in 0..8 {
            out.extend_from_slice(PARTS[numbers.below(10) as usize].as_bytes());
        }
        out.extend_from_slice(b"\r\n");
    }
    out
}
