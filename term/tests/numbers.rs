//! The numbers that say whether something changed: `Frame::number`, `Row::changed_in` and
//! `content_number`.

mod common;

use common::{after, rows, size, terminal};
use term::Terminal;

/// Frame and content number after the bytes.
fn feed(terminal: &mut Terminal, bytes: &str) -> (u64, u64) {
    terminal.advance(bytes.as_bytes());
    (terminal.frame_number(), terminal.content_number())
}

fn changed(terminal: &mut Terminal) -> Vec<u64> {
    let frame = terminal.frame();
    frame.rows.iter().map(|row| row.changed_in).collect()
}

#[test]
fn the_first_picture_is_number_one_and_looking_changes_nothing() {
    let mut terminal = terminal(10, 3);
    assert_eq!(terminal.frame_number(), 1);
    assert_eq!(terminal.frame().number, 1);
    assert_eq!(terminal.frame_number(), 1);
}

#[test]
fn text_cursor_title_size_and_modes_raise_the_frame_number() {
    let mut terminal = terminal(10, 3);
    let mut last = terminal.frame_number();
    for bytes in ["a", "\x1b[3;3H", "\x1b[?25l", "\x1b]2;title\x07", "\x1b[?2004h", "\x1b[4 q"] {
        let (number, _) = feed(&mut terminal, bytes);
        assert_eq!(number, last + 1, "{bytes:?}");
        last = number;
    }
    terminal.resize(size(12, 3));
    assert!(terminal.frame_number() > last);
}

#[test]
fn an_identical_repaint_changes_no_number() {
    let mut terminal = after(20, 4, "one\r\n\x1b[31mtwo\x1b[m\r\nthree");
    let before = (terminal.frame_number(), terminal.content_number());
    let stamps = changed(&mut terminal);
    for repaint in [
        "\x1b[H\x1b[2Jone\r\n\x1b[31mtwo\x1b[m\r\nthree",
        "\x1b[1;1Hone\x1b[K\x1b[2;1H\x1b[31mtwo\x1b[m\x1b[K\x1b[3;6H",
        "\x1b7\x1b[5;5H\x1b8",
        "\x1b[?25l\x1b[?25h",
        "",
    ] {
        assert_eq!(feed(&mut terminal, repaint), before, "{repaint:?}");
        assert_eq!(changed(&mut terminal), stamps, "{repaint:?}");
    }
}

#[test]
fn a_repaint_through_scrolling_on_the_alternate_screen_changes_no_number() {
    let picture = "\x1b[Hone\r\ntwo\r\nthree";
    let mut terminal = after(20, 3, format!("\x1b[?1049h{picture}"));
    let before = (terminal.frame_number(), terminal.content_number());
    terminal.advance(b"\x1b[3S");
    terminal.advance(picture.as_bytes());
    let after = (terminal.frame_number(), terminal.content_number());
    // Rows left the top, but nothing else is on the screen than before.
    assert_eq!(before, after);
}

#[test]
fn only_rows_that_changed_are_stamped() {
    let mut terminal = after(20, 4, "one\r\ntwo\r\nthree");
    let first = terminal.frame_number();
    assert_eq!(changed(&mut terminal)[..3], [first; 3]);
    let (second, _) = feed(&mut terminal, "\x1b[2;1HTWO");
    assert_eq!(changed(&mut terminal)[..3], [first, second, first]);
}

#[test]
fn stamps_move_with_scrolling_into_the_history() {
    let mut terminal = after(20, 3, "one\r\ntwo\r\nthree");
    let first = terminal.frame_number();
    let (second, _) = feed(&mut terminal, "\r\nfour\r\nfive");
    assert_eq!(rows(&mut terminal), ["three", "four", "five"]);
    assert_eq!(changed(&mut terminal), [first, second, second]);
    let history = terminal.history(0, 10);
    let stamps: Vec<u64> = history.iter().map(|(_, row)| row.changed_in).collect();
    assert_eq!(stamps, [first, first], "old text that scrolled away stays old");
}

