//! From what a caller wants typed to the bytes for the program. Pure.

use term::keys::{self, Code, Key, Named};
use term::paste;

use super::seen::Seen;
use super::send::Stall;
use crate::error::Error;
use crate::limits::{CANONICAL_LINE_BYTES_MAX, KEYS_MAX, TEXT_BYTES_MAX, TYPED_BYTES_MAX};
use crate::session_types::{Paste, SendText};

/// Several programs ignore an Enter that comes within a quarter of a second after a paste.
pub(crate) const PASTE_SETTLE_MS: i64 = 300;

#[derive(Debug)]
pub(crate) enum What {
    Text(SendText),
    Keys(Vec<Key>),
}

/// Encoded for the modes of the moment.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Bytes {
    pub(crate) input: Vec<u8>,
    pub(crate) enter: Vec<u8>,
    pub(crate) pasted: bool,
    /// An Enter is among the keys.
    pub(crate) enters: bool,
    /// A key that clears the line is among them.
    pub(crate) clears: bool,
    /// Text stands in the program's input afterwards.
    pub(crate) leaves_text: bool,
}

impl What {
    /// The text as a program would echo it.
    pub(crate) fn as_typed(&self) -> String {
        match self {
            Self::Text(send) => send.text.clone(),
            Self::Keys(keys) => keys
                .iter()
                .map(|key| match key.code {
                    Code::Char(c) if !key.mods.ctrl && !key.mods.alt => c,
                    Code::Char(_) | Code::Named(_) => '\n',
                })
                .collect(),
        }
    }

    /// For the audit trail.
    pub(crate) fn as_told(&self) -> String {
        match self {
            Self::Text(send) => send.text.clone(),
            Self::Keys(keys) => keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        }
    }
}

/// All keys, before anything is written.
pub(crate) fn parse_keys(names: &[String]) -> Result<Vec<Key>, Error> {
    if names.is_empty() || names.len() > KEYS_MAX {
        return Err(invalid("keys", format!("must be 1 to {KEYS_MAX} keys"), None));
    }
    names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            keys::parse(name).map_err(|error| {
                invalid(
                    &format!("keys[{index}]"),
                    error.to_string(),
                    Some("use names such as Enter, Up, C-c, M-x, F5, or one printable character"),
                )
            })
        })
        .collect()
}

fn invalid(field: &str, detail: String, hint: Option<&str>) -> Error {
    Error::InvalidValue { field: field.to_owned(), detail, hint: hint.map(str::to_owned) }
}

pub(crate) fn encode(what: &What, seen: &Seen) -> Result<Bytes, Error> {
    let modes = &seen.frame.modes;
    let cooked = seen.is_cooked();
    match what {
        What::Keys(keys) => Ok(Bytes {
            input: keys.iter().flat_map(|key| keys::encode(key, modes, cooked)).collect(),
            enters: keys.iter().any(submits),
            clears: keys.iter().any(clears_line),
            leaves_text: keys.iter().any(is_text),
            ..Bytes::default()
        }),
        What::Text(send) => {
            check_text(send, seen)?;
            let enter = Key { code: Code::Named(Named::Enter), mods: keys::Mods::default() };
            // Enter comes by itself: one at the end of the text would submit it twice.
            let text = if send.submit {
                send.text.trim_end_matches(['\n', '\r'])
            } else {
                send.text.as_str()
            };
            let pasted = is_paste(send.paste, text, modes.bracketed_paste);
            let input = if pasted { paste::wrap(text) } else { typed(text).into_bytes() };
            Ok(Bytes {
                input,
                enter: keys::encode(&enter, modes, cooked),
                pasted,
                enters: false,
                clears: false,
                leaves_text: !text.is_empty() && !text.ends_with(['\n', '\r']),
            })
        }
    }
}

/// With Shift or Alt it is a line break in most composers.
fn submits(key: &Key) -> bool {
    key.code == Code::Named(Named::Enter) && !key.mods.shift && !key.mods.alt
}

fn clears_line(key: &Key) -> bool {
    match key.code {
        Code::Char(c) => key.mods.ctrl && matches!(c.to_ascii_lowercase(), 'c' | 'u' | 'd'),
        Code::Named(_) => false,
    }
}

fn is_text(key: &Key) -> bool {
    matches!(key.code, Code::Char(_)) && !key.mods.ctrl && !key.mods.alt
}

fn check_text(send: &SendText, seen: &Seen) -> Result<(), Error> {
    if send.text.len() > TEXT_BYTES_MAX {
        return Err(Error::TooLarge {
            detail: format!("text is at most {TEXT_BYTES_MAX} bytes"),
            hint: Some("send it in pieces, or put it into a file of the workspace".to_owned()),
        });
    }
    if send.paste == Paste::Always && !seen.frame.modes.bracketed_paste {
        return Err(invalid(
            "paste",
            "the program did not ask for bracketed paste".to_owned(),
            Some("use paste: auto, which types the text then"),
        ));
    }
    let longest = send.text.split(['\n', '\r']).map(str::len).max().unwrap_or(0);
    if seen.is_canonical() && longest > CANONICAL_LINE_BYTES_MAX {
        return Err(invalid(
            "text",
            format!(
                "a line of {longest} bytes: the terminal is in canonical mode and keeps only \
                 {CANONICAL_LINE_BYTES_MAX} of one line"
            ),
            Some("break it into shorter lines, or put it into a file of the workspace"),
        ));
    }
    Ok(())
}

fn is_paste(paste: Paste, text: &str, bracketed: bool) -> bool {
    match paste {
        Paste::Never => false,
        Paste::Always => true,
        Paste::Auto => bracketed && (text.contains(['\n', '\r']) || text.len() > TYPED_BYTES_MAX),
    }
}

/// Line ends become what the Enter key sends.
fn typed(text: &str) -> String {
    text.replace("\r\n", "\r").replace('\n', "\r")
}

pub(crate) fn hint(stall: Stall, written: u64, asked: usize) -> String {
    match stall {
        Stall::NotTaken => format!(
            "the program did not take the input: {written} of {asked} bytes by the deadline; it \
             does not read its terminal just now"
        ),
        Stall::EnterNotTaken => {
            "the text was taken but not Enter: the program does not read its terminal just now"
                .to_owned()
        }
        Stall::NoEffect => {
            "Enter was sent but had no visible effect by the deadline; read the screen: when the \
             text still stands in the input, press Enter again with terminal_session_send_key and \
             do not send the text again; the program may also be busy or need another key"
                .to_owned()
        }
    }
}

/// The program says that it keeps the message for later. Words that any output may hold count
/// only from a program that was busy.
pub(crate) fn says_queued(new: &str, worked_before: bool) -> bool {
    new.lines().map(str::to_lowercase).any(|line| {
        let Some(at) = line.find("queued") else { return false };
        let before = line.get(..at).unwrap_or_default().trim_end();
        let after = line.get(at + "queued".len()..).unwrap_or_default().trim_start();
        let things = ["message", "messages", "prompt", "prompts", "input", "command", "commands"];
        let said = things.iter().any(|thing| {
            before.ends_with(thing)
                || before.ends_with(&format!("{thing} is"))
                || before.ends_with(&format!("{thing} was"))
                || after.starts_with(thing)
        });
        worked_before || said
    })
}
