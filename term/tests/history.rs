//! Scrollback, reflow on resize, and how much memory that takes.

mod common;

use common::{after, check_frame, check_row, cursor, rows, size, terminal};
use term::{Options, TermEvent, Terminal};

fn history(terminal: &Terminal) -> Vec<(u64, String)> {
    terminal.history(0, usize::MAX).into_iter().map(|(number, row)| (number, row.text())).collect()
}

fn texts(terminal: &Terminal) -> Vec<String> {
    history(terminal).into_iter().map(|(_, text)| text).collect()
}

fn numbered(lines: usize) -> String {
    let lines: Vec<String> = (0..lines).map(|n| format!("line {n}")).collect();
    lines.join("\r\n")
}

#[test]
fn lines_that_leave_the_top_are_numbered_from_the_first() {
    let mut terminal = after(20, 3, numbered(6));
    assert_eq!(terminal.history_total(), 3);
    assert_eq!(terminal.frame().history_total, 3);
    let expected = [(0, "line 0"), (1, "line 1"), (2, "line 2")];
    let got = history(&terminal);
    assert_eq!(got.len(), 3);
    for (got, expected) in got.iter().zip(expected) {
        assert_eq!((got.0, got.1.as_str()), expected);
    }
    let part = terminal.history(1, 1);
    assert_eq!((part[0].0, part[0].1.text()), (1, "line 1".to_owned()));
    assert!(terminal.history(3, 10).is_empty());
    assert_eq!(terminal.history(0, 0).len(), 0);
}

#[test]
fn the_oldest_lines_go_and_numbers_go_on() {
    let terminal = after(20, 3, numbered(253));
    assert_eq!(terminal.history_total(), 250);
    let kept = history(&terminal);
    assert_eq!(kept.len(), 100);
    assert_eq!(kept[0], (150, "line 150".to_owned()));
    assert_eq!(kept[99], (249, "line 249".to_owned()));
}

#[test]
fn no_scrollback_still_counts() {
    let mut terminal = Terminal::new(Options { size: size(20, 3), scrollback_lines: 0 });
    terminal.advance(numbered(10).as_bytes());
    assert_eq!(terminal.history_total(), 7);
    assert!(terminal.history(0, 10).is_empty());
    terminal.resize(size(10, 2));
    check_frame(&terminal.frame());
}

#[test]
fn what_does_not_leave_the_top_is_not_history() {
    for bytes in [
        "\x1b[2;3r\x1b[3;1Ha\r\nb\r\nc\r\nd",
        "a\x1b[H\x1b[M",
        "\x1b[?69h\x1b[2;5s\x1b[3;1Ha\r\nb\r\nc",
        "\x1b[2J\x1b[H\x1b[3J",
    ] {
        assert_eq!(after(20, 3, bytes).history_total(), 0, "{bytes:?}");
    }
    // A status line at the bottom does not stop the text above it from being kept.
    let terminal = after(20, 3, "\x1b[1;2ra\r\nb\r\nc");
    assert_eq!(texts(&terminal), ["a"]);
}

#[test]
fn the_alternate_screen_has_a_transcript_of_its_own() {
    let mut terminal = after(20, 3, "main\x1b[?1049h\x1b[H");
    terminal.advance(numbered(5).as_bytes());
    assert_eq!(terminal.history_total(), 0);
    assert_eq!(terminal.alternate_history_total(), 2);
    let transcript = |terminal: &Terminal| -> Vec<String> {
        let rows = terminal.alternate_history(0, 9);
        rows.iter().map(|(_, row)| row.text()).collect()
    };
    assert_eq!(transcript(&terminal), ["line 0", "line 1"]);
    terminal.advance(b"\x1b[?1049l");
    assert_eq!(transcript(&terminal), ["line 0", "line 1"], "readable after it was left");
    terminal.advance(b"\x1b[?1049h");
    assert!(transcript(&terminal).is_empty(), "one life");
    assert_eq!(terminal.alternate_history_total(), 2, "numbers go on");
}