#[test]
fn text_that_scrolled_by_between_two_looks_counts_as_new() {
    let mut terminal = after(20, 2, "one");
    let first = terminal.frame_number();
    let (second, _) = feed(&mut terminal, "\r\ntwo\r\nthree\r\nfour\r\nfive");
    assert_eq!(second, first + 1);
    let stamps: Vec<_> = terminal
        .history(0, 10)
        .into_iter()
        .map(|(number, row)| (number, row.text(), row.changed_in))
        .collect();
    let expected = [(0, "one", first), (1, "two", second), (2, "three", second)];
    assert_eq!(stamps.len(), 3);
    for (got, (number, text, stamp)) in stamps.iter().zip(expected) {
        assert_eq!((got.0, got.1.as_str(), got.2), (number, text, stamp));
    }
}

#[test]
fn the_same_words_written_again_below_are_new() {
    // A screen full of the same two lines looks the same after two more of them.
    let mut terminal = after(20, 4, "$ echo hi\r\nhi\r\n$ echo hi\r\nhi");
    let first = terminal.frame_number();
    let (second, content) = feed(&mut terminal, "\r\n$ echo hi\r\nhi");
    assert_eq!(second, first + 1);
    assert_eq!(changed(&mut terminal), [first, first, second, second]);
    // Yet no cell shows anything else, so for settling nothing changed.
    assert_eq!(content, 1);
}

#[test]
fn returning_from_the_alternate_screen_shows_old_text_as_old() {
    let mut terminal = after(20, 3, "old");
    let first = terminal.frame_number();
    let (second, _) = feed(&mut terminal, "\x1b[?1049hnew");
    assert_eq!(changed(&mut terminal)[0], second);
    let (third, _) = feed(&mut terminal, "\x1b[?1049l");
    assert!(third > second);
    assert_eq!(changed(&mut terminal)[0], first);
}

#[test]
fn a_resize_keeps_old_text_old() {
    let mut terminal = after(20, 3, "one two three\r\nx");
    let first = terminal.frame_number();
    terminal.resize(size(8, 4));
    assert!(terminal.frame_number() > first);
    assert_eq!(rows(&mut terminal), ["one two", "three", "x"]);
    assert!(changed(&mut terminal)[..3].iter().all(|stamp| *stamp == first));
}

#[test]
fn cursor_movement_title_and_modes_are_not_content() {
    let mut terminal = after(20, 3, "text");
    let content = terminal.content_number();
    for bytes in ["\x1b[H", "\x1b[3;9H", "\x1b[?25l", "\x1b]2;t\x07", "\x1b[?1h", "\x1b[?2004h"] {
        assert_eq!(feed(&mut terminal, bytes).1, content, "{bytes:?}");
    }
    assert_eq!(feed(&mut terminal, "x").1, content + 1);
}

#[test]
fn a_cursor_drawn_under_the_real_one_may_blink() {
    let mut terminal = after(20, 3, "> text\x1b[1;7H");
    let content = terminal.content_number();
    for _ in 0..4 {
        // A block over a blank, and the blank again.
        assert_eq!(feed(&mut terminal, "\x1b[7m \x1b[m\x08").1, content);
        assert_eq!(feed(&mut terminal, " \x08").1, content);
    }
}

#[test]
fn a_cursor_drawn_elsewhere_may_blink() {
    for (on, off) in [("\x1b[7mt\x1b[m", "t"), ("\x1b[4mt\x1b[m", "t")] {
        let mut terminal = after(20, 3, "> text\x1b[?25l\x1b[3;1H");
        let content = terminal.content_number();
        for look in [on, off, on, off] {
            let bytes = format!("\x1b[1;6H{look}\x1b[3;1H");
            assert_eq!(feed(&mut terminal, &bytes).1, content, "{bytes:?}");
        }
    }
    let mut terminal = after(20, 3, "> text \x1b[?25l\x1b[3;1H");
    let content = terminal.content_number();
    for look in ["█", " ", "█", " "] {
        let bytes = format!("\x1b[1;7H{look}\x1b[3;1H");
        assert_eq!(feed(&mut terminal, &bytes).1, content, "{look}");
    }
}

