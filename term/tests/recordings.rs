//! Recordings of real programs, 80×24, made for this repository: bytes as the program wrote
//! them, and beside them the text they leave. Cut in any way they give one and the same screen.

mod common;

use std::path::PathBuf;

use common::{assert_same_screen, check_frame, replay, size};
use term::{Frame, Row};

/// Name, and whether it is short enough to be cut at every byte.
const RECORDINGS: &[&str] =
    &["bash", "dialog", "htop", "less", "nano", "python", "tmux", "top", "vim"];

/// Up to this length a recording is cut at every byte.
const SHORT_BYTES: usize = 3_000;

fn path(name: &str, ending: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "recordings", &format!("{name}.{ending}")]
        .iter()
        .collect()
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(name, "bytes")).expect("a recording")
}

fn text(frame: &Frame) -> String {
    let rows: Vec<String> = frame.rows.iter().map(Row::text).collect();
    let (x, y) = (frame.cursor.x, frame.cursor.y);
    format!("{}\n-- cursor at column {x}, row {y}\n", rows.join("\n"))
}

#[test]
fn recordings_leave_their_text() {
    for name in RECORDINGS {
        let frame = replay(size(80, 24), &bytes(name), 4_096);
        check_frame(&frame);
        let now = text(&frame);
        if std::env::var_os("TTYDRIVE_UPDATE_GOLDEN").is_some() {
            std::fs::write(path(name, "golden"), &now).expect("a writable golden file");
        }
        let golden = std::fs::read_to_string(path(name, "golden")).expect("a golden file");
        assert_eq!(now, golden, "{name}");
    }
}

#[test]
fn recordings_may_be_cut_anywhere() {
    for name in RECORDINGS {
        let bytes = bytes(name);
        let whole = replay(size(80, 24), &bytes, usize::MAX);
        for chunk in [1, 7, 4_096] {
            let other = replay(size(80, 24), &bytes, chunk);
            assert_same_screen(&whole, &other, &format!("{name} in chunks of {chunk}"));
        }
        if bytes.len() > SHORT_BYTES {
            continue;
        }
        for cut in 0..=bytes.len() {
            let mut terminal = common::terminal(80, 24);
            terminal.advance(&bytes[..cut]);
            // Looking in between must not matter either.
            check_frame(&terminal.frame());
            terminal.advance(&bytes[cut..]);
            assert_same_screen(&whole, &terminal.frame(), &format!("{name} cut at {cut}"));
        }
    }
}

#[test]
fn recordings_survive_any_resizing() {
    let mut numbers = common::Numbers::new(7);
    for name in RECORDINGS {
        let mut terminal = common::terminal(80, 24);
        for piece in bytes(name).chunks(200) {
            terminal.advance(piece);
            terminal.resize(common::any_size(&mut numbers));
            check_frame(&terminal.frame());
        }
    }
}
