use super::{Case, check, letters};
use crate::common::{after, rows};
use term::{Color, Glyph};

#[test]
fn display() {
    const CASES: &[Case] = &[
        ("ED below", letters!("\x1b[3;5H\x1b[J"), &["aaaaaaaaaa", "bbbbbbbbbb", "cccc"], (4, 2)),
        ("ED 0", letters!("\x1b[3;5H\x1b[0J"), &["aaaaaaaaaa", "bbbbbbbbbb", "cccc"], (4, 2)),
        (
            "ED above",
            letters!("\x1b[3;5H\x1b[1J"),
            &["", "", "     ccccc", "dddddddddd", "eeeeeeeeee"],
            (4, 2),
        ),
        ("ED all", letters!("\x1b[3;5H\x1b[2J"), &[], (4, 2)),
        (
            "ED 3 leaves the screen",
            letters!("\x1b[3J"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd", "eeeeeeeeee"],
            (0, 0),
        ),
        (
            "ED unknown",
            letters!("\x1b[7J"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd", "eeeeeeeeee"],
            (0, 0),
        ),
        ("ED ignores the region", letters!("\x1b[2;3r\x1b[2J"), &[], (0, 0)),
    ];
    check(CASES);
}

#[test]
fn line() {
    const CASES: &[Case] = &[
        ("EL right", "abcdefghij\x1b[1;4H\x1b[K", &["abc"], (3, 0)),
        ("EL left", "abcdefghij\x1b[1;4H\x1b[1K", &["    efghij"], (3, 0)),
        ("EL all", "abcdefghij\x1b[1;4H\x1b[2K", &[], (3, 0)),
        ("ECH", "abcdefghij\x1b[1;4H\x1b[3X", &["abc   ghij"], (3, 0)),
        ("ECH default", "abcdefghij\x1b[1;4H\x1b[X", &["abc efghij"], (3, 0)),
        ("ECH clamps", "abcdefghij\x1b[1;4H\x1b[99X", &["abc"], (3, 0)),
        (
            "ECH ignores side margins",
            "abcdefghij\x1b[?69h\x1b[2;5s\x1b[1;4H\x1b[5X",
            &["abc     ij"],
            (3, 0),
        ),
    ];
    check(CASES);
}

#[test]
fn selective() {
    const CASES: &[Case] = &[
        ("DECSEL spares protected", "a\x1b[1\"qb\x1b[0\"qc\x1b[?2K", &[" b"], (3, 0)),
        ("DECSED spares protected", "a\x1b[1\"qb\x1b[2\"qc\x1b[?2J", &[" b"], (3, 0)),
        ("EL spares what SPA guards", "a\x1bVb\x1bWc\x1b[2K", &[" b"], (3, 0)),
        ("ECH spares what SPA guards", "a\x1bVb\x1bWc\r\x1b[3X", &[" b"], (0, 0)),
        ("DECSTR ends guarding", "a\x1bVb\x1bWc\x1b[!p\x1b[2K", &[], (3, 0)),
        ("EL does not", "a\x1b[1\"qb\x1b[0\"qc\x1b[2K", &[], (3, 0)),
        ("SGR 0 does not end protection", "\x1b[1\"q\x1b[mab\x1b[0\"qc\x1b[?2K", &["ab"], (3, 0)),
    ];
    check(CASES);
}

#[test]
fn rectangles() {
    const CASES: &[Case] = &[
        (
            "DECERA",
            letters!("\x1b[2;3;4;5$z"),
            &["aaaaaaaaaa", "bb   bbbbb", "cc   ccccc", "dd   ddddd", "eeeeeeeeee"],
            (0, 0),
        ),
        (
            "DECFRA",
            letters!("\x1b[88;2;3;3;5$x"),
            &["aaaaaaaaaa", "bbXXXbbbbb", "ccXXXccccc", "dddddddddd", "eeeeeeeeee"],
            (0, 0),
        ),
        (
            "DECCRA",
            letters!("\x1b[1;1;2;2;1;4;5;1$v"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "ddddaadddd", "eeeebbeeee"],
            (0, 0),
        ),
        ("DECCRA overlapping", "abcdef\x1b[1;1;1;4;1;1;3;1$v", &["ababcd"], (6, 0)),
    ];
    check(CASES);
}

#[test]
fn erasing_leaves_the_background_and_nothing_else() {
    let mut terminal = after(10, 2, "abc\x1b[1;4;31;44m\x1b[2K");
    let frame = terminal.frame();
    for cell in &frame.rows[0].cells {
        assert_eq!(cell.glyph, Glyph::Char(' '));
        assert_eq!(cell.style.background, Color::Indexed(4));
        assert_eq!(cell.style.foreground, Color::Default);
        assert!(!cell.style.bold);
    }
    assert!(frame.rows[1].cells.iter().all(|cell| cell.style.is_plain()));
}

#[test]
fn a_wide_glyph_cut_by_an_erase_goes_whole() {
    for (bytes, expected) in [
        ("a日b\x1b[1;2H\x1b[X", "a  b"),
        ("a日b\x1b[1;3H\x1b[X", "a  b"),
        ("a日b\x1b[1;3H\x1b[1K", "   b"),
        ("a日b\x1b[1;3H\x1b[K", "a"),
        ("a日b\x1b[1;2HX", "aX b"),
        ("a日b\x1b[1;3HX", "a Xb"),
    ] {
        let mut terminal = after(10, 2, bytes);
        assert_eq!(rows(&mut terminal), [expected], "{bytes:?}");
        crate::common::check_frame(&terminal.frame());
    }
}

#[test]
fn history_stays_readable_after_it_was_cleared() {
    let terminal = after(10, 2, "one\r\ntwo\r\nthree\x1b[3J\x1b[2J");
    let texts: Vec<String> = terminal.history(0, 9).iter().map(|(_, row)| row.text()).collect();
    assert_eq!(texts, ["one"]);
}