#[test]
fn five_thousand_full_lines_take_at_most_ten_mebibytes() {
    let mut terminal = Terminal::new(Options { size: size(120, 40), scrollback_lines: 5_000 });
    let before = terminal.memory_bytes();
    let mut line = String::new();
    for column in 0..60 {
        line.push_str(&format!("\x1b[{}m{}日", 31 + column % 7, column % 10));
    }
    let line: String = line.chars().filter(|c| *c != '日').collect::<String>() + &"x".repeat(60);
    for _ in 0..6_000 {
        terminal.advance(line.as_bytes());
    }
    assert_eq!(terminal.history(0, usize::MAX).len(), 5_000);
    assert!(terminal.memory_bytes() - before <= 10 << 20, "{}", terminal.memory_bytes());
}

#[test]
fn memory_stays_bounded_when_every_cell_looks_different() {
    let mut terminal = Terminal::new(Options { size: size(120, 40), scrollback_lines: 5_000 });
    let mut color = 0u32;
    for _ in 0..4_000 {
        let mut line = String::new();
        for _ in 0..120 {
            color += 1;
            let [_, r, g, b] = color.to_be_bytes();
            line.push_str(&format!("\x1b[38;2;{r};{g};{b}mx"));
        }
        terminal.advance(line.as_bytes());
    }
    assert!(terminal.memory_bytes() < 64 << 20, "{}", terminal.memory_bytes());
    // What is on the screen kept its colours, however many there were before.
    let frame = terminal.frame();
    let styles: std::collections::HashSet<_> =
        frame.rows.iter().flat_map(|row| row.cells.iter().map(|cell| &cell.style)).collect();
    assert!(styles.len() >= 39 * 120, "{} looks", styles.len());
}

#[test]
fn memory_stays_bounded_when_every_cluster_is_different() {
    let mut terminal = Terminal::new(Options { size: size(100, 20), scrollback_lines: 2_000 });
    let marks: Vec<char> = (0x300..0x36f).filter_map(char::from_u32).collect();
    for one in &marks {
        for two in &marks {
            let text: String = ('a'..='z').flat_map(|c| [c, *one, *two]).collect();
            terminal.advance(text.as_bytes());
        }
    }
    assert!(terminal.memory_bytes() < 32 << 20, "{}", terminal.memory_bytes());
    let shown = rows(&mut terminal).concat();
    assert!(shown.contains(&format!("z{}{}", marks[110], marks[110])), "new text is whole");
}

#[test]
fn long_strings_are_capped_and_end() {
    let mut terminal = terminal(20, 3);
    for start in ["\x1b]2;", "\x1bP", "\x1b_", "\x1bX", "\x1b]8;;", "\x1b]52;c;"] {
        terminal.advance(start.as_bytes());
        for _ in 0..300 {
            terminal.advance(&[b'a'; 10_000]);
        }
        terminal.advance(b"\x1b\\");
    }
    terminal.advance(b"after");
    assert_eq!(rows(&mut terminal), ["after"]);
    assert!(terminal.frame().title.len() <= 4_096);
    let told = terminal.take_events();
    let copied = told.iter().filter(|event| matches!(event, TermEvent::ClipboardWrite { .. }));
    assert_eq!(copied.count(), 1);
}

#[test]
fn text_is_broken_anew_when_the_width_changes() {
    let mut terminal = after(10, 4, "abcdefghijklmno\r\nxyz");
    assert_eq!(rows(&mut terminal), ["abcdefghij", "klmno", "xyz"]);
    terminal.resize(size(5, 4));
    assert_eq!(rows(&mut terminal), ["abcde", "fghij", "klmno", "xyz"]);
    assert_eq!(cursor(&mut terminal), (3, 3));
    terminal.resize(size(20, 4));
    assert_eq!(rows(&mut terminal), ["abcdefghijklmno", "xyz"]);
    assert_eq!(cursor(&mut terminal), (3, 1));
    terminal.resize(size(10, 4));
    assert_eq!(rows(&mut terminal), ["abcdefghij", "klmno", "xyz"]);
}

#[test]
fn reflow_reaches_into_the_history() {
    let mut terminal = after(10, 2, "abcdefghijklmnopqrst\r\nxyz\r\nend");
    assert_eq!(texts(&terminal), ["abcdefghij", "klmnopqrst"]);
    let total = terminal.history_total();
    terminal.resize(size(20, 2));
    assert_eq!(texts(&terminal), ["abcdefghijklmnopqrst"]);
    assert_eq!(rows(&mut terminal), ["xyz", "end"]);
    assert!(terminal.history_total() >= total, "the count never falls");
    terminal.resize(size(5, 2));
    assert_eq!(texts(&terminal), ["abcde", "fghij", "klmno", "pqrst"]);
    assert_eq!(rows(&mut terminal), ["xyz", "end"]);
}