#[test]
fn a_spinner_is_content_wherever_the_cursor_stands() {
    // Beside the cursor.
    let mut terminal = after(20, 3, "|");
    let mut last = terminal.content_number();
    for look in ["/", "-", "\\", "|", "/"] {
        let (_, content) = feed(&mut terminal, &format!("\r{look}"));
        assert_eq!(content, last + 1, "{look}");
        last = content;
    }
    // Under the cursor the first change could be a blink, the later ones could not.
    let mut terminal = after(20, 3, "\x08|\x08");
    let start = terminal.content_number();
    for look in ["/", "-", "\\", "|", "/", "-", "\\"] {
        feed(&mut terminal, &format!("{look}\x08"));
    }
    assert!(terminal.content_number() >= start + 3);
    // A dot that comes and goes is a program at work, not a cursor.
    let mut terminal = after(20, 3, "\x1b[?25l⏺ working\x1b[3;1H");
    let start = terminal.content_number();
    for look in [" ", "⏺", " "] {
        feed(&mut terminal, &format!("\x1b[1;1H{look}\x1b[3;1H"));
    }
    assert_eq!(terminal.content_number(), start + 3);
}

#[test]
fn pictures_stand_still_inside_a_synchronized_update() {
    let mut terminal = after(20, 3, "before");
    let number = terminal.frame_number();
    terminal.advance(b"\x1b[?2026h\x1b[Hchanged");
    assert!(terminal.synchronized_update_open());
    assert_eq!(terminal.frame_number(), number);
    assert_eq!(terminal.content_number(), 1);
    terminal.advance(b"\x1b]2;title\x07");
    assert_eq!(&*terminal.frame().title, "", "the title too");
    assert_eq!(rows(&mut terminal), ["before"]);
    assert!(terminal.frame().modes.synchronized_update);
    terminal.advance(b"\x1b[?2026l");
    assert_eq!(terminal.frame_number(), number + 1);
    assert_eq!(rows(&mut terminal), ["changed"]);
    assert!(!terminal.frame().modes.synchronized_update);
}

#[test]
fn what_came_before_the_update_in_the_same_bytes_is_shown() {
    let mut terminal = after(20, 3, "old");
    terminal.frame();
    terminal.advance(b"\x1b[Hnew\x1b[?2026h\x1b[Hhidden");
    assert_eq!(rows(&mut terminal), ["new"]);
}

#[test]
fn an_update_opened_again_in_the_same_bytes_is_counted() {
    let mut terminal = after(20, 3, "\x1b[?2026h");
    assert_eq!(terminal.synchronized_updates(), 1);
    terminal.advance(b"\x1b[?2026h");
    assert_eq!(terminal.synchronized_updates(), 1, "it was open");
    terminal.advance(b"a\x1b[?2026l\x1b[?2026hb");
    assert_eq!(terminal.synchronized_updates(), 2);
    assert_eq!(rows(&mut terminal), ["a"]);
}

#[test]
fn an_update_left_open_is_released_by_the_caller() {
    let mut terminal = after(20, 3, "old\x1b[?2026h\x1b[Hnew");
    assert_eq!(rows(&mut terminal), ["old"]);
    terminal.release_synchronized_update();
    assert!(!terminal.synchronized_update_open());
    assert_eq!(rows(&mut terminal), ["new"]);
}

#[test]
fn an_update_that_repaints_the_same_is_no_change() {
    let mut terminal = after(20, 3, "same");
    let before = (terminal.frame_number(), terminal.content_number());
    let update = "\x1b[?2026h\x1b[H\x1b[2Jsame\x1b[?2026l";
    assert_eq!(feed(&mut terminal, update), before);
}
