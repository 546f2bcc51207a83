use super::{Case, check};
use crate::common::{after, rows};
use term::{Color, Style, Underline};

#[test]
fn character_sets() {
    const CASES: &[Case] = &[
        ("line drawing in G0", "\x1b(0lqk\x1b(Bq", &["┌─┐q"], (4, 0)),
        ("line drawing in G1 by SO", "\x1b)0\x0elqk\x0fq", &["┌─┐q"], (4, 0)),
        ("corners and tees", "\x1b(0jklmntuvwx", &["┘┐┌└┼├┤┴┬│"], (9, 0)),
        ("other signs", "\x1b(0`af~yz{|}", &["◆▒°·≤≥π≠£"], (9, 0)),
        ("capitals are not drawn", "\x1b(0ABC", &["ABC"], (3, 0)),
        ("British", "\x1b(A#\x1b(B#", &["£#"], (2, 0)),
        ("SS2 for one", "\x1b*0\x1bNqq", &["─q"], (2, 0)),
        ("SS3 for one", "\x1b+0\x1bOqq", &["─q"], (2, 0)),
        ("LS2", "\x1b*0\x1bnqq", &["──"], (2, 0)),
        ("LS3", "\x1b+0\x1boqq", &["──"], (2, 0)),
        ("UTF-8 is not translated", "\x1b(0é─", &["é─"], (2, 0)),
        ("REP repeats the drawn sign", "\x1b(0q\x1b[3b", &["────"], (4, 0)),
    ];
    check(CASES);
}

#[test]
fn widths() {
    for (text, columns) in [
        ("a", 1),
        ("é", 1),
        ("e\u{301}", 1),
        ("o\u{308}\u{323}", 1),
        ("日", 2),
        ("한", 2),
        ("\u{1112}\u{1161}\u{11ab}", 2),
        ("Ａ", 2),
        ("👩‍💻", 2),
        ("👨‍👩‍👧‍👦", 2),
        ("👍🏽", 2),
        ("❤\u{fe0f}", 2),
        ("❤", 1),
        ("🇩🇪", 2),
        ("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", 2),
        ("1\u{fe0f}\u{20e3}", 2),
        ("🚀", 2),
        // Ambiguous ones are narrow.
        ("α", 1),
        ("─", 1),
        ("…", 1),
        ("°", 1),
        ("→", 1),
        ("\u{ad}", 1),
        ("\u{e0b0}", 1),
        ("\u{200b}", 0),
    ] {
        let mut terminal = after(10, 3, format!("{text}|"));
        let frame = terminal.frame();
        assert_eq!(frame.cursor.x, columns + 1, "{text:?}");
        assert_eq!(frame.rows[0].cells[usize::from(columns)].glyph, term::Glyph::Char('|'));
        if columns > 0 {
            assert_eq!(u16::from(frame.rows[0].cells[0].width), columns, "{text:?}");
            assert_eq!(rows(&mut terminal), [format!("{text}|")]);
        }
    }
}

#[test]
fn clusters_do_not_depend_on_where_they_are_cut() {
    for text in ["👩‍💻", "❤\u{fe0f}", "🇩🇪🇫🇷", "e\u{301}", "👨‍👩‍👧‍👦x", "क्षि"]
    {
        let bytes = text.as_bytes();
        let whole = after(10, 3, bytes).frame();
        for cut in 0..=bytes.len() {
            let mut terminal = after(10, 3, &bytes[..cut]);
            terminal.advance(&bytes[cut..]);
            assert_eq!(terminal.frame().rows, whole.rows, "{text:?} at {cut}");
        }
    }
}

#[test]
fn wide_glyphs_at_the_edge() {
    const CASES: &[Case] = &[
        ("a wide glyph wraps whole", "aaaaaaaaa日", &["aaaaaaaaa", "日"], (2, 1)),
        ("it fits exactly", "aaaaaaaa日", &["aaaaaaaa日"], (9, 0)),
        ("without autowrap it is not shown", "\x1b[?7laaaaaaaaa日", &["aaaaaaaaa"], (9, 0)),
        (
            "a selector that widens at the edge wraps",
            "aaaaaaaaa❤\u{fe0f}x",
            &["aaaaaaaaa", "❤\u{fe0f}x"],
            (3, 1),
        ),
        ("two flags", "🇩🇪🇫🇷", &["🇩🇪🇫🇷"], (4, 0)),
        ("a flag and a half", "🇩🇪🇫", &["🇩🇪🇫"], (3, 0)),
        ("a mark with nothing before it", "\u{301}a", &["a"], (1, 0)),
        ("a mark after the last column", "aaaaaaaaae\u{301}", &["aaaaaaaaae\u{301}"], (9, 0)),
    ];
    check(CASES);
}

#[test]
fn a_screen_of_one_column_shows_something() {
    let mut terminal = after(1, 3, "日a");
    assert_eq!(rows(&mut terminal), ["日", "a"]);
    crate::common::check_frame(&terminal.frame());
}

