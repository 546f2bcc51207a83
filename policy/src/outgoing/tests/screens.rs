use proptest::prelude::*;

use super::{frame, request, shown};
use crate::outgoing::{Format, Request, Selection, Wrap, line, plain, screen};

#[test]
fn rows_are_cut_from_the_top_and_counted() {
    let rows: Vec<String> = (0..10).map(|row| format!("row {row}")).collect();
    let frame = frame(20, 10, &rows.join("\r\n"));
    let selection = Selection { frame: &frame, history: &[], changed_since: None };
    // "row 7\nrow 8\nrow 9" has 17 bytes.
    let request = Request { bytes_max: 20, ..request(Format::Text, Wrap::None) };
    let safe = screen(selection, &request);
    assert_eq!(safe.as_str(), "row 7\nrow 8\nrow 9");
    assert_eq!((safe.dropped_rows, safe.dropped_bytes), (7, 42));
}

#[test]
fn the_row_of_the_cursor_survives() {
    let rows: Vec<String> = (0..10).map(|row| format!("row {row}")).collect();
    let text = format!("{}\x1b[2;3H", rows.join("\r\n"));
    let frame = frame(20, 10, &text);
    let selection = Selection { frame: &frame, history: &[], changed_since: None };
    let request = Request { bytes_max: 17, ..request(Format::Text, Wrap::None) };
    assert_eq!(screen(selection, &request).as_str(), "row 1\nrow 8\nrow 9");
}

#[test]
fn changed_rows_carry_their_numbers() {
    let mut terminal = term::Terminal::new(term::Options {
        size: term::Size { cols: 20, rows: 5 },
        scrollback_lines: 0,
    });
    terminal.advance(b"one\r\ntwo\r\nthree");
    let before = terminal.frame().number;
    terminal.advance(b"\x1b[2;1HTWO");
    let frame = terminal.frame();
    let selection = Selection { frame: &frame, history: &[], changed_since: Some(before) };
    assert_eq!(screen(selection, &request(Format::Text, Wrap::None)).as_str(), "1| TWO");
    let cells = screen(selection, &request(Format::Cells, Wrap::None));
    let parsed: serde_json::Value = serde_json::from_str(cells.as_str()).unwrap();
    assert_eq!(parsed, serde_json::json!([{"row": 1, "cells": [{"x": 0, "text": "TWO"}]}]));
}

#[test]
fn history_comes_first() {
    let mut terminal = term::Terminal::new(term::Options {
        size: term::Size { cols: 20, rows: 2 },
        scrollback_lines: 10,
    });
    terminal.advance(b"one\r\ntwo\r\nthree");
    let history: Vec<term::Row> = terminal.history(0, 10).into_iter().map(|(_, row)| row).collect();
    let frame = terminal.frame();
    let selection = Selection { frame: &frame, history: &history, changed_since: None };
    let safe = screen(selection, &request(Format::Text, Wrap::None));
    assert_eq!(safe.as_str(), "one\ntwo\nthree");
}

#[test]
fn a_secret_that_begins_above_the_cut_is_still_one() {
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let frame = frame(20, 4, &format!("{token}\r\nlast"));
    let selection = Selection { frame: &frame, history: &[], changed_since: None };
    let request = Request { bytes_max: 26, ..request(Format::Text, Wrap::None) };
    let safe = screen(selection, &request);
    assert!(!safe.as_str().contains("ghij"), "{}", safe.as_str());
    assert!(safe.as_str().ends_with("last"));
}

#[test]
fn cells_are_json_and_html_is_escaped() {
    let frame = frame(30, 2, "\x1b[1;31m<b>\x1b[0m \"q\" \\ 日本");
    let cells = shown(&frame, Format::Cells);
    let parsed: serde_json::Value = serde_json::from_str(cells.as_str()).unwrap();
    assert_eq!(parsed[0][0], serde_json::json!({"x": 0, "text": "<b>", "fg": 1, "bold": true}));
    assert_eq!(parsed[0][1], serde_json::json!({"x": 3, "text": " \"q\" \\ 日本"}));
    assert!(shown(&frame, Format::Html).as_str().contains("&lt;b&gt;"));
}

#[test]
fn plain_text_keeps_its_last_lines() {
    let request = Request { bytes_max: 9, ..request(Format::Text, Wrap::None) };
    let safe = plain("first\nsecond\nlast", &request);
    assert_eq!(safe.as_str(), "last");
    assert_eq!((safe.dropped_rows, safe.dropped_bytes), (2, 13));
    assert_eq!(plain("ääääää", &request).as_str(), "ääää");
    assert_eq!(line("a\npassword: b\tc", 100).as_str(), "a password: [REDACTED] c");
}

proptest! {
    #[test]
    fn never_longer_than_allowed_and_never_broken(
        bytes in prop::collection::vec(any::<u8>(), 0..2_000),
        bytes_max in 400_usize..3_000,
    ) {
        let mut terminal = term::Terminal::new(term::Options {
            size: term::Size { cols: 40, rows: 12 },
            scrollback_lines: 0,
        });
        terminal.advance(&bytes);
        let frame = terminal.frame();
        let selection = Selection { frame: &frame, history: &[], changed_since: None };
        for format in [Format::Text, Format::Ansi, Format::Html, Format::Cells] {
            let request = Request { bytes_max, ..request(format, Wrap::Untrusted) };
            let safe = screen(selection, &request);
            prop_assert!(safe.as_str().len() <= bytes_max, "{format:?}: {}", safe.as_str().len());
        }
        let cells = shown(&frame, Format::Cells);
        prop_assert!(serde_json::from_str::<serde_json::Value>(cells.as_str()).is_ok());
    }
}

#[test]
fn a_reversed_screen_is_shown_reversed_and_read_as_it_is() {
    let frame = frame(4, 1, "a\x1b[7mb\x1b[m\x1b[?5h");
    assert_eq!(shown(&frame, Format::Text).as_str(), "ab");
    let ansi = shown(&frame, Format::Ansi);
    assert_eq!(ansi.as_str(), "\x1b[0;7ma\x1b[0mb\x1b[0;7m  \x1b[0m");
}
