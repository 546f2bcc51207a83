//! xterm's encoding: plain, with DECCKM and LNM, and with modifyOtherKeys 1 and 2.
//!
//! modifyOtherKeys 1 reports the chords that have no well-known bytes of their own; 2 also
//! reports those that have. Keys that already carry a modifier parameter are left alone.

use super::table::{self, Form};
use super::{CharKey, Code, Key, Named};
use crate::frame::Modes;

const ESC: u8 = 0x1b;

pub(super) fn encode(key: &Key, modes: &Modes) -> Vec<u8> {
    match key.code {
        Code::Char(c) => character(CharKey::new(c, key.mods), modes.modify_other_keys),
        Code::Named(named) => match table::xterm(named) {
            Form::Control(byte) => control(named, byte, key, modes),
            Form::Cursor(letter) if key.mods.any() => modified(letter, key),
            Form::Cursor(letter) if modes.application_cursor => {
                format!("\x1bO{letter}").into_bytes()
            }
            Form::Cursor(letter) => format!("\x1b[{letter}").into_bytes(),
            Form::Pf(letter) if key.mods.any() => modified(letter, key),
            Form::Pf(letter) => format!("\x1bO{letter}").into_bytes(),
            Form::Tilde(number) if key.mods.any() => {
                format!("\x1b[{number};{}~", key.mods.parameter()).into_bytes()
            }
            Form::Tilde(number) => format!("\x1b[{number}~").into_bytes(),
            Form::Unicode(code) => format!("\x1b[{code};{}u", key.mods.parameter()).into_bytes(),
        },
    }
}

fn modified(letter: char, key: &Key) -> Vec<u8> {
    format!("\x1b[1;{}{letter}", key.mods.parameter()).into_bytes()
}

/// `CSI 27 ; modifiers ; code ~`.
fn other_key(parameter: u8, code: u32) -> Vec<u8> {
    format!("\x1b[27;{parameter};{code}~").into_bytes()
}

/// Enter, Tab, Escape and Backspace.
fn control(named: Named, byte: u8, key: &Key, modes: &Modes) -> Vec<u8> {
    let mods = key.mods;
    let level = modes.modify_other_keys;
    // Level 1 leaves Escape and Backspace as they always were.
    let as_ever = matches!(named, Named::Escape | Named::Backspace);
    let reported = if as_ever { level >= 2 } else { level >= 1 };
    if mods.any() && reported {
        return other_key(mods.parameter(), u32::from(byte));
    }
    let mut out = Vec::with_capacity(4);
    if mods.alt {
        out.push(ESC);
    }
    let bytes: &[u8] = if named == Named::Tab && mods.shift {
        b"\x1b[Z"
    } else if named == Named::Backspace {
        // Ctrl gives the other one of the two.
        if mods.ctrl == modes.backspace_is_bs { b"\x7f" } else { b"\x08" }
    } else if named == Named::Enter && modes.newline {
        b"\r\n"
    } else {
        &[byte]
    };
    out.extend_from_slice(bytes);
    out
}

fn character(key: CharKey, level: u8) -> Vec<u8> {
    let control = if key.ctrl { control_byte(key.base) } else { None };
    if is_other_key(key, control, level) {
        return other_key(key.mods().parameter(), u32::from(key.typed));
    }
    let mut out = Vec::with_capacity(5);
    if key.alt {
        out.push(ESC);
    }
    match control {
        Some(byte) => out.push(byte),
        None => out.extend_from_slice(key.typed.encode_utf8(&mut [0; 4]).as_bytes()),
    }
    out
}

/// Whether modifyOtherKeys reports the chord as an escape code.
fn is_other_key(key: CharKey, control: Option<u8>, level: u8) -> bool {
    // Shift with the space bar has no bytes of its own at any level.
    let shifted_space = key.shift && key.base == ' ';
    match level {
        0 => false,
        // Alt alone has a well-known form, ESC first; so has Ctrl alone on these keys.
        1 => {
            let known_control = control.is_some() && !key.alt && !key.shift;
            shifted_space || (key.ctrl && !known_control)
        }
        2.. => shifted_space || key.ctrl || key.alt,
    }
}

/// The control character Ctrl makes of a key, as xterm and kitty have it; the digits are
/// the VT220's.
fn control_byte(base: char) -> Option<u8> {
    Some(match base {
        ' ' | '@' | '`' | '2' => 0x00,
        'a'..='z' => u8::try_from(u32::from(base) & 0x1f).ok()?,
        '[' | '{' | '3' => 0x1b,
        '\\' | '|' | '4' => 0x1c,
        ']' | '}' | '5' => 0x1d,
        '^' | '~' | '6' => 0x1e,
        '_' | '/' | '7' => 0x1f,
        '?' | '8' => 0x7f,
        _ => return None,
    })
}
