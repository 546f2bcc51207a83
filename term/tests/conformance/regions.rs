use super::{Case, check, letters};

#[test]
fn rows() {
    const CASES: &[Case] = &[
        ("DECSTBM homes", "\x1b[3;3H\x1b[2;4r", &[], (0, 0)),
        (
            "LF scrolls the region only",
            letters!("\x1b[2;4r\x1b[4;1H\nx"),
            &["aaaaaaaaaa", "cccccccccc", "dddddddddd", "x", "eeeeeeeeee"],
            (1, 3),
        ),
        (
            "LF below the region stops",
            letters!("\x1b[2;3r\x1b[5;1H\nx"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd", "xeeeeeeeee"],
            (1, 4),
        ),
        (
            "RI scrolls the region only",
            letters!("\x1b[2;4r\x1b[2;1H\x1bMx"),
            &["aaaaaaaaaa", "x", "bbbbbbbbbb", "cccccccccc", "eeeeeeeeee"],
            (1, 1),
        ),
        (
            "RI above the region stops",
            letters!("\x1b[2;4r\x1b[1;1H\x1bMx"),
            &["xaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd", "eeeeeeeeee"],
            (1, 0),
        ),
    ];
    check(CASES);
}

#[test]
fn scrolling() {
    const CASES: &[Case] = &[
        ("SU", letters!("\x1b[2S"), &["cccccccccc", "dddddddddd", "eeeeeeeeee"], (0, 0)),
        ("SD", letters!("\x1b[2T"), &["", "", "aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"], (0, 0)),
        (
            "SD of ECMA-48",
            letters!("\x1b[2^"),
            &["", "", "aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"],
            (0, 0),
        ),
        (
            "SU in a region",
            letters!("\x1b[2;4r\x1b[S"),
            &["aaaaaaaaaa", "cccccccccc", "dddddddddd", "", "eeeeeeeeee"],
            (0, 0),
        ),
        (
            "SD in a region",
            letters!("\x1b[2;4r\x1b[T"),
            &["aaaaaaaaaa", "", "bbbbbbbbbb", "cccccccccc", "eeeeeeeeee"],
            (0, 0),
        ),
        ("SU clamps", letters!("\x1b[99S"), &[], (0, 0)),
        (
            "DECSTBM of one row is refused",
            letters!("\x1b[3;3r\x1b[5;1H\nx"),
            &["bbbbbbbbbb", "cccccccccc", "dddddddddd", "eeeeeeeeee", "x"],
            (1, 4),
        ),
        (
            "DECSTBM upside down is refused",
            letters!("\x1b[3;3H\x1b[4;2rx"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "ccxccccccc", "dddddddddd", "eeeeeeeeee"],
            (3, 2),
        ),
        (
            "DECSTBM clamps",
            letters!("\x1b[4;99r\x1b[5;1H\nx"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "eeeeeeeeee", "x"],
            (1, 4),
        ),
        (
            "DECSTBM without parameters is the screen",
            letters!("\x1b[2;3r\x1b[r\x1b[5;1H\nx"),
            &["bbbbbbbbbb", "cccccccccc", "dddddddddd", "eeeeeeeeee", "x"],
            (1, 4),
        ),
        (
            "the last column wraps in the region",
            "\x1b[1;2r\x1b[2;1Haaaaaaaaaabc",
            &["aaaaaaaaaa", "bc"],
            (2, 1),
        ),
    ];
    check(CASES);
}

#[test]
fn columns() {
    const CASES: &[Case] = &[
        ("DECSLRM needs its mode", "\x1b[1;5H\x1b[2;4sx\x1b[ux", &["    x"], (5, 0)),
        (
            "text wraps at the margin",
            "\x1b[?69h\x1b[2;4s\x1b[1;2Habcdef",
            &[" abc", " def"],
            (3, 1),
        ),
        ("text left of the margin runs to it", "\x1b[?69h\x1b[3;4sabcde", &["abcd", "  e"], (3, 1)),
        (
            "text right of the margin runs to the end",
            "\x1b[?69h\x1b[2;4s\x1b[1;8Habcd",
            &["       abc", " d"],
            (2, 1),
        ),
        ("CR goes to the margin", "\x1b[?69h\x1b[3;6s\x1b[1;5H\rx", &["  x"], (3, 0)),
        (
            "CR left of the margin goes to the edge",
            "\x1b[?69h\x1b[3;6s\x1b[1;2H\rx",
            &["x"],
            (1, 0),
        ),
        ("CUF stops at the margin", "\x1b[?69h\x1b[3;6s\x1b[1;4H\x1b[99C", &[], (5, 0)),
        ("CUB stops at the margin", "\x1b[?69h\x1b[3;6s\x1b[1;4H\x1b[99D", &[], (2, 0)),
        ("HT stops at the margin", "\x1b[?69h\x1b[3;6s\x1b[1;4H\t", &[], (5, 0)),
        ("BS stops at the margin", "\x1b[?69h\x1b[3;6s\x1b[1;4H\x08\x08\x08\x08", &[], (2, 0)),
        (
            "SU moves the columns only",
            letters!("\x1b[?69h\x1b[2;4s\x1b[2S"),
            &["acccaaaaaa", "bdddbbbbbb", "ceeecccccc", "d   dddddd", "e   eeeeee"],
            (0, 0),
        ),
        (
            "SD moves the columns only",
            letters!("\x1b[?69h\x1b[2;4s\x1b[2T"),
            &["a   aaaaaa", "b   bbbbbb", "caaacccccc", "dbbbdddddd", "eccceeeeee"],
            (0, 0),
        ),
        (
            "leaving the mode lifts the margins",
            "\x1b[?69h\x1b[2;4s\x1b[?69labcdef",
            &["abcdef"],
            (6, 0),
        ),
    ];
    check(CASES);
}

#[test]
fn origin() {
    const CASES: &[Case] = &[
        ("DECOM homes into the region", "\x1b[2;4r\x1b[?6hx", &["", "x"], (1, 1)),
        ("CUP counts from the region", "\x1b[2;4r\x1b[?6h\x1b[2;2Hx", &["", "", " x"], (2, 2)),
        ("CUP clamps to the region", "\x1b[2;4r\x1b[?6h\x1b[99;1Hx", &["", "", "", "x"], (1, 3)),
        ("VPA counts from the region", "\x1b[2;4r\x1b[?6h\x1b[3dx", &["", "", "", "x"], (1, 3)),
        (
            "columns count from the margin",
            "\x1b[?69h\x1b[3;6s\x1b[?6h\x1b[1;2Hx",
            &["   x"],
            (4, 0),
        ),
        ("DECOM off homes to the screen", "\x1b[2;4r\x1b[?6h\x1b[?6lx", &["x"], (1, 0)),
        (
            "without DECOM the region may be left",
            "\x1b[2;3r\x1b[5;1Hx",
            &["", "", "", "", "x"],
            (1, 4),
        ),
    ];
    check(CASES);
}
