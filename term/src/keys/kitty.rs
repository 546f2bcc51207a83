//! The kitty keyboard protocol: `CSI code:shifted ; modifiers ; text u` and its relatives.
//!
//! Flag 1 turns keys that are ambiguous in the old encoding into escape codes, 8 turns all
//! of them, 4 adds the shifted key and 16 the text to codes that are sent anyway. 2 asks
//! for repeats and releases, which are never sent; a press looks the same with it.

use std::fmt::Write as _;

use super::table::{self, Form};
use super::{CharKey, Code, Key, Named, legacy};
use crate::frame::Modes;

const DISAMBIGUATE: u8 = 1;
const ALTERNATE_KEYS: u8 = 4;
const ALL_AS_ESCAPES: u8 = 8;
const ASSOCIATED_TEXT: u8 = 16;

/// Whether the flags change any key press at all.
pub(super) fn active(flags: u8) -> bool {
    flags & (DISAMBIGUATE | ALL_AS_ESCAPES) != 0
}

pub(super) fn encode(key: &Key, modes: &Modes) -> Vec<u8> {
    let flags = modes.kitty_flags;
    match key.code {
        Code::Char(c) => character(CharKey::new(c, key.mods), flags),
        Code::Named(named) => function(named, key, modes),
    }
}

fn character(key: CharKey, flags: u8) -> Vec<u8> {
    let types_text = !key.ctrl && !key.alt;
    if types_text && flags & ALL_AS_ESCAPES == 0 {
        return key.typed.to_string().into_bytes();
    }
    let mut out = format!("\x1b[{}", u32::from(key.base));
    if flags & ALTERNATE_KEYS != 0 && key.shift && key.typed != key.base {
        push(&mut out, format_args!(":{}", u32::from(key.typed)));
    }
    let parameter = key.mods().parameter();
    let text = types_text && flags & ALL_AS_ESCAPES != 0 && flags & ASSOCIATED_TEXT != 0;
    match (parameter, text) {
        (1, false) => {}
        // The modifier field stays empty when it says nothing.
        (1, true) => push(&mut out, format_args!(";;{}", u32::from(key.typed))),
        (_, false) => push(&mut out, format_args!(";{parameter}")),
        (_, true) => push(&mut out, format_args!(";{parameter};{}", u32::from(key.typed))),
    }
    out.push('u');
    out.into_bytes()
}

fn function(named: Named, key: &Key, modes: &Modes) -> Vec<u8> {
    let parameter = key.mods.parameter();
    let all = modes.kitty_flags & ALL_AS_ESCAPES != 0;
    // Enter, Tab and Backspace keep their bytes, so that a shell stays usable after a
    // program died with the protocol on.
    let kept = matches!(named, Named::Enter | Named::Tab | Named::Backspace);
    if kept && !key.mods.any() && !all {
        let plain = Modes { newline: modes.newline, ..Modes::default() };
        return legacy::encode(key, &plain);
    }
    let unmodified = parameter == 1;
    match table::kitty(named) {
        Form::Control(code) if unmodified => format!("\x1b[{code}u"),
        Form::Control(code) => format!("\x1b[{code};{parameter}u"),
        Form::Unicode(code) if unmodified => format!("\x1b[{code}u"),
        Form::Unicode(code) => format!("\x1b[{code};{parameter}u"),
        Form::Cursor(letter) | Form::Pf(letter) if unmodified => format!("\x1b[{letter}"),
        Form::Cursor(letter) | Form::Pf(letter) => format!("\x1b[1;{parameter}{letter}"),
        Form::Tilde(number) if unmodified => format!("\x1b[{number}~"),
        Form::Tilde(number) => format!("\x1b[{number};{parameter}~"),
    }
    .into_bytes()
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
}
