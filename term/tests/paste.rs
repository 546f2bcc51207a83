//! A paste ends where the service ends it, whatever is pasted.

use proptest::prelude::*;
use term::paste::{clean, typed, wrap};

/// Text with a good share of the characters that matter.
fn nasty_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\x1b[201~".to_owned()),
        Just("\u{9b}201~".to_owned()),
        Just("\x1b\x1b[[201~201~".to_owned()),
        Just("\r\n".to_owned()),
        "[\\x00-\\x1f\\x7f-\\u{9f}]{1,4}",
        "[ -~]{1,8}",
        "\\PC{1,4}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// What a program sees of a paste: everything up to the first end bracket.
fn as_the_program_reads(bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let text = bytes.strip_prefix(b"\x1b[200~").expect("a start bracket");
    let end = text.windows(6).position(|window| window == b"\x1b[201~").expect("an end bracket");
    (text[..end].to_vec(), text[end + 6..].to_vec())
}

proptest! {
    #[test]
    fn the_text_never_ends_the_paste(text in nasty_text()) {
        let (pasted, after) = as_the_program_reads(&wrap(&text));
        prop_assert!(after.is_empty());
        prop_assert_eq!(pasted, clean(&text).into_bytes());
    }

    #[test]
    fn only_tab_and_return_are_left_of_the_controls(text in nasty_text()) {
        let cleaned = clean(&text);
        prop_assert!(cleaned.chars().all(|c| c == '\t' || c == '\r' || !c.is_control()));
        prop_assert_eq!(clean(&cleaned), cleaned.clone());
        // Nothing else is lost or moved.
        let visible = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
        prop_assert_eq!(visible(&cleaned), visible(&text));
    }
}

#[test]
fn line_ends_become_returns() {
    assert_eq!(clean("a\nb\r\nc\rd\n\ne\r\r\n\tf"), "a\rb\rc\rd\r\re\r\r\tf");
    assert_eq!(clean("é漢🦀\u{85}\u{9c}\u{0}\u{7f}"), "é漢🦀");
    // A pair that was torn by a removed character is two line ends.
    assert_eq!(clean("a\r\x1b\nb"), "a\r\rb");
    assert_eq!(wrap("x\x1b[201~rm -rf\n"), b"\x1b[200~x[201~rm -rf\r\x1b[201~");
    assert_eq!(typed("a\nb\r\nc\rd\x03\x1b"), b"a\rb\rc\rd\x03\x1b");
    assert_eq!(wrap(""), b"\x1b[200~\x1b[201~");
}
