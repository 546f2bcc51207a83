//! Rows to text, ANSI and HTML; ANSI fed to a fresh emulator gives the same screen.

mod common;

use common::{after, assert_same_screen, rows, size, stream, terminal};
use proptest::prelude::*;
use term::{Frame, Terminal, render};

/// Cells and text of a screen; wraps and dates are not part of its look.
fn assert_same_cells(a: &Frame, b: &Frame, what: &str) {
    for (y, (one, other)) in a.rows.iter().zip(&b.rows).enumerate() {
        for (x, (one, other)) in one.cells.iter().zip(&other.cells).enumerate() {
            assert_eq!(one, other, "row {y}, column {x} of {what}");
        }
    }
}

/// The screen painted anew from its ANSI rendering.
fn repainted(frame: &Frame) -> Terminal {
    let mut terminal = terminal(frame.size.cols, frame.size.rows);
    terminal.advance(render::ansi_screen(&frame.rows).as_bytes());
    terminal
}

fn round_trip(bytes: &[u8], cols: u16, rows: u16) {
    let mut terminal = after(cols, rows, bytes);
    terminal.release_synchronized_update();
    let frame = terminal.frame();
    assert_same_cells(&frame, &repainted(&frame).frame(), &String::from_utf8_lossy(bytes));

    let mut fresh = common::terminal(cols, rows);
    fresh.advance(&terminal.snapshot_ansi(0));
    let copy = fresh.frame();
    assert_same_cells(&frame, &copy, &format!("snapshot of {bytes:?}"));
    assert_eq!(frame.cursor, copy.cursor, "snapshot of {bytes:?}");
    assert_eq!(frame.title, copy.title);
}

/// A terminal and its copy by snapshot get the same bytes and show the same.
fn follow_snapshot(seed: u64, before: usize, after: usize, cols: u16, rows: u16) {
    let mut bytes = stream(seed, before);
    // A snapshot is taken between sequences, not inside one.
    bytes.extend_from_slice(b"\x18");
    let mut terminal = common::after(cols, rows, &bytes);
    terminal.release_synchronized_update();
    let mut copy = common::terminal(cols, rows);
    copy.advance(&terminal.snapshot_ansi(0));
    // What REP would repeat is not part of a snapshot.
    let more = [b"x".to_vec(), stream(seed.wrapping_add(1), after)].concat();
    for terminal in [&mut terminal, &mut copy] {
        terminal.advance(&more);
        terminal.release_synchronized_update();
    }
    let what = format!("{} then {}", bytes.escape_ascii(), more.escape_ascii());
    let (frame, copy) = (terminal.frame(), copy.frame());
    assert_same_cells(&frame, &copy, &what);
    assert_eq!(frame.cursor, copy.cursor, "{what}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn ansi_gives_the_same_screen(
        seed in any::<u64>(),
        pieces in 1usize..60,
        cols in 2u16..40,
        rows in 1u16..12,
    ) {
        round_trip(&stream(seed, pieces), cols, rows);
    }

    #[test]
    fn what_follows_a_snapshot_means_the_same(
        seed in any::<u64>(),
        before in 1usize..40,
        after in 1usize..20,
        cols in 2u16..30,
        rows in 1u16..10,
    ) {
        follow_snapshot(seed, before, after, cols, rows);
    }

    #[test]
    fn ansi_gives_the_same_screen_for_any_text(
        text in "[ -~日é🚀❤\u{fe0f}\u{301}🇩\u{200d}\n]{0,80}",
        cols in 2u16..20,
    ) {
        round_trip(text.replace('\n', "\r\n").as_bytes(), cols, 6);
    }
}

#[test]
fn each_row_stands_alone() {
    let frame = after(20, 3, "\x1b[31mred\r\nstill red\x1b[m\r\nplain").frame();
    let lines = render::ansi(&frame.rows);
    assert_eq!(lines, ["\x1b[0;31mred\x1b[0m", "\x1b[0;31mstill red\x1b[0m", "plain"]);
    for (y, line) in lines.iter().enumerate() {
        let alone = after(20, 1, line).frame();
        assert_eq!(alone.rows[0].cells, frame.rows[y].cells);
    }
}

#[test]
fn links_are_closed_in_every_row() {
    let frame = after(20, 2, "\x1b]8;;http://a/\x1b\\one\r\ntwo").frame();
    let line = "\x1b]8;;http://a/\x1b\\one\x1b]8;;\x1b\\";
    assert_eq!(render::ansi(&frame.rows)[0], line);
}

#[test]
fn text_has_no_blanks_at_the_end_and_wide_glyphs_once() {
    let frame = after(20, 3, "a日 b   \r\n\r\n  x").frame();
    let texts: Vec<String> = frame.rows.iter().map(render::text).collect();
    assert_eq!(texts, ["a日 b", "", "  x"]);
}

#[test]
fn html_is_escaped_and_has_a_span_per_run() {
    let bytes = "<b>&\"'\x1b[1;31mred\x1b[0;7minv\x1b[0m \x1b[4:3;48;2;1;2;3mx\x1b[m";
    let lines = render::html(&after(40, 1, bytes).frame().rows);
    assert_eq!(
        lines,
        [concat!(
            "&lt;b&gt;&amp;&quot;&#39;",
            "<span style=\"color:#cd0000;font-weight:bold;\">red</span>",
            "<span style=\"color:var(--background,#000);",
            "background-color:var(--foreground,#ddd);\">inv</span>",
            " ",
            "<span style=\"background-color:#010203;text-decoration:underline wavy;\">x</span>",
        )]
    );
    // No program can write markup: not by text, not by a link.
    let bytes = "\x1b]8;;javascript:alert(1)\x1b\\<script>\x1b]8;;\x1b\\";
    let lines = render::html(&after(40, 1, bytes).frame().rows);
    assert_eq!(lines, ["&lt;script&gt;"]);
}

#[test]
fn a_snapshot_brings_back_screen_cursor_title_and_modes() {
    let setup = concat!(
        "one\r\ntwo\r\nthree\r\nfour\x1b]2;a title\x07\x1b[?1h\x1b=\x1b[?2004h\x1b[?1002h",
        "\x1b[?1006h\x1b[?1004h\x1b[4 q\x1b[?25l\x1b[2;3H"
    );
    let mut terminal = after(20, 3, setup);
    let mut copy = common::terminal(20, 3);
    copy.advance(&terminal.snapshot_ansi(10));
    assert_same_screen(&terminal.frame(), &copy.frame(), "snapshot");
    let texts: Vec<String> = copy.history(0, 9).iter().map(|(_, row)| row.text()).collect();
    assert_eq!(texts, ["one"], "history comes along");
    let mut without = common::terminal(20, 3);
    without.advance(&terminal.snapshot_ansi(0));
    assert_eq!(without.history_total(), 0);
    assert_eq!(rows(&mut without), ["two", "three", "four"]);
}

#[test]
fn a_snapshot_of_the_alternate_screen_is_on_the_alternate_screen() {
    let mut terminal = after(20, 3, "main\x1b[?1049h\x1b[2;2Halt");
    let mut copy = common::terminal(20, 3);
    copy.advance(&terminal.snapshot_ansi(10));
    assert_same_screen(&terminal.frame(), &copy.frame(), "snapshot");
    terminal.resize(size(10, 2));
    assert!(copy.modes().alternate_screen);
}
