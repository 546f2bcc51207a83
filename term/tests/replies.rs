//! Every query and its exact answer: `replies.golden` is the table, made readable, one line per
//! query. A change of behaviour is a change of that file.

mod common;

use std::fmt::Write as _;

use common::{after, size, terminal};

/// Name and bytes, in an 80×24 terminal with the cursor at row 3, column 5.
const QUERIES: &[(&str, &str)] = &[
    ("DSR status", "\x1b[5n"),
    ("DSR cursor (CPR)", "\x1b[6n"),
    ("DECXCPR", "\x1b[?6n"),
    ("CPR in origin mode", "\x1b[5;20r\x1b[?6h\x1b[2;3H\x1b[6n\x1b[?6l\x1b[r\x1b[3;5H"),
    ("DSR printer", "\x1b[?15n"),
    ("DSR user keys", "\x1b[?25n"),
    ("DSR keyboard", "\x1b[?26n"),
    ("DSR locator", "\x1b[?55n"),
    ("DSR locator type", "\x1b[?56n"),
    ("DSR colour scheme", "\x1b[?996n"),
    ("DA1", "\x1b[c"),
    ("DA1 with 0", "\x1b[0c"),
    ("DECID", "\x1bZ"),
    ("DA2", "\x1b[>c"),
    ("DA2 with 0", "\x1b[>0c"),
    ("DA3", "\x1b[=c"),
    ("XTVERSION", "\x1b[>q"),
    ("XTVERSION with 0", "\x1b[>0q"),
    ("macro space", "\x1b[?62n"),
    ("macro checksum", "\x1b[?63;123n"),
    ("line errors", "\x1b[?75n"),
    ("sessions", "\x1b[?85n"),
    ("XTPUSHSGR and XTPOPSGR", "\x1b[1;31m\x1b[#{\x1b[0;4m\x1b[#}\x1bP$qm\x1b\\\x1b[m"),
    ("DECRQM backarrow key", "\x1b[?67h\x1b[?67$p\x1b[?67l"),
    ("DECREQTPARM 0", "\x1b[x"),
    ("DECREQTPARM 1", "\x1b[1x"),
    ("DECRQM ansi insert, reset", "\x1b[4$p"),
    ("DECRQM ansi insert, set", "\x1b[4h\x1b[4$p\x1b[4l"),
    ("DECRQM ansi newline", "\x1b[20$p"),
    ("DECRQM ansi block mode", "\x1b[18$p"),
    ("DECRQM ansi unknown", "\x1b[99$p"),
    ("DECRQM cursor keys", "\x1b[?1$p"),
    ("DECRQM autowrap", "\x1b[?7$p"),
    ("DECRQM cursor visible", "\x1b[?25$p"),
    ("DECRQM alternate screen", "\x1b[?1049$p"),
    ("DECRQM mouse", "\x1b[?1000$p"),
    ("DECRQM mouse SGR", "\x1b[?1006$p"),
    ("DECRQM alternate scroll", "\x1b[?1007$p"),
    ("DECRQM bracketed paste", "\x1b[?2004$p"),
    ("DECRQM synchronized update, reset", "\x1b[?2026$p"),
    ("DECRQM synchronized update, set", "\x1b[?2026h\x1b[?2026$p\x1b[?2026l"),
    ("DECRQM smooth scroll", "\x1b[?4$p"),
    ("DECRQM grapheme clusters", "\x1b[?2027$p"),
    ("DECRQM auto repeat", "\x1b[?8$p"),
    ("DECRQM unknown", "\x1b[?9999$p"),
    ("DECRQSS SGR, plain", "\x1bP$qm\x1b\\"),
    ("DECRQSS SGR", "\x1b[1;3;4:3;31;48;5;200;58:2::1:2:3m\x1bP$qm\x1b\\\x1b[m"),
    ("DECRQSS SGR, true colour", "\x1b[38;2;1;2;3;102m\x1bP$qm\x1b\\\x1b[m"),
    ("DECRQSS margins", "\x1b[5;20r\x1bP$qr\x1b\\\x1b[r\x1b[3;5H"),
    ("DECRQSS cursor style", "\x1bP$q q\x1b\\"),
    ("DECRQSS cursor style, blinking bar", "\x1b[5 q\x1bP$q q\x1b\\\x1b[2 q"),
    ("DECRQSS protection", "\x1bP$q\"q\x1b\\"),
    ("DECRQSS level", "\x1bP$q\"p\x1b\\"),
    ("DECRQSS level after DECSCL", "\x1b[64;1\"p\x1bP$q\"p\x1b\\"),
    ("DECRQSS lines per screen", "\x1bP$q*|\x1b\\"),
    ("DECRQSS status line", "\x1bP$q$~\x1b\\"),
    ("DECRQSS unknown", "\x1bP$qz\x1b\\"),
    ("XTGETTCAP colours", "\x1bP+q436f\x1b\\"),
    ("XTGETTCAP name", "\x1bP+q544e\x1b\\"),
    ("XTGETTCAP RGB", "\x1bP+q524742\x1b\\"),
    ("XTGETTCAP two", "\x1bP+q6b75;6b64\x1b\\"),
    ("XTGETTCAP start of a paste", "\x1bP+q5053\x1b\\"),
    ("XTGETTCAP shifted arrow", "\x1bP+q2569\x1b\\"),
    ("XTGETTCAP unknown", "\x1bP+q5a5a\x1b\\"),
    ("XTGETTCAP not hexadecimal", "\x1bP+qhello\x1b\\"),
    ("OSC 4, ST", "\x1b]4;1;?\x1b\\"),
    ("OSC 4, BEL", "\x1b]4;1;?\x07"),
    ("OSC 4, two", "\x1b]4;0;?;15;?\x1b\\"),
    ("OSC 4 after it was set", "\x1b]4;1;rgb:12/34/56\x07\x1b]4;1;?\x07\x1b]104;1\x07"),
    ("OSC 10, ST", "\x1b]10;?\x1b\\"),
    ("OSC 10, BEL", "\x1b]10;?\x07"),
    ("OSC 11, ST", "\x1b]11;?\x1b\\"),
    ("OSC 11, BEL", "\x1b]11;?\x07"),
    ("OSC 12", "\x1b]12;?\x1b\\"),
    ("OSC 13 to 19 in one", "\x1b]13;?;?;?;?;?;?;?\x1b\\"),
    ("OSC 17 after it was set", "\x1b]17;#336699\x07\x1b]17;?\x07\x1b]117\x07"),
    ("OSC 10 and 11 in one", "\x1b]10;?;?\x1b\\"),
    ("OSC 11 after it was set", "\x1b]11;#ffffff\x07\x1b]11;?\x07\x1b]111\x07"),
    ("OSC 7501, ST", "\x1b]7501;?\x1b\\"),
    ("OSC 7501, BEL", "\x1b]7501;?\x07"),
    ("kitty keyboard", "\x1b[?u"),
    ("kitty keyboard after a push", "\x1b[>5u\x1b[?u\x1b[<u"),
    ("modifyOtherKeys", "\x1b[?4m"),
    ("modifyOtherKeys after it was set", "\x1b[>4;2m\x1b[?4m\x1b[>4m"),
    ("size in pixels", "\x1b[14t"),
    ("cell in pixels", "\x1b[16t"),
    ("size in cells", "\x1b[18t"),
    ("screen in cells", "\x1b[19t"),
    ("window state", "\x1b[11t"),
    ("DECRQCRA of AB at the top", "\x1b[HAB\x1b[3;5H\x1b[7;1;1;1;1;2*y"),
];

