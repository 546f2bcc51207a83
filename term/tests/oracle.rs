//! The same streams through this emulator and through `tattoy-wezterm-term`, as an independent
//! opinion. Only what both define: pieces whose meaning differs between terminals are left out
//! of the generator, each with the reason beside it.

mod common;

use std::sync::Arc;

use common::{Numbers, after, check_frame};
use tattoy_wezterm_term as oracle;
use term::{Color, Frame, Glyph};

#[derive(Debug)]
struct Config;

impl oracle::config::TerminalConfiguration for Config {
    fn scrollback_size(&self) -> usize {
        100
    }
    fn color_palette(&self) -> oracle::color::ColorPalette {
        oracle::color::ColorPalette::default()
    }
}

fn oracle_after(cols: u16, rows: u16, bytes: &[u8]) -> oracle::Terminal {
    let size = oracle::TerminalSize {
        rows: usize::from(rows),
        cols: usize::from(cols),
        pixel_width: 0,
        pixel_height: 0,
        dpi: 0,
    };
    let mut terminal =
        oracle::Terminal::new(size, Arc::new(Config), "oracle", "0", Box::new(std::io::sink()));
    terminal.advance_bytes(bytes);
    terminal
}

const TEXTS: &[&str] =
    &["a", "hello", "The quick brown fox jumps", " ", "x  y", "é", "e\u{301}", "─"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Edits,
    Regions,
    WideGlyphs,
}

/// One piece both terminals agree on by their manuals.
fn piece(numbers: &mut Numbers, cols: u16, rows: u16, kind: Kind) -> String {
    let small = |numbers: &mut Numbers| numbers.below(6);
    match numbers.below(25) {
        // Whether characters may be inserted outside the scroll region differs.
        14..=17 if kind == Kind::Regions => format!("\x1b[{};1H", 1 + numbers.below(rows.into())),
        // What an edit in the middle of a wide glyph leaves differs, and so does one that does
        // not fit in the line.
        14..=19 if kind == Kind::WideGlyphs => {
            format!("\x1b[{}G{}", 1 + 2 * small(numbers), numbers.pick(&["日", "本", "한"]))
        }
        0..=6 => numbers.pick(TEXTS).into(),
        7 => numbers.pick(&["\r", "\r\n", "\n"]).into(),
        8 => "\t".into(),
        9..=11 => {
            // Addressing; relative movement at the margin of a region differs, so the region is
            // never left by it.
            let row = 1 + numbers.below(u64::from(rows));
            let column = 1 + numbers.below(u64::from(cols));
            format!("\x1b[{row};{column}H")
        }
        12 => format!("\x1b[{}{}", small(numbers), numbers.pick(&["C", "D"])),
        13 => format!("\x1b[{}G", 1 + numbers.below(u64::from(cols))),
        // Whether an edit ends the wait at the last column differs, so none is done there.
        14 => format!("\x1b[2G\x1b[{}K", numbers.below(3)),
        15 => format!("\x1b[3G\x1b[{}J", numbers.below(3)),
        16 => format!("\x1b[4G\x1b[{}X", small(numbers)),
        // Whether the background fills what opens up differs for DCH.
        17 => format!("\x1b[m\x1b[3G\x1b[{}{}", small(numbers), numbers.pick(&["@", "P"])),
        // Whether the cursor goes to the margin differs.
        18 => format!("\r\x1b[{}{}", small(numbers), numbers.pick(&["L", "M"])),
        19 => format!("\x1b[{}{}", small(numbers), numbers.pick(&["S", "T"])),
        20..=22 => sgr(numbers),
        23 if kind == Kind::Regions && rows > 3 => {
            let top = 1 + numbers.below(u64::from(rows) - 2);
            let bottom = (top + 1 + numbers.below(3)).min(u64::from(rows));
            format!("\x1b[{top};{bottom}r")
        }
        _ => numbers.pick(&["\x1b7\x1b[1;1H\x1b8", "\x1bD", "\x1bM", "\x1bE"]).into(),
    }
}

fn sgr(numbers: &mut Numbers) -> String {
    let n = numbers.below(256);
    match numbers.below(8) {
        0 => format!("\x1b[{}m", 30 + n % 8),
        1 => format!("\x1b[{}m", 40 + n % 8),
        2 => format!("\x1b[{}m", 90 + n % 8),
        3 => format!("\x1b[38;5;{n}m"),
        4 => format!("\x1b[48;5;{n}m"),
        5 => format!("\x1b[{}m", numbers.pick(&["1", "3", "4", "9", "22", "23", "24"])),
        6 => format!("\x1b[38:2::{n}:{}:{}m", n / 2, 1),
        _ => "\x1b[0m".into(),
    }
}

