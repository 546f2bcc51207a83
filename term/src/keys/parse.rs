//! The grammar of key tokens, and errors that say what to write instead.

use unicode_width::UnicodeWidthChar as _;

use super::table::{FUNCTION_KEY_MAX, NAMES};
use super::{Code, Key, Mods, Named};

/// How much of a refused token an error repeats; enough to recognise it.
const TOKEN_CHARS_MAX: usize = 32;

/// How far a misspelt name may be from a real one to be suggested, 1.0 being equal.
const SIMILARITY_MIN: f64 = 0.6;

/// A token that names no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("the key is empty")]
    Empty,
    #[error("unknown key `{token}`")]
    Unknown { token: String, nearest: Option<String> },
    #[error("the key `{token}` has a modifier and no key after it")]
    NoKey { token: String },
    #[error("the key `{token}` names the modifier `{modifier}-` twice")]
    RepeatedModifier { token: String, modifier: char },
    #[error("`{token}` holds the character U+{code:04X}, which is not printable")]
    NotPrintable { token: String, code: u32 },
    #[error("there is no function key `{token}`")]
    NoSuchFunctionKey { token: String },
}

impl KeyError {
    /// The token that was refused, shortened when it is long.
    #[must_use]
    pub fn token(&self) -> &str {
        match self {
            Self::Empty => "",
            Self::Unknown { token, .. }
            | Self::NoKey { token }
            | Self::RepeatedModifier { token, .. }
            | Self::NotPrintable { token, .. }
            | Self::NoSuchFunctionKey { token } => token,
        }
    }

    /// What to write instead.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Empty => format!("write {GRAMMAR}"),
            Self::Unknown { nearest: Some(name), .. } => {
                format!("did you mean `{name}`? Keys are {GRAMMAR}")
            }
            Self::Unknown { nearest: None, .. } => {
                format!("keys are {GRAMMAR}; text of several characters goes by send_text")
            }
            Self::NoKey { .. } => "put a name or one printable character after the modifier, \
                 as in `C-c`; a minus with Ctrl is `C--`"
                .to_owned(),
            Self::RepeatedModifier { .. } => "name each modifier once".to_owned(),
            Self::NotPrintable { code, .. } => match control_name(*code) {
                Some(name) => format!("write `{name}`"),
                None => "write a key by its name or chord, as in `Enter` or `C-c`; \
                         other text goes by send_text"
                    .to_owned(),
            },
            Self::NoSuchFunctionKey { .. } => {
                format!("function keys are F1 to F{FUNCTION_KEY_MAX}")
            }
        }
    }
}

const GRAMMAR: &str = "names (Enter Tab Escape Backspace Space Delete Insert Home End PageUp \
    PageDown Up Down Left Right F1..F24), one printable character, or either after any of \
    C- M- A- S-";

/// Reads one key token.
///
/// # Errors
/// When the token is not one key of the grammar; the error names the token and a remedy.
pub fn parse(token: &str) -> Result<Key, KeyError> {
    let (mods, name) = modifiers(token)?;
    match code(name, token)? {
        Some(code) => Ok(Key { code, mods }),
        None => Err(KeyError::Unknown { token: shorten(token), nearest: advice(name, token) }),
    }
}

/// Takes the modifiers off the front; what is left is never empty.
fn modifiers(token: &str) -> Result<(Mods, &str), KeyError> {
    if token.is_empty() {
        return Err(KeyError::Empty);
    }
    let mut mods = Mods::default();
    let mut seen: Vec<char> = Vec::with_capacity(4);
    let mut rest = token;
    while let Some((modifier, tail)) = split_modifier(rest) {
        if tail.is_empty() {
            return Err(KeyError::NoKey { token: shorten(token) });
        }
        if seen.contains(&modifier) {
            return Err(KeyError::RepeatedModifier { token: shorten(token), modifier });
        }
        seen.push(modifier);
        match modifier {
            'C' => mods.ctrl = true,
            'S' => mods.shift = true,
            _ => mods.alt = true,
        }
        rest = tail;
    }
    Ok((mods, rest))
}

/// Splits `C-`, `M-`, `A-` or `S-` off the front.
fn split_modifier(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let modifier = chars.next().filter(|c| matches!(c, 'C' | 'M' | 'A' | 'S'))?;
    chars.as_str().strip_prefix('-').map(|tail| (modifier, tail))
}