/// Queries that get no bytes, by the name under which they are remembered.
const UNANSWERED: &[(&str, &str)] = &[
    ("OSC 52 ?", "\x1b]52;c;?\x07"),
    ("CSI 20 t", "\x1b[20t"),
    ("CSI 21 t", "\x1b[21t"),
    ("CSI 13 t", "\x1b[13t"),
    ("CSI ? 61 n", "\x1b[?61n"),
    ("CSI 99 n", "\x1b[99n"),
    ("OSC 5 ?", "\x1b]5;0;?\x07"),
    ("OSC 1337 ?", "\x1b]1337;ReportCellSize?\x07"),
    ("CSI ? 1 m", "\x1b[?1m"),
    ("CSI 1 $ w", "\x1b[1$w"),
    ("CSI ? 1 S", "\x1b[?1;1;0S"),
    ("APC G a=q", "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"),
];

fn visible(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace(env!("CARGO_PKG_VERSION"), "VERSION");
    text.replace('\x1b', "ESC ").replace('\x07', " BEL")
}

fn table() -> String {
    let mut out = String::new();
    for (name, query) in QUERIES {
        let mut terminal = after(80, 24, "\x1b[3;5H");
        terminal.advance(query.as_bytes());
        let replies: Vec<String> = terminal.take_replies().iter().map(|r| visible(r)).collect();
        let _ = writeln!(out, "{name}\n    {}", visible(query.as_bytes()));
        for reply in replies {
            let _ = writeln!(out, "    -> {reply}");
        }
    }
    out
}

