//! From a text to the bytes that type or paste it, or why not. Pure.

use term::{Modes, paste};

use crate::error::Error;
use crate::session_limits::{CANONICAL_LINE_BYTES_MAX, PASTE_AUTO_BYTES, SEND_TEXT_BYTES_MAX};
use crate::session_types::Paste;

/// What is written for one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    pub bytes: Vec<u8>,
    pub pasted: bool,
}

/// Decides between typing and pasting.
///
/// # Errors
/// Too long, a paste the program did not ask for, or a line the tty would cut.
pub fn prepare(
    text: &str,
    wish: Paste,
    modes: &Modes,
    canonical: bool,
) -> Result<Typed, Error> {
    if text.len() > SEND_TEXT_BYTES_MAX {
        return Err(Error::InvalidValue {
            field: "text".to_owned(),
            detail: format!("{} bytes are more than {SEND_TEXT_BYTES_MAX}", text.len()),
            hint: Some("write long input to a file in the workspace and name the file".to_owned()),
        });
    }
    let long = text.contains('\n') || text.len() > PASTE_AUTO_BYTES;
    let pasted = match wish {
        Paste::Always if !modes.bracketed_paste => {
            return Err(Error::InvalidValue {
                field: "paste".to_owned(),
                detail: "the program did not turn on bracketed paste".to_owned(),
                hint: Some("use paste: auto, or wait for the program's prompt".to_owned()),
            });
        }
        Paste::Always => true,
        Paste::Auto => modes.bracketed_paste && long,
        Paste::Never => false,
    };
    if pasted {
        return Ok(Typed { bytes: paste::wrap(text), pasted });
    }
    let typed = text.replace("\r\n", "\n").replace('\n', "\r");
    if canonical {
        let longest = typed.split('\r').map(str::len).max().unwrap_or(0);
        if longest > CANONICAL_LINE_BYTES_MAX {
            return Err(Error::InvalidValue {
                field: "text".to_owned(),
                detail: format!(
                    "a line of {longest} bytes: the terminal is in line mode and keeps only \
                     {CANONICAL_LINE_BYTES_MAX}"
                ),
                hint: Some("split the line, or pass the text in a file".to_owned()),
            });
        }
    }
    Ok(Typed { bytes: typed.into_bytes(), pasted })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modes(bracketed_paste: bool) -> Modes {
        Modes { bracketed_paste, ..Modes::default() }
    }

    #[test]
    fn short_text_is_typed_and_long_or_multi_line_text_pasted() {
        let typed = |text: &str| prepare(text, Paste::Auto, &modes(true), false).unwrap();
        assert!(!typed("ls").pasted);
        assert!(!typed(&"x".repeat(64)).pasted);
        assert!(typed(&"x".repeat(65)).pasted);
        assert!(typed("a\nb").pasted);
        assert!(typed("a\nb").bytes.starts_with(b"\x1b[200~"));
    }

    #[test]
    fn without_bracketed_paste_a_line_break_is_enter() {
        let typed = prepare("a\nb\r\nc", Paste::Auto, &modes(false), false).unwrap();
        assert_eq!((typed.bytes.as_slice(), typed.pasted), (b"a\rb\rc".as_slice(), false));
        assert!(prepare("a", Paste::Always, &modes(false), false).is_err());
        assert!(!prepare("a\nb", Paste::Never, &modes(true), false).unwrap().pasted);
    }

    #[test]
    fn line_mode_refuses_what_the_tty_would_cut() {
        let line = |count: usize| "y".repeat(count);
        assert!(prepare(&line(4_095), Paste::Auto, &modes(false), true).is_ok());
        assert!(prepare(&line(4_096), Paste::Auto, &modes(false), true).is_err());
        assert!(prepare(&line(4_096), Paste::Auto, &modes(false), false).is_ok());
        let two = format!("{}\n{}", line(4_000), line(4_000));
        assert!(prepare(&two, Paste::Auto, &modes(false), true).is_ok());
        assert!(prepare(&line(262_145), Paste::Auto, &modes(true), false).is_err());
    }
}
