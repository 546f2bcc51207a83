//! Whatever the widths a text goes through, its lines stay what they are.

mod common;

use common::{check_frame, size};
use proptest::prelude::*;
use term::{Options, Row, Terminal};

/// History and screen as lines of text, wrapped rows joined, blank lines at the end left out.
fn lines(terminal: &mut Terminal) -> Vec<String> {
    let mut rows: Vec<Row> =
        terminal.history(0, usize::MAX).into_iter().map(|(_, row)| row).collect();
    rows.extend(terminal.frame().rows.iter().cloned());
    let mut lines = Vec::new();
    let mut line = String::new();
    for row in rows {
        // The texts here have no blanks, so what `text` leaves out at the end of a wrapped row
        // is the place where a wide glyph did not fit.
        line.push_str(&row.text());
        if !row.wrapped {
            lines.push(std::mem::take(&mut line));
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn lines_survive_any_widths(
        texts in prop::collection::vec("[a-z0-9日本é]{0,40}", 1..12),
        sizes in prop::collection::vec((2u16..60, 1u16..20), 1..8),
        first in 2u16..60,
    ) {
        let mut terminal =
            Terminal::new(Options { size: size(first, 8), scrollback_lines: 2_000 });
        terminal.advance(texts.join("\r\n").as_bytes());
        let mut expected = texts.clone();
        while expected.last().is_some_and(String::is_empty) {
            expected.pop();
        }
        prop_assert_eq!(&lines(&mut terminal), &expected);
        let mut total = terminal.history_total();
        for (cols, rows) in sizes {
            terminal.resize(size(cols, rows));
            check_frame(&terminal.frame());
            prop_assert_eq!(&lines(&mut terminal), &expected, "at {} by {}", cols, rows);
            prop_assert!(terminal.history_total() >= total, "the count fell");
            total = terminal.history_total();
        }
        // The cursor still stands behind the last text.
        terminal.advance(b"!");
        let last = texts.last().cloned().unwrap_or_default() + "!";
        prop_assert_eq!(lines(&mut terminal).pop(), Some(last));
    }
}
