use super::{Case, check};
use crate::common::{after, terminal};
use term::{CursorShape, Modes, MouseMode, TermEvent};

#[test]
fn lines_and_columns() {
    const CASES: &[Case] = &[
        ("LNM makes LF a new line", "\x1b[20hab\nx", &["ab", "x"], (1, 1)),
        ("LNM off", "\x1b[20h\x1b[20lab\nx", &["ab", "  x"], (3, 1)),
        ("DECCOLM needs permission", "abc\x1b[?3h", &["abc"], (3, 0)),
        ("DECCOLM clears and homes", "abc\x1b[?40h\x1b[?3h", &[], (0, 0)),
        ("DECCOLM with DECNCSM keeps the text", "abc\x1b[?40h\x1b[?95h\x1b[?3h", &["abc"], (0, 0)),
        ("several modes in one", "\x1b[?7;6l\x1b[4;20hab\nx", &["ab", "x"], (1, 1)),
        (
            "XTSAVE XTRESTORE",
            "\x1b[?7l\x1b[?7s\x1b[?7h\x1b[?7raaaaaaaaaab",
            &["aaaaaaaaab"],
            (9, 0),
        ),
    ];
    check(CASES);
}

fn modes_after(bytes: &str) -> Modes {
    let mut terminal = after(10, 5, bytes);
    let modes = terminal.modes();
    assert_eq!(terminal.frame().modes, modes, "{bytes:?}");
    modes
}

#[test]
fn what_keys_and_pastes_depend_on() {
    let initial = Modes { autowrap: true, ..Modes::default() };
    assert_eq!(modes_after(""), initial);
    let cases: &[(&str, Modes)] = &[
        ("\x1b[?1h", Modes { application_cursor: true, ..initial }),
        ("\x1b=", Modes { application_keypad: true, ..initial }),
        ("\x1b[?66h", Modes { application_keypad: true, ..initial }),
        ("\x1b=\x1b>", initial),
        ("\x1b[20h", Modes { newline: true, ..initial }),
        ("\x1b[4h", Modes { insert: true, ..initial }),
        ("\x1b[?6h", Modes { origin: true, ..initial }),
        ("\x1b[?7l", Modes { autowrap: false, ..initial }),
        ("\x1b[?67h", Modes { backspace_is_bs: true, ..initial }),
        ("\x1b[?5h", Modes { reverse_screen: true, ..initial }),
        ("\x1b[?5h\x1b[?5l", initial),
        ("\x1b[?1004h", Modes { focus_reporting: true, ..initial }),
        ("\x1b[?2004h", Modes { bracketed_paste: true, ..initial }),
        ("\x1b[?1049h", Modes { alternate_screen: true, ..initial }),
        ("\x1b[?9h", Modes { mouse: MouseMode::X10, ..initial }),
        ("\x1b[?1000h", Modes { mouse: MouseMode::Normal, ..initial }),
        ("\x1b[?1002h", Modes { mouse: MouseMode::Button, ..initial }),
        ("\x1b[?1003h", Modes { mouse: MouseMode::Any, ..initial }),
        ("\x1b[?1003h\x1b[?1000h", Modes { mouse: MouseMode::Normal, ..initial }),
        ("\x1b[?1002h\x1b[?1002l", initial),
        ("\x1b[?1000;1006h", Modes { mouse: MouseMode::Normal, mouse_sgr: true, ..initial }),
        ("\x1b[>4;2m", Modes { modify_other_keys: 2, ..initial }),
        ("\x1b[>4;1m", Modes { modify_other_keys: 1, ..initial }),
        ("\x1b[>4;2m\x1b[>4m", initial),
        ("\x1b[>4;2m\x1b[>4n", initial),
        ("\x1b[?1h\x1b=\x1b[>4;1m\x1b[?2004h\x1bc", initial),
    ];
    for (bytes, expected) in cases {
        assert_eq!(modes_after(bytes), *expected, "{bytes:?}");
    }
}

#[test]
fn kitty_keyboard_stacks() {
    let cases: &[(&str, u8)] = &[
        ("\x1b[>1u", 1),
        ("\x1b[>31u", 31),
        ("\x1b[>1u\x1b[>5u", 5),
        ("\x1b[>1u\x1b[>5u\x1b[<u", 1),
        ("\x1b[>1u\x1b[>5u\x1b[<2u", 0),
        ("\x1b[>1u\x1b[<99u", 0),
        ("\x1b[=5u", 5),
        ("\x1b[=1u\x1b[=4;2u", 5),
        ("\x1b[=5u\x1b[=1;3u", 4),
        ("\x1b[>1u\x1b[=8u\x1b[<u", 0),
        // Only known bits.
        ("\x1b[>255u", 31),
        // Each screen has its own.
        ("\x1b[>1u\x1b[?1049h", 0),
        ("\x1b[>1u\x1b[?1049h\x1b[>5u\x1b[?1049l", 1),
        ("\x1b[?1049h\x1b[>5u\x1b[?1049l\x1b[?1049h", 5),
        ("\x1b[>1u\x1bc", 0),
    ];
    for (bytes, flags) in cases {
        assert_eq!(modes_after(bytes).kitty_flags, *flags, "{bytes:?}");
    }
    let mut terminal = terminal(10, 5);
    for flags in 0..1_000 {
        terminal.advance(format!("\x1b[>{}u", flags % 32).as_bytes());
    }
    terminal.advance(b"\x1b[<15u");
    assert_ne!(terminal.modes().kitty_flags, 0, "sixteen are kept");
    terminal.advance(b"\x1b[<1u");
    assert_eq!(terminal.modes().kitty_flags, 0, "and no more");
}

#[test]
fn cursor_looks() {
    for (bytes, visible, shape) in [
        ("", true, CursorShape::Block),
        ("\x1b[?25l", false, CursorShape::Block),
        ("\x1b[?25l\x1b[?25h", true, CursorShape::Block),
        ("\x1b[4 q", true, CursorShape::Underline),
        ("\x1b[6 q", true, CursorShape::Bar),
        ("\x1b[5 q\x1b[ q", true, CursorShape::Block),
        ("\x1b[?25l\x1b[!p", true, CursorShape::Block),
    ] {
        let cursor = after(10, 5, bytes).frame().cursor;
        assert_eq!((cursor.visible, cursor.shape), (visible, shape), "{bytes:?}");
    }
}

#[test]
fn bracketed_paste_is_told_at_its_edges() {
    let mut terminal = after(10, 5, "\x1b[?2004h\x1b[?2004h\x1b[?2004l\x1b[?2004l\x1b[?2004h\x1bc");
    let edges = [true, false, true, false].map(TermEvent::BracketedPaste);
    assert_eq!(terminal.take_events(), edges);
}