#[test]
fn narrow_screens_push_what_no_longer_fits_into_the_history() {
    let mut terminal = after(10, 3, "abcdefghij\r\nklmnopqrst\r\nuvw");
    terminal.resize(size(5, 3));
    assert_eq!(texts(&terminal), ["abcde", "fghij"]);
    assert_eq!(rows(&mut terminal), ["klmno", "pqrst", "uvw"]);
    assert_eq!(cursor(&mut terminal), (3, 2));
}

#[test]
fn wide_glyphs_stay_whole_through_any_width() {
    let text = "日本語の文字列abc日本語";
    let mut terminal = after(20, 6, text);
    for cols in [7, 5, 3, 2, 9, 11, 4, 20] {
        terminal.resize(size(cols, 12));
        check_frame(&terminal.frame());
        let joined: String = texts(&terminal).concat() + &rows(&mut terminal).concat();
        assert_eq!(joined, text, "{cols}");
    }
}

#[test]
fn clusters_and_colours_survive() {
    let mut terminal = after(10, 4, "\x1b[31m👩‍💻e\u{301}🇩🇪\x1b[m plain text here");
    let before: String = rows(&mut terminal).concat();
    terminal.resize(size(4, 12));
    terminal.resize(size(10, 4));
    assert_eq!(rows(&mut terminal).concat(), before);
    let frame = terminal.frame();
    let red = term::Color::Indexed(1);
    assert!(frame.rows[0].cells[..5].iter().all(|cell| cell.style.foreground == red));
    assert_eq!(frame.rows[0].cells[0].glyph, term::Glyph::Cluster("👩‍💻".into()));
}

#[test]
fn fewer_rows_drop_blank_ones_first_then_push_up() {
    let mut terminal = after(10, 5, "one\r\ntwo");
    terminal.resize(size(10, 2));
    assert_eq!(rows(&mut terminal), ["one", "two"]);
    assert_eq!(terminal.history_total(), 0);
    let mut terminal = after(10, 5, numbered(5));
    terminal.resize(size(10, 3));
    assert_eq!(rows(&mut terminal), ["line 2", "line 3", "line 4"]);
    assert_eq!(texts(&terminal), ["line 0", "line 1"]);
    assert_eq!(cursor(&mut terminal), (6, 2));
    terminal.resize(size(10, 6));
    assert_eq!(rows(&mut terminal), ["line 2", "line 3", "line 4"]);
    assert_eq!(cursor(&mut terminal), (6, 2));
}

#[test]
fn the_alternate_screen_is_cut_and_the_main_one_behind_it_reflows() {
    let mut terminal = after(10, 3, "abcdefghijklm\x1b[?1049h\x1b[HALTERNATES");
    terminal.resize(size(5, 3));
    assert_eq!(rows(&mut terminal), ["ALTER"]);
    terminal.advance(b"\x1b[?1049l");
    assert_eq!(rows(&mut terminal), ["abcde", "fghij", "klm"]);
    assert_eq!(cursor(&mut terminal), (3, 2));
    terminal.advance(b"!");
    assert_eq!(rows(&mut terminal), ["abcde", "fghij", "klm!"]);
}

#[test]
fn a_resize_lifts_margins_and_keeps_tabs() {
    let mut terminal = after(20, 5, "\x1b[2;3r\x1b[1;4H\x1bH");
    terminal.resize(size(30, 6));
    terminal.advance(b"\x1b[6;1Hx\r\n\ty\x1b[6;17H\tz");
    assert_eq!(rows(&mut terminal), ["", "", "", "", "x", "   y                    z"]);
}

#[test]
fn extreme_sizes_are_clamped() {
    let mut terminal = after(10, 3, "text");
    terminal.resize(size(0, 0));
    assert_eq!(terminal.size(), size(1, 1));
    check_frame(&terminal.frame());
    terminal.resize(size(u16::MAX, 2));
    assert!(terminal.size().cols <= 1_000);
    check_frame(&terminal.frame());
    for (_, row) in terminal.history(0, 99) {
        check_row(&row);
    }
}