#[test]
fn a_heap_of_marks_is_bounded() {
    let text = format!("a{}b", "\u{301}".repeat(10_000));
    let mut terminal = after(10, 3, text);
    let frame = terminal.frame();
    assert_eq!(frame.cursor.x, 2);
    assert!(rows(&mut terminal)[0].len() <= 66);
}

#[test]
fn broken_utf8_is_replaced_and_eats_nothing() {
    for (bytes, expected) in [
        (&b"a\xffb"[..], "a\u{fffd}b"),
        (b"a\xc3b", "a\u{fffd}b"),
        (b"a\xe2\x82b", "a\u{fffd}b"),
        (b"a\xf0\x9f\x98b", "a\u{fffd}b"),
        (b"a\xe2\x82\x1b[Db", "a\u{b}"),
        (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xc0\xaf", "\u{fffd}\u{fffd}"),
        (b"\x9b31m", "\u{fffd}31m"),
    ] {
        let expected = expected.replace("a\u{b}", "ab");
        for chunk in [1, 2, 100] {
            let mut terminal = after(10, 2, "");
            for piece in bytes.chunks(chunk) {
                terminal.advance(piece);
            }
            assert_eq!(rows(&mut terminal), [expected.as_str()], "{bytes:?} by {chunk}");
        }
    }
}

/// The style of an `x` written after the parameters of SGR.
fn style(sgr: &str) -> Style {
    let mut terminal = after(10, 2, format!("\x1b[{sgr}mx"));
    let style = terminal.frame().rows[0].cells[0].style.clone();
    (*style).clone()
}

#[test]
fn graphics() {
    let plain = Style::default;
    let cases: Vec<(&str, Style)> = vec![
        ("", plain()),
        ("1", Style { bold: true, ..plain() }),
        ("2", Style { dim: true, ..plain() }),
        ("3", Style { italic: true, ..plain() }),
        ("4", Style { underline: Underline::Single, ..plain() }),
        ("4:0", plain()),
        ("4:1", Style { underline: Underline::Single, ..plain() }),
        ("4:2", Style { underline: Underline::Double, ..plain() }),
        ("4:3", Style { underline: Underline::Curly, ..plain() }),
        ("4:4", Style { underline: Underline::Dotted, ..plain() }),
        ("4:5", Style { underline: Underline::Dashed, ..plain() }),
        ("21", Style { underline: Underline::Double, ..plain() }),
        ("5", Style { blink: true, ..plain() }),
        ("6", Style { blink: true, ..plain() }),
        ("7", Style { inverse: true, ..plain() }),
        ("8", Style { hidden: true, ..plain() }),
        ("9", Style { strikethrough: true, ..plain() }),
        ("53", Style { overline: true, ..plain() }),
        ("1;2;3;4;5;7;8;9;53;22;23;24;25;27;28;29;55", plain()),
        ("1;31;0", plain()),
        ("1;31;", plain()),
        ("31", Style { foreground: Color::Indexed(1), ..plain() }),
        ("97", Style { foreground: Color::Indexed(15), ..plain() }),
        ("42", Style { background: Color::Indexed(2), ..plain() }),
        ("103", Style { background: Color::Indexed(11), ..plain() }),
        ("31;42;39;49", plain()),
        ("38;5;200", Style { foreground: Color::Indexed(200), ..plain() }),
        ("38:5:200", Style { foreground: Color::Indexed(200), ..plain() }),
        ("48;2;1;2;3", Style { background: Color::Rgb(1, 2, 3), ..plain() }),
        ("38:2:1:2:3", Style { foreground: Color::Rgb(1, 2, 3), ..plain() }),
        ("38:2::1:2:3", Style { foreground: Color::Rgb(1, 2, 3), ..plain() }),
        ("38:2:0:1:2:3", Style { foreground: Color::Rgb(1, 2, 3), ..plain() }),
        ("58;5;9", Style { underline_color: Color::Indexed(9), ..plain() }),
        ("58:2::1:2:3", Style { underline_color: Color::Rgb(1, 2, 3), ..plain() }),
        ("58;5;9;59", plain()),
        ("38;5;200;1", Style { foreground: Color::Indexed(200), bold: true, ..plain() }),
        ("38:5:200;1", Style { foreground: Color::Indexed(200), bold: true, ..plain() }),
        (
            "38;2;1;2;3;4",
            Style { foreground: Color::Rgb(1, 2, 3), underline: Underline::Single, ..plain() },
        ),
        ("38;5;999", plain()),
        ("38;9;1", Style { bold: true, strikethrough: true, ..plain() }),
        (
            "4:3;58:5:1",
            Style { underline: Underline::Curly, underline_color: Color::Indexed(1), ..plain() },
        ),
    ];
    for (sgr, expected) in cases {
        assert_eq!(style(sgr), expected, "{sgr}");
    }
}

#[test]
fn links() {
    let mut terminal = after(20, 2, "a\x1b]8;id=1;http://x/y\x1b\\b\x1b[0mc\x1b]8;;\x07d");
    let frame = terminal.frame();
    let links: Vec<Option<&str>> =
        frame.rows[0].cells[..4].iter().map(|cell| cell.style.link.as_deref()).collect();
    assert_eq!(links, [None, Some("http://x/y"), Some("http://x/y"), None]);
}
