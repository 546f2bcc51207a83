use super::{Case, check};

#[test]
fn absolute_positions() {
    const CASES: &[Case] = &[
        ("CUP", "\x1b[3;4Hx", &["", "", "   x"], (4, 2)),
        ("CUP defaults", "\x1b[3;4H\x1b[Hx", &["x"], (1, 0)),
        ("CUP row only", "\x1b[3Hx", &["", "", "x"], (1, 2)),
        ("CUP column only", "\x1b[;4Hx", &["   x"], (4, 0)),
        ("CUP zeros", "\x1b[0;0Hx", &["x"], (1, 0)),
        ("CUP clamps", "\x1b[99;99H", &[], (9, 4)),
        ("HVP", "\x1b[2;3fx", &["", "  x"], (3, 1)),
        ("CHA", "abc\x1b[2Gx", &["axc"], (2, 0)),
        ("CHA default", "abc\x1b[Gx", &["xbc"], (1, 0)),
        ("HPA", "abc\x1b[3`x", &["abx"], (3, 0)),
        ("HPR", "a\x1b[2ax", &["a  x"], (4, 0)),
        ("VPA", "ab\x1b[3dx", &["ab", "", "  x"], (3, 2)),
        ("VPA default", "\x1b[3;3H\x1b[dx", &["  x"], (3, 0)),
        ("VPR", "a\x1b[2ex", &["a", "", " x"], (2, 2)),
        ("VPR clamps", "\x1b[99e", &[], (0, 4)),
        ("HPR clamps", "\x1b[99a", &[], (9, 0)),
    ];
    check(CASES);
}

#[test]
fn relative_movement() {
    const CASES: &[Case] = &[
        ("CUU", "\x1b[4;4H\x1b[2A", &[], (3, 1)),
        ("CUU default", "\x1b[4;4H\x1b[A", &[], (3, 2)),
        ("CUU zero is one", "\x1b[4;4H\x1b[0A", &[], (3, 2)),
        ("CUU stops at the top", "\x1b[4;4H\x1b[99A", &[], (3, 0)),
        ("CUD", "\x1b[2;4H\x1b[2B", &[], (3, 3)),
        ("CUD stops at the bottom", "\x1b[2;4H\x1b[99B", &[], (3, 4)),
        ("CUF", "\x1b[2;4H\x1b[2C", &[], (5, 1)),
        ("CUF stops at the right", "\x1b[2;4H\x1b[99C", &[], (9, 1)),
        ("CUB", "\x1b[2;4H\x1b[2D", &[], (1, 1)),
        ("CUB stops at the left", "\x1b[2;4H\x1b[99D", &[], (0, 1)),
        ("CNL", "\x1b[2;4H\x1b[2E", &[], (0, 3)),
        ("CNL stops", "\x1b[2;4H\x1b[99E", &[], (0, 4)),
        ("CPL", "\x1b[4;4H\x1b[2F", &[], (0, 1)),
        ("CPL stops", "\x1b[4;4H\x1b[99F", &[], (0, 0)),
        ("CUU stops at the region", "\x1b[3;4r\x1b[4;2H\x1b[9A", &[], (1, 2)),
        ("CUU above the region", "\x1b[3;4r\x1b[2;2H\x1b[9A", &[], (1, 0)),
        ("CUD stops at the region", "\x1b[2;3r\x1b[2;2H\x1b[9B", &[], (1, 2)),
        ("CUD below the region", "\x1b[2;3r\x1b[4;2H\x1b[9B", &[], (1, 4)),
    ];
    check(CASES);
}

#[test]
fn controls() {
    const CASES: &[Case] = &[
        ("CR", "abc\rx", &["xbc"], (1, 0)),
        ("LF keeps the column", "abc\nx", &["abc", "   x"], (4, 1)),
        ("VT is LF", "abc\x0bx", &["abc", "   x"], (4, 1)),
        ("FF is LF", "abc\x0cx", &["abc", "   x"], (4, 1)),
        ("BS", "abc\x08x", &["abx"], (3, 0)),
        ("BS stops at the left", "a\x08\x08\x08x", &["x"], (1, 0)),
        ("IND", "ab\x1bDx", &["ab", "  x"], (3, 1)),
        ("NEL", "ab\x1bEx", &["ab", "x"], (1, 1)),
        ("RI", "\x1b[2;3H\x1bMx", &["  x"], (3, 0)),
        ("LF scrolls", "a\x1b[5;1He\nf", &["", "", "", "e", " f"], (2, 4)),
        ("RI scrolls", "a\r\nb\x1b[H\x1bMx", &["x", "a", "b"], (1, 0)),
        ("C1 IND in UTF-8", "ab\u{84}x", &["ab", "  x"], (3, 1)),
        ("C1 NEL in UTF-8", "ab\u{85}x", &["ab", "x"], (1, 1)),
        ("C1 CSI in UTF-8", "\u{9b}3;4Hx", &["", "", "   x"], (4, 2)),
        ("NUL and DEL are nothing", "a\0\x7fb", &["ab"], (2, 0)),
        ("controls inside a sequence", "\x1b[3\r;4\nHx", &["", "", "   x"], (4, 2)),
        ("CAN breaks a sequence off", "\x1b[3;4\x18Hx", &["Hx"], (2, 0)),
        ("ESC starts anew", "\x1b[3;\x1b[2;2Hx", &["", " x"], (2, 1)),
        ("unknown sequences print nothing", "a\x1b[99;1yb\x1b%Gc\x1b[>1;2;3zd", &["abcd"], (4, 0)),
        (
            "too many parameters",
            "\x1b[2;2;3;4;5;6;7;8;9;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1Hx",
            &["", " x"],
            (2, 1),
        ),
        (
            "huge parameters",
            "\x1b[99999999999;99999999999Hx",
            &["", "", "", "", "         x"],
            (9, 4),
        ),
    ];
    check(CASES);
}