/// The key a name or character stands for; `None` when it is neither.
fn code(text: &str, token: &str) -> Result<Option<Code>, KeyError> {
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return if printable(c) {
            Ok(Some(Code::Char(c)))
        } else {
            Err(KeyError::NotPrintable { token: shorten(token), code: u32::from(c) })
        };
    }
    if let Some((_, code)) = NAMES.iter().find(|(name, _)| *name == text) {
        return Ok(Some(*code));
    }
    match function_number(text) {
        Some(Some(number)) => Ok(Some(Code::Named(Named::Function(number)))),
        Some(None) => Err(KeyError::NoSuchFunctionKey { token: shorten(token) }),
        None => Ok(None),
    }
}

/// The token of this grammar that was probably meant.
fn advice(name: &str, token: &str) -> Option<String> {
    let prefix = token.strip_suffix(name).unwrap_or("");
    other_spelling(token).or_else(|| nearest(name).map(|name| format!("{prefix}{name}")))
}

/// `None` for a text that is no function key at all, `Some(None)` for one out of range.
fn function_number(text: &str) -> Option<Option<u8>> {
    let digits = text.strip_prefix('F')?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = digits.parse::<u8>().ok();
    Some(number.filter(|n| (1..=FUNCTION_KEY_MAX).contains(n) && !digits.starts_with('0')))
}

/// Printable: takes up room on a screen. Private-use characters are left out because the
/// kitty protocol uses their numbers for its functional keys.
fn printable(c: char) -> bool {
    let private = ('\u{e000}'..='\u{f8ff}').contains(&c) || c >= '\u{f0000}';
    let separator = matches!(c, '\u{2028}' | '\u{2029}');
    let noncharacter = u32::from(c) & 0xfffe == 0xfffe || ('\u{fdd0}'..='\u{fdef}').contains(&c);
    !private && !separator && !noncharacter && c.width().is_some_and(|width| width > 0)
}

/// The name for a control character that somebody wrote raw.
fn control_name(code: u32) -> Option<String> {
    match code {
        0x0a | 0x0d => Some("Enter".to_owned()),
        0x09 => Some("Tab".to_owned()),
        0x1b => Some("Escape".to_owned()),
        0x7f => Some("Backspace".to_owned()),
        0x00 => Some("C-Space".to_owned()),
        0x01..=0x1f => char::from_u32(code | 0x40).map(|c| format!("C-{}", c.to_ascii_lowercase())),
        _ => None,
    }
}

/// The known name that looks most like the text, if any does.
fn nearest(text: &str) -> Option<&'static str> {
    let wanted = shorten(text).to_lowercase();
    let other = match wanted.as_str() {
        "return" | "cr" | "newline" => Some("Enter"),
        "bs" | "bspace" => Some("Backspace"),
        "del" | "dc" => Some("Delete"),
        "ins" | "ic" => Some("Insert"),
        "pgup" | "ppage" => Some("PageUp"),
        "pgdn" | "pgdown" | "npage" => Some("PageDown"),
        "arrowup" => Some("Up"),
        "arrowdown" => Some("Down"),
        "arrowleft" => Some("Left"),
        "arrowright" => Some("Right"),
        _ => None,
    };
    other.or_else(|| {
        NAMES
            .iter()
            .map(|(name, _)| (*name, strsim::jaro_winkler(&name.to_lowercase(), &wanted)))
            .filter(|(_, similarity)| *similarity >= SIMILARITY_MIN)
            .max_by(|left, right| left.1.total_cmp(&right.1))
            .map(|(name, _)| name)
    })
}

/// The chord in this grammar for one written as `Ctrl+C`, `alt-x` or `^C`.
fn other_spelling(token: &str) -> Option<String> {
    let mut chord = String::new();
    let mut rest = token;
    if let Some(tail) = token.strip_prefix('^') {
        chord.push_str("C-");
        rest = tail;
    }
    while let Some((word, tail)) = rest.split_once(['+', '-']) {
        chord.push_str(match word.to_ascii_lowercase().as_str() {
            "ctrl" | "control" | "c" => "C-",
            "alt" | "meta" | "option" | "m" | "a" => "M-",
            "shift" | "s" => "S-",
            _ => return None,
        });
        rest = tail;
    }
    if chord.is_empty() {
        return None;
    }
    let folded = if rest.chars().count() == 1 {
        rest.to_lowercase()
    } else {
        nearest(rest).unwrap_or(rest).to_owned()
    };
    chord.push_str(&folded);
    let (_, name) = modifiers(&chord).ok()?;
    code(name, &chord).ok()??;
    Some(chord)
}

fn shorten(token: &str) -> String {
    match token.char_indices().nth(TOKEN_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &token[..end]),
        None => token.to_owned(),
    }
}
