use super::{Case, check, letters};

#[test]
fn characters() {
    const CASES: &[Case] = &[
        ("ICH", "abcdefghij\x1b[1;3H\x1b[2@", &["ab  cdefgh"], (2, 0)),
        ("ICH default", "abcdefghij\x1b[1;3H\x1b[@", &["ab cdefghi"], (2, 0)),
        ("ICH clamps", "abcdefghij\x1b[1;3H\x1b[99@", &["ab"], (2, 0)),
        ("DCH", "abcdefghij\x1b[1;3H\x1b[2P", &["abefghij"], (2, 0)),
        ("DCH default", "abcdefghij\x1b[1;3H\x1b[P", &["abdefghij"], (2, 0)),
        ("DCH clamps", "abcdefghij\x1b[1;3H\x1b[99P", &["ab"], (2, 0)),
        (
            "ICH in side margins",
            "abcdefghij\x1b[?69h\x1b[2;5s\x1b[1;3H\x1b[@",
            &["ab cdfghij"],
            (2, 0),
        ),
        (
            "DCH in side margins",
            "abcdefghij\x1b[?69h\x1b[2;5s\x1b[1;3H\x1b[P",
            &["abde fghij"],
            (2, 0),
        ),
        (
            "ICH outside side margins",
            "abcdefghij\x1b[?69h\x1b[2;5s\x1b[1;8H\x1b[@",
            &["abcdefghij"],
            (7, 0),
        ),
        ("insert mode", "abcdef\x1b[1;3H\x1b[4hXY\x1b[4lZ", &["abXYZdef"], (5, 0)),
        ("insert mode pushes out", "abcdefghij\x1b[1;3H\x1b[4hX", &["abXcdefghi"], (3, 0)),
        ("REP", "ab\x1b[3b", &["abbbb"], (5, 0)),
        ("REP default", "ab\x1b[b", &["abb"], (3, 0)),
        ("REP wraps", "ab\x1b[9b", &["abbbbbbbbb", "b"], (1, 1)),
        ("REP without a character", "\x1b[5bx", &["x"], (1, 0)),
        ("ICH before a wide glyph's right half", "a日b\x1b[1;3H\x1b[@", &["a   b"], (2, 0)),
        ("DCH of half a wide glyph", "a日b\x1b[1;2H\x1b[P", &["a b"], (1, 0)),
    ];
    check(CASES);
}

#[test]
fn lines() {
    const CASES: &[Case] = &[
        (
            "IL",
            letters!("\x1b[2;3H\x1b[2L"),
            &["aaaaaaaaaa", "", "", "bbbbbbbbbb", "cccccccccc"],
            (0, 1),
        ),
        ("DL", letters!("\x1b[2;3H\x1b[2M"), &["aaaaaaaaaa", "dddddddddd", "eeeeeeeeee"], (0, 1)),
        (
            "IL clamps",
            letters!("\x1b[4;3H\x1b[99L"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"],
            (0, 3),
        ),
        (
            "IL in a region",
            letters!("\x1b[2;4r\x1b[3;1H\x1b[L"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "", "cccccccccc", "eeeeeeeeee"],
            (0, 2),
        ),
        (
            "DL in a region",
            letters!("\x1b[2;4r\x1b[3;1H\x1b[M"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "dddddddddd", "", "eeeeeeeeee"],
            (0, 2),
        ),
        (
            "IL outside the region",
            letters!("\x1b[2;3r\x1b[5;3H\x1b[L"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd", "eeeeeeeeee"],
            (2, 4),
        ),
        (
            "IL in side margins",
            letters!("\x1b[?69h\x1b[3;5s\x1b[2;4H\x1b[L"),
            &["aaaaaaaaaa", "bb   bbbbb", "ccbbbccccc", "ddcccddddd", "eedddeeeee"],
            (2, 1),
        ),
        (
            "DL in side margins",
            letters!("\x1b[?69h\x1b[3;5s\x1b[4;4H\x1b[M"),
            &["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "ddeeeddddd", "ee   eeeee"],
            (2, 3),
        ),
    ];
    check(CASES);
}

#[test]
fn columns() {
    const CASES: &[Case] = &[
        (
            "DECIC",
            letters!("\x1b[1;3H\x1b[2'}"),
            &["aa  aaaaaa", "bb  bbbbbb", "cc  cccccc", "dd  dddddd", "ee  eeeeee"],
            (2, 0),
        ),
        (
            "DECDC",
            letters!("\x1b[1;3H\x1b[2'~"),
            &["aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd", "eeeeeeee"],
            (2, 0),
        ),
        ("SL", "abc\x1b[2 @", &["c"], (3, 0)),
        ("SR", "abc\x1b[2 A", &["  abc"], (3, 0)),
        ("DECBI at the margin", "abc\r\x1b6", &[" abc"], (0, 0)),
        ("DECBI moves", "abc\x1b6x", &["abx"], (3, 0)),
        ("DECFI at the margin", "abc\x1b[1;10H\x1b9", &["bc"], (9, 0)),
        ("DECFI moves", "abc\r\x1b9x", &["axc"], (2, 0)),
    ];
    check(CASES);
}
