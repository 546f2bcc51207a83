use super::{Case, check, letters};
use crate::common::{after, cursor, rows};
use term::Color;

#[test]
fn cursor_save_and_restore() {
    const CASES: &[Case] = &[
        ("DECSC DECRC", "\x1b[3;4H\x1b7\x1b[H\x1b8x", &["", "", "   x"], (4, 2)),
        ("DECRC without DECSC homes", "\x1b[3;4H\x1b8x", &["x"], (1, 0)),
        ("SCOSC SCORC", "\x1b[3;4H\x1b[s\x1b[H\x1b[ux", &["", "", "   x"], (4, 2)),
        ("mode 1048", "\x1b[3;4H\x1b[?1048h\x1b[H\x1b[?1048lx", &["", "", "   x"], (4, 2)),
        ("restored twice", "\x1b[3;4H\x1b7\x1b[H\x1b8\x1b[H\x1b8x", &["", "", "   x"], (4, 2)),
        ("the wait to wrap is saved", "aaaaaaaaaa\x1b7\x1b[H\x1b8b", &["aaaaaaaaaa", "b"], (1, 1)),
        ("origin mode is saved", "\x1b[2;4r\x1b[?6h\x1b7\x1b[?6l\x1b8\x1b[Hx", &["", "x"], (1, 1)),
        ("character sets are saved", "\x1b(0\x1b7\x1b(B\x1b8q", &["─"], (1, 0)),
    ];
    check(CASES);
}

#[test]
fn the_look_is_saved() {
    let mut terminal = after(10, 2, "\x1b[1;31m\x1b7\x1b[m\x1b8x");
    let style = terminal.frame().rows[0].cells[0].style.clone();
    assert!(style.bold);
    assert_eq!(style.foreground, Color::Indexed(1));
}

#[test]
fn alternate_screens() {
    const CASES: &[Case] = &[
        ("1049 shows an empty screen, cursor kept", "one\x1b[?1049h", &[], (3, 0)),
        (
            "1049 brings text and cursor back",
            "one\x1b[?1049h\x1b[4;4Hx\x1b[?1049l",
            &["one"],
            (3, 0),
        ),
        ("1049 is empty each time", "\x1b[?1049hx\x1b[?1049l\x1b[?1049h", &[], (0, 0)),
        (
            "1049 twice saves once",
            "one\x1b[?1049h\x1b[4;4H\x1b[?1049hx\x1b[?1049l",
            &["one"],
            (3, 0),
        ),
        ("1049 off on the main screen", "one\x1b[?1049lx", &["onex"], (4, 0)),
        ("47 keeps the cursor", "one\x1b[?47h\x1b[3;3Hx\x1b[?47l", &["one"], (3, 2)),
        ("47 keeps the other text", "\x1b[?47hx\x1b[?47l\x1b[?47h", &["x"], (1, 0)),
        ("1047 clears when left", "\x1b[?1047hx\x1b[?1047l\x1b[?1047h", &[], (1, 0)),
        ("RIS leaves it", "one\x1b[?1049hx\x1bc", &[], (0, 0)),
    ];
    check(CASES);
}

#[test]
fn each_screen_saves_its_own_cursor() {
    let mut terminal = after(10, 5, "\x1b[2;2H\x1b7\x1b[?47h\x1b[4;4H\x1b7\x1b[?47l\x1b8");
    assert_eq!(cursor(&mut terminal), (1, 1));
    terminal.advance(b"\x1b[?47h\x1b8");
    assert_eq!(cursor(&mut terminal), (3, 3));
}

#[test]
fn resets() {
    const CASES: &[Case] = &[
        ("DECSTR keeps text and cursor", "abc\x1b[!p", &["abc"], (3, 0)),
        ("DECSTR ends insert mode", "abc\x1b[4h\x1b[!p\rx", &["xbc"], (1, 0)),
        ("DECSTR ends origin mode", "\x1b[2;3r\x1b[?6h\x1b[!p\x1b[Hx", &["x"], (1, 0)),
        (
            "DECSTR lifts the region",
            letters!("\x1b[2;3r\x1b[!p\x1b[5;1H\nx"),
            &["bbbbbbbbbb", "cccccccccc", "dddddddddd", "eeeeeeeeee", "x"],
            (1, 4),
        ),
        ("DECSTR resets character sets", "\x1b(0\x1b[!pq", &["q"], (1, 0)),
        ("DECSTR forgets the saved cursor", "\x1b[3;3H\x1b7\x1b[!p\x1b8x", &["x"], (1, 0)),
        ("DECSTR turns autowrap on", "\x1b[?7l\x1b[!paaaaaaaaaab", &["aaaaaaaaaa", "b"], (1, 1)),
        ("RIS clears", letters!("\x1b[3;3H\x1bc"), &[], (0, 0)),
        ("RIS resets tabs", "\x1b[3g\x1bc\tx", &["        x"], (9, 0)),
        ("RIS resets modes", "\x1b[4h\x1b[?6h\x1b[?7l\x1bcabc\rx", &["xbc"], (1, 0)),
        (
            "DECALN",
            "\x1b[2;2r\x1b[3;3H\x1b#8",
            &["EEEEEEEEEE", "EEEEEEEEEE", "EEEEEEEEEE", "EEEEEEEEEE", "EEEEEEEEEE"],
            (0, 0),
        ),
    ];
    check(CASES);
}

#[test]
fn a_reset_keeps_the_history() {
    let mut terminal = after(10, 2, "one\r\ntwo\r\nthree\x1bc");
    assert!(rows(&mut terminal).is_empty());
    assert_eq!(terminal.history(0, 9).len(), 1);
}