#[test]
fn wrapping() {
    const CASES: &[Case] = &[
        ("the last column waits", "aaaaaaaaaa", &["aaaaaaaaaa"], (9, 0)),
        ("the next character wraps", "aaaaaaaaaab", &["aaaaaaaaaa", "b"], (1, 1)),
        ("CR ends the wait", "aaaaaaaaaa\rb", &["baaaaaaaaa"], (1, 0)),
        ("BS after the last column", "aaaaaaaaaa\x08b", &["aaaaaaaaba"], (9, 0)),
        ("LF ends the wait", "aaaaaaaaaa\nb", &["aaaaaaaaaa", "         b"], (9, 1)),
        ("CUP ends the wait", "aaaaaaaaaa\x1b[1;10Hb", &["aaaaaaaaab"], (9, 0)),
        ("CUF ends the wait", "aaaaaaaaaa\x1b[Cb", &["aaaaaaaaab"], (9, 0)),
        ("SGR does not", "aaaaaaaaaa\x1b[1mb", &["aaaaaaaaaa", "b"], (1, 1)),
        ("EL ends the wait", "aaaaaaaaaa\x1b[Kb", &["aaaaaaaaab"], (9, 0)),
        ("wrap scrolls", "\x1b[5;1Haaaaaaaaaab", &["", "", "", "aaaaaaaaaa", "b"], (1, 4)),
        ("no autowrap", "\x1b[?7laaaaaaaaaabcd", &["aaaaaaaaad"], (9, 0)),
        ("autowrap again", "\x1b[?7laaaaaaaaaab\x1b[?7hc", &["aaaaaaaaab", "c"], (1, 1)),
        ("reverse wrap", "\x1b[?45h\x1b[2;1H\x08x", &["         x"], (9, 0)),
        ("reverse wrap undoes the wait only", "\x1b[?45haaaaaaaaaa\x08b", &["aaaaaaaaab"], (9, 0)),
        ("CUB wraps back too", "aaaaaaaaaabc\x1b[?45h\x1b[4Dx", &["aaaaaaaaxa", "bc"], (9, 0)),
        ("no reverse wrap", "\x1b[2;1H\x08x", &["", "x"], (1, 1)),
    ];
    check(CASES);
}

#[test]
fn tabs() {
    const CASES: &[Case] = &[
        ("HT to the eighth column", "a\tb", &["a       b"], (9, 0)),
        ("HT without a stop goes to the end", "a\t\tb", &["a        b"], (9, 0)),
        ("HTS", "\x1b[1;4H\x1bH\r\tx", &["   x"], (4, 0)),
        ("TBC here", "\x1b[1;9H\x1b[g\r\tx", &["         x"], (9, 0)),
        ("TBC all", "\x1b[1;4H\x1bH\x1b[3g\r\tx", &["         x"], (9, 0)),
        ("CHT", "\x1b[1;4H\x1bH\r\x1b[2Ix", &["        x"], (9, 0)),
        ("CBT", "\x1b[1;10H\x1b[Zx", &["        x"], (9, 0)),
        ("CBT twice", "\x1b[1;10H\x1b[2Zx", &["x"], (1, 0)),
        ("CBT stops at the left", "\x1b[1;3H\x1b[9Zx", &["x"], (1, 0)),
        ("HT does not erase", "abc\r\tx", &["abc     x"], (9, 0)),
        ("HT at the end of a full line", "aaaaaaaaaa\tb", &["aaaaaaaaaa", "b"], (1, 1)),
        (
            "HT there after DECSET 41",
            "\x1b[?41haaaaaaaaaa\tb",
            &["aaaaaaaaaa", "        b"],
            (9, 1),
        ),
        ("DECST8C", "\x1b[3g\x1b[?5W\r\tx", &["        x"], (9, 0)),
    ];
    check(CASES);
}
