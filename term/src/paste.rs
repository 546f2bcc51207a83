//! Pasted text: what may be in it, and the brackets around it.
//!
//! Invariant: a wrapped paste has exactly one start and one end bracket, whatever the text
//! holds, because no character that could open an escape sequence survives [`clean`].
//!
//! What it does not do: decide when to paste, or whether the program asked for brackets.

/// What a terminal sends before pasted text when mode 2004 is on.
pub const START: &str = "\x1b[200~";
/// What it sends after.
pub const END: &str = "\x1b[201~";

/// The text with control characters removed and line ends as CR, which is what the Enter
/// key sends. Tab stays. ESC and the C1 controls go, so that the text cannot end the
/// paste; the other C0 controls and DEL go because a program acts on them as on keys.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut after_cr = false;
    for c in text.chars() {
        match c {
            // The LF of a CR LF pair was already written.
            '\n' if after_cr => {}
            '\n' | '\r' => out.push('\r'),
            '\t' => out.push('\t'),
            _ if c.is_control() => {}
            _ => out.push(c),
        }
        after_cr = c == '\r';
    }
    out
}

/// The text as if it were typed: line ends as the Enter key sends them, all else as it is,
/// because a caller who types controls one by one means them.
#[must_use]
pub fn typed(text: &str) -> Vec<u8> {
    text.replace("\r\n", "\r").replace('\n', "\r").into_bytes()
}

/// The cleaned text between paste brackets.
#[must_use]
pub fn wrap(text: &str) -> Vec<u8> {
    let body = clean(text);
    let mut out = Vec::with_capacity(START.len() + body.len() + END.len());
    out.extend_from_slice(START.as_bytes());
    out.extend_from_slice(body.as_bytes());
    out.extend_from_slice(END.as_bytes());
    out
}
