//! The named keys and what xterm and kitty send for them: one list each.

use super::{Code, Named};

/// Every name but `F1` to `F24`, with the key it means.
pub(super) const NAMES: [(&str, Code); 16] = [
    ("Enter", Code::Named(Named::Enter)),
    ("Tab", Code::Named(Named::Tab)),
    ("Escape", Code::Named(Named::Escape)),
    ("Esc", Code::Named(Named::Escape)),
    ("Backspace", Code::Named(Named::Backspace)),
    ("Space", Code::Char(' ')),
    ("Delete", Code::Named(Named::Delete)),
    ("Insert", Code::Named(Named::Insert)),
    ("Home", Code::Named(Named::Home)),
    ("End", Code::Named(Named::End)),
    ("PageUp", Code::Named(Named::PageUp)),
    ("PageDown", Code::Named(Named::PageDown)),
    ("Up", Code::Named(Named::Up)),
    ("Down", Code::Named(Named::Down)),
    ("Left", Code::Named(Named::Left)),
    ("Right", Code::Named(Named::Right)),
];

/// The highest function key of the grammar.
pub(super) const FUNCTION_KEY_MAX: u8 = 24;

/// The first name of the key in [`NAMES`]; function keys are spelled by number instead.
pub(super) fn spelling(named: Named) -> &'static str {
    NAMES.iter().find(|(_, code)| *code == Code::Named(named)).map_or("F", |(name, _)| name)
}

/// How a key without a character is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A C0 byte, or `CSI code u` where the protocol wants an escape code.
    Control(u8),
    /// `CSI letter`, `SS3 letter` in application cursor mode, `CSI 1 ; m letter`.
    Cursor(char),
    /// `SS3 letter`, `CSI 1 ; m letter`.
    Pf(char),
    /// `CSI number ~`, `CSI number ; m ~`.
    Tilde(u16),
    /// `CSI code u`, `CSI code ; m u`.
    Unicode(u32),
}

/// Form of the key in xterm (PC-style function keys; F13 and up as VT220 and xterm have
/// them).
pub(super) fn xterm(named: Named) -> Form {
    match named {
        Named::Enter => Form::Control(b'\r'),
        Named::Tab => Form::Control(b'\t'),
        Named::Escape => Form::Control(0x1b),
        Named::Backspace => Form::Control(0x7f),
        Named::Insert => Form::Tilde(2),
        Named::Delete => Form::Tilde(3),
        Named::PageUp => Form::Tilde(5),
        Named::PageDown => Form::Tilde(6),
        Named::Up => Form::Cursor('A'),
        Named::Down => Form::Cursor('B'),
        Named::Right => Form::Cursor('C'),
        Named::Left => Form::Cursor('D'),
        Named::End => Form::Cursor('F'),
        Named::Home => Form::Cursor('H'),
        Named::Function(number) => xterm_function(number),
    }
}

/// The numbers have gaps where the VT220 keyboard had them.
fn xterm_function(number: u8) -> Form {
    let n = u16::from(number);
    match number {
        0 | 1 => Form::Pf('P'),
        2 => Form::Pf('Q'),
        3 => Form::Pf('R'),
        4 => Form::Pf('S'),
        5 => Form::Tilde(15),
        6..=10 => Form::Tilde(n + 11),
        11..=14 => Form::Tilde(n + 12),
        15..=16 => Form::Tilde(n + 13),
        17..=20 => Form::Tilde(n + 14),
        21.. => Form::Tilde(n + 21),
    }
}

/// Form of the key in the kitty protocol's functional key table. F3 is `13~` there, since
/// `CSI R` is the reply to a cursor position query.
pub(super) fn kitty(named: Named) -> Form {
    match named {
        Named::Function(3) => Form::Tilde(13),
        Named::Function(number @ 13..) => Form::Unicode(57376 + u32::from(number) - 13),
        Named::Function(1) => Form::Cursor('P'),
        Named::Function(2) => Form::Cursor('Q'),
        Named::Function(4) => Form::Cursor('S'),
        Named::Enter
        | Named::Tab
        | Named::Escape
        | Named::Backspace
        | Named::Delete
        | Named::Insert
        | Named::Home
        | Named::End
        | Named::PageUp
        | Named::PageDown
        | Named::Up
        | Named::Down
        | Named::Left
        | Named::Right
        | Named::Function(_) => xterm(named),
    }
}