#[test]
fn queries_get_the_replies_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/replies.golden");
    let table = table();
    if std::env::var_os("TTYDRIVE_UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &table).expect("a writable golden file");
    }
    let golden = std::fs::read_to_string(path).expect("the golden file");
    for (line, (now, kept)) in table.lines().zip(golden.lines()).enumerate() {
        assert_eq!(now, kept, "line {}", line + 1);
    }
    assert_eq!(table.lines().count(), golden.lines().count());
}

#[test]
fn replies_come_in_order_one_entry_each() {
    let mut terminal = terminal(80, 24);
    terminal.advance(b"\x1b[6n\x1b]11;?\x07\x1b[c\x1bP+q436f;544e\x1b\\\x1b[5n");
    let replies = terminal.take_replies();
    let kinds: Vec<&[u8]> = replies.iter().map(|reply| &reply[..4]).collect();
    assert_eq!(kinds.len(), 6);
    assert_eq!(replies[0], b"\x1b[1;1R");
    assert_eq!(kinds[1], b"\x1b]11");
    assert_eq!(kinds[2], b"\x1b[?6");
    assert_eq!(kinds[3], b"\x1bP1+");
    assert_eq!(kinds[4], b"\x1bP1+");
    assert_eq!(replies[5], b"\x1b[0n");
    assert!(terminal.take_replies().is_empty(), "taken once");
}

#[test]
fn a_reply_tells_the_state_at_the_query() {
    let mut terminal = terminal(80, 24);
    terminal.advance(b"\x1b[2;2H\x1b[6n\x1b[9;9H");
    assert_eq!(terminal.take_replies(), [b"\x1b[2;2R"]);
    terminal.resize(size(100, 30));
    terminal.advance(b"\x1b[18t");
    assert_eq!(terminal.take_replies(), [b"\x1b[8;30;100t"]);
}

#[test]
fn unanswered_queries_are_remembered_by_name() {
    for (name, query) in UNANSWERED {
        let mut terminal = after(80, 24, query);
        assert!(terminal.take_replies().is_empty(), "{name}");
        assert_eq!(terminal.unanswered_queries(), [*name]);
        terminal.advance(query.as_bytes());
        assert_eq!(terminal.unanswered_queries().len(), 1, "once is enough");
    }
    let mut terminal = terminal(80, 24);
    for number in 0..1_000 {
        terminal.advance(format!("\x1b[?{}n", 1_000 + number).as_bytes());
    }
    assert_eq!(terminal.unanswered_queries().len(), 64, "bounded");
}

#[test]
fn a_flood_of_queries_is_bounded() {
    let mut terminal = terminal(80, 24);
    for _ in 0..10_000 {
        terminal.advance(b"\x1b[5n");
    }
    assert_eq!(terminal.take_replies().len(), 1_024);
}

#[test]
fn a_reply_never_carries_text_of_the_program() {
    // A title that is reported comes back as typed text, so it is not.
    let mut terminal = after(80, 24, "\x1b]2;rm -rf\x07\x1b[21t\x1b[20t");
    assert!(terminal.take_replies().is_empty());
    for query in ["\x1bP+q0d6c73\x1b\\", "\x1bP+qls\x1b\\", "\x1bP$qls\r\x1b\\"] {
        terminal.advance(query.as_bytes());
        for reply in terminal.take_replies() {
            let inner = &reply[1..reply.len() - 2];
            assert!(inner.iter().all(|byte| (0x20..0x7f).contains(byte)), "{query:?}");
            assert!(!inner.windows(2).any(|pair| pair == b"ls"), "{query:?}");
        }
    }
}
