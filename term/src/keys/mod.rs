//! Keys: from the name a client writes to the bytes a program expects.
//!
//! [`parse()`] reads one token of the grammar: a name (`Enter`, `F5`), one printable
//! character, or either with any of `C- M- A- S-` in front. [`encode`] turns the key into
//! bytes for the modes the program has set, as a terminal would for a key press.
//!
//! Invariants
//! - A parsed key always encodes to at least one byte.
//! - `M-` and `A-` are one modifier (Alt): terminals have no other Meta to send.
//! - A key is a press only. Releases are never sent, even when kitty flag 2 asks for them:
//!   press and release would arrive in one write, and a program that quits on the press
//!   would leave the release to the shell behind it, as garbage on its prompt.
//! - The application keypad mode changes nothing here, because the grammar names no keypad
//!   key; a digit is the digit of the main block.
//!
//! What it does not do: it knows no keyboard layout. `S-` changes letters only; other
//! characters are keys of their own, as they are on some keyboard.

mod kitty;
mod legacy;
mod parse;
mod table;

use std::fmt;

use crate::frame::Modes;

pub use parse::{KeyError, parse};

/// One key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: Code,
    pub mods: Mods,
}

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// A printable character, the space bar included.
    Char(char),
    Named(Named),
}

/// Keys that have a name instead of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Named {
    Enter,
    Tab,
    Escape,
    Backspace,
    Delete,
    Insert,
    Home,
    End,
    PageUp,
    PageDown,
    Up,
    Down,
    Left,
    Right,
    /// F1 to F24; [`parse()`] makes no other.
    Function(u8),
}

/// Modifiers held while the key is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Mods {
    pub shift: bool,
    pub alt: bool,
    pub ctrl: bool,
}

impl Mods {
    fn any(self) -> bool {
        self.shift || self.alt || self.ctrl
    }

    /// The modifier parameter of xterm and kitty: one plus a bit for each modifier.
    fn parameter(self) -> u8 {
        1 + u8::from(self.shift) + 2 * u8::from(self.alt) + 4 * u8::from(self.ctrl)
    }
}

/// A character key with the shift state and the case brought together: `A` and `S-a` are
/// the same key.
#[derive(Debug, Clone, Copy)]
struct CharKey {
    /// What the key would type without Shift.
    base: char,
    /// What it types as pressed.
    typed: char,
    shift: bool,
    alt: bool,
    ctrl: bool,
}

impl CharKey {
    fn new(c: char, mods: Mods) -> Self {
        let upper = |lower: char| single(lower.to_uppercase());
        // Only a letter that Shift brings back: U+212A lowers to `k`, but `S-k` is no U+212A.
        let base = single(c.to_lowercase()).filter(|lower| upper(*lower) == Some(c)).unwrap_or(c);
        let typed = if mods.shift && base == c { upper(c).unwrap_or(c) } else { c };
        let shift = mods.shift || base != c;
        Self { base, typed, shift, alt: mods.alt, ctrl: mods.ctrl }
    }

    fn mods(self) -> Mods {
        Mods { shift: self.shift, alt: self.alt, ctrl: self.ctrl }
    }
}

/// The only character of a case mapping; none when it makes several.
fn single(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    let first = mapped.next()?;
    mapped.next().is_none().then_some(first)
}

/// The bytes of a key press. `cooked` says that the tty is in canonical mode with signals
/// on (ICANON and ISIG): keys the line discipline itself acts on then go out as the plain
/// bytes it looks for, whatever protocol a dead program left switched on.
#[must_use]
pub fn encode(key: &Key, modes: &Modes, cooked: bool) -> Vec<u8> {
    if cooked && for_line_discipline(key) {
        let plain = Modes { newline: modes.newline, ..Modes::default() };
        return legacy::encode(key, &plain);
    }
    if kitty::active(modes.kitty_flags) {
        return kitty::encode(key, modes);
    }
    legacy::encode(key, modes)
}

/// Whether a tty in canonical mode acts on the key, or keeps it as text of its line.
fn for_line_discipline(key: &Key) -> bool {
    match key.code {
        Code::Char(_) if !key.mods.any() => true,
        Code::Char(c) => {
            // INTR QUIT SUSP, EOF, KILL WERASE, LNEXT REPRINT, STOP START: their defaults.
            let only_ctrl = key.mods.ctrl && !key.mods.alt && !key.mods.shift;
            let special = matches!(
                c.to_ascii_lowercase(),
                'c' | '\\' | 'z' | 'd' | 'u' | 'w' | 'v' | 'r' | 's' | 'q'
            );
            let only_shift = key.mods.shift && !key.mods.alt && !key.mods.ctrl;
            (only_ctrl && special) || only_shift
        }
        Code::Named(Named::Enter | Named::Backspace | Named::Tab) => !key.mods.any(),
        Code::Named(_) => false,
    }
}

impl fmt::Display for Key {
    /// The key as the grammar spells it; [`parse()`] reads it back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, prefix) in
            [(self.mods.ctrl, "C-"), (self.mods.alt, "M-"), (self.mods.shift, "S-")]
        {
            if held {
                f.write_str(prefix)?;
            }
        }
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(c) => write!(f, "{c}"),
            Code::Named(Named::Function(number)) => write!(f, "F{number}"),
            Code::Named(named) => f.write_str(table::spelling(named)),
        }
    }
}