/// Text and colours of a screen, one entry per cell.
type Picture = Vec<Vec<(String, Color, Color, bool)>>;

/// The colour of a letter that is not there cannot be seen.
fn unseen(text: &str, foreground: Color) -> Color {
    if text == " " { Color::Default } else { foreground }
}

fn our_picture(frame: &Frame) -> Picture {
    let cell = |cell: &term::Cell| {
        let text = match &cell.glyph {
            Glyph::Char(c) => c.to_string(),
            Glyph::Cluster(text) => text.to_string(),
        };
        let text = if cell.width == 0 { String::new() } else { text };
        let foreground = unseen(&text, cell.style.foreground);
        (text, foreground, cell.style.background, cell.style.inverse)
    };
    frame.rows.iter().map(|row| row.cells.iter().map(cell).collect()).collect()
}

fn oracle_picture(terminal: &mut oracle::Terminal, cols: usize) -> Picture {
    let color = |color: oracle::color::ColorAttribute| match color {
        oracle::color::ColorAttribute::Default => Color::Default,
        oracle::color::ColorAttribute::PaletteIndex(index) => Color::Indexed(index),
        oracle::color::ColorAttribute::TrueColorWithDefaultFallback(rgb)
        | oracle::color::ColorAttribute::TrueColorWithPaletteFallback(rgb, _) => {
            let (r, g, b, _) = rgb.to_srgb_u8();
            Color::Rgb(r, g, b)
        }
    };
    let screen = terminal.screen();
    let visible = screen.phys_range(&(0..screen.physical_rows as i64));
    let lines = screen.lines_in_phys_range(visible);
    let blank = (" ".to_owned(), Color::Default, Color::Default, false);
    lines
        .iter()
        .map(|line| {
            let mut row = vec![blank.clone(); cols];
            for cell in line.visible_cells() {
                let attrs = cell.attrs();
                let look = (color(attrs.foreground()), color(attrs.background()), attrs.reverse());
                for (offset, place) in
                    row.iter_mut().skip(cell.cell_index()).take(cell.width()).enumerate()
                {
                    let text = if offset == 0 { cell.str().to_owned() } else { String::new() };
                    let foreground = unseen(&text, look.0);
                    *place = (text, foreground, look.1, look.2);
                }
            }
            row
        })
        .collect()
}

fn agree(cols: u16, rows: u16, bytes: &str, what: &str) {
    let frame = after(cols, rows, bytes).frame();
    check_frame(&frame);
    let mut other = oracle_after(cols, rows, bytes.as_bytes());
    let theirs = oracle_picture(&mut other, usize::from(cols));
    let ours = our_picture(&frame);
    for (y, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        for (x, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
            assert_eq!(ours, theirs, "{what}: row {y}, column {x} after {bytes:?}");
        }
    }
    let position = other.cursor_pos();
    let theirs = (position.x.min(usize::from(cols) - 1), position.y);
    let ours = (usize::from(frame.cursor.x), i64::from(frame.cursor.y));
    assert_eq!(ours, (theirs.0, theirs.1), "{what}: cursor after {bytes:?}");
}

fn run(kind: Kind, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut numbers = Numbers::new(seed);
        let (cols, rows) = (14 + numbers.below(30) as u16, 2 + numbers.below(8) as u16);
        let mut bytes = String::new();
        for _ in 0..=numbers.below(14) {
            bytes.push_str(&piece(&mut numbers, cols, rows, kind));
        }
        agree(cols, rows, &bytes, &format!("seed {seed}, {cols}x{rows}"));
    }
}

#[test]
fn edits_give_the_same_screen() {
    run(Kind::Edits, 0..3_000);
}

#[test]
fn scroll_regions_give_the_same_screen() {
    run(Kind::Regions, 0..3_000);
}

#[test]
fn wide_glyphs_give_the_same_screen() {
    run(Kind::WideGlyphs, 0..2_000);
}

#[test]
fn recordings_give_the_same_screen() {
    // Not `top`: whether erasing in inverse leaves inverse cells differs (xterm: no).
    for name in ["bash", "dialog", "htop", "less", "nano", "python", "tmux", "vim"] {
        let path = format!("{}/tests/recordings/{name}.bytes", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read_to_string(path).expect("a recording in UTF-8");
        agree(80, 24, &bytes, name);
    }
}
