use super::{frame, shown};
use crate::outgoing::Format;

#[test]
fn a_long_secret_leaves_its_columns() {
    let frame = frame(60, 3, "| token=ghp_0123456789abcdefghij | next |");
    assert_eq!(shown(&frame, Format::Text).as_str(), "| token=[REDACTED]               | next |");
}

#[test]
fn a_short_secret_takes_room_from_blanks() {
    let frame = frame(60, 3, "| pwd=abc              | next |");
    assert_eq!(shown(&frame, Format::Text).as_str(), "| pwd=[REDACTED]       | next |");
}

#[test]
fn a_secret_over_two_rows_is_one() {
    let frame = frame(20, 4, "x token=ghp_0123456789abcdefghij end\r\nlast");
    let safe = shown(&frame, Format::Text);
    assert_eq!(safe.redactions, 1);
    // 12 cells of the secret stand in the second row, then " end".
    assert_eq!(
        safe.as_str(),
        "x token=[REDACTED]
             end
last"
    );
}

#[test]
fn a_secret_in_colours_is_found_in_every_format() {
    let text = "a \x1b[31mghp_0123\x1b[32m456789\x1b[0mabcdef b";
    let frame = frame(60, 2, text);
    for format in [Format::Text, Format::Ansi, Format::Html, Format::Cells] {
        let safe = shown(&frame, format);
        assert_eq!(safe.redactions, 1, "{format:?}");
        assert!(safe.as_str().contains("[REDACTED]"), "{}", safe.as_str());
        for part in ["ghp_", "0123", "456789", "abcdef"] {
            assert!(!safe.as_str().contains(part), "{part} in {}", safe.as_str());
        }
    }
}

#[test]
fn a_link_target_is_text_too() {
    let text = "\x1b]8;;https://user:pa55word@host/\x1b\\here\x1b]8;;\x1b\\";
    let frame = frame(40, 2, text);
    for format in [Format::Ansi, Format::Cells] {
        let safe = shown(&frame, format);
        assert!(!safe.as_str().contains("pa55word"), "{}", safe.as_str());
        assert!(safe.as_str().contains("here"));
        assert_eq!(safe.redactions, 1);
    }
}
