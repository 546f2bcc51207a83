//! The colours that stand behind palette numbers, as xterm has them by default. Used where a
//! number must become a colour: HTML and the answers to OSC 4 and 10 to 19.

use std::collections::BTreeMap;

/// Default text colour (OSC 10) and cursor colour (OSC 12).
pub const FOREGROUND: (u8, u8, u8) = (0xd3, 0xd7, 0xcf);
/// Default background (OSC 11): dark, so that programs choose light text.
pub const BACKGROUND: (u8, u8, u8) = (0x00, 0x00, 0x00);

const BASE: [(u8, u8, u8); 16] = [
    (0x00, 0x00, 0x00),
    (0xcd, 0x00, 0x00),
    (0x00, 0xcd, 0x00),
    (0xcd, 0xcd, 0x00),
    (0x00, 0x00, 0xee),
    (0xcd, 0x00, 0xcd),
    (0x00, 0xcd, 0xcd),
    (0xe5, 0xe5, 0xe5),
    (0x7f, 0x7f, 0x7f),
    (0xff, 0x00, 0x00),
    (0x00, 0xff, 0x00),
    (0xff, 0xff, 0x00),
    (0x5c, 0x5c, 0xff),
    (0xff, 0x00, 0xff),
    (0x00, 0xff, 0xff),
    (0xff, 0xff, 0xff),
];

/// xterm's colour for a palette number: 16 named ones, a 6×6×6 cube, 24 greys.
#[must_use]
pub fn rgb(index: u8) -> (u8, u8, u8) {
    if let Some(color) = BASE.get(usize::from(index)) {
        return *color;
    }
    if index >= 232 {
        let grey = 8 + (index - 232) * 10;
        return (grey, grey, grey);
    }
    let level = |step: u8| if step == 0 { 0 } else { 55 + step * 40 };
    let cube = index - 16;
    (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
}

type Rgb = (u8, u8, u8);

/// Numbers of the single colours: text, background, cursor, two of the mouse, two of Tektronix,
/// background of a selection, Tektronix cursor, text of a selection.
pub(crate) const DYNAMIC: std::ops::RangeInclusive<u32> = 10..=19;

/// Colours the program set, kept only to answer queries truthfully.
#[derive(Debug, Default)]
pub(crate) struct Palette {
    numbered: BTreeMap<u8, Rgb>,
    dynamic: BTreeMap<u32, Rgb>,
}

impl Palette {
    pub fn numbered(&self, index: u8) -> Rgb {
        self.numbered.get(&index).copied().unwrap_or(rgb(index))
    }

    pub fn set_numbered(&mut self, index: u8, color: Rgb) {
        self.numbered.insert(index, color);
    }

    pub fn reset_numbered(&mut self, index: Option<u8>) {
        match index {
            Some(index) => {
                self.numbered.remove(&index);
            }
            None => self.numbered.clear(),
        }
    }

    pub fn dynamic(&self, number: u32) -> Rgb {
        self.dynamic.get(&number).copied().unwrap_or(match number {
            // A selection is shown reversed.
            11 | 14 | 16 | 19 => BACKGROUND,
            _ => FOREGROUND,
        })
    }

    /// Only for numbers in [`DYNAMIC`].
    pub fn set_dynamic(&mut self, number: u32, color: Option<Rgb>) {
        match color {
            Some(color) if DYNAMIC.contains(&number) => {
                self.dynamic.insert(number, color);
            }
            Some(_) => {}
            None => {
                self.dynamic.remove(&number);
            }
        }
    }
}

/// XParseColor's usual forms: `#rgb`, `#rrggbb`, `#rrrrggggbbbb` and `rgb:r/g/b` with one to
/// four digits each.
pub(crate) fn parse(text: &str) -> Option<Rgb> {
    let parts: Vec<&str> = if let Some(digits) = text.strip_prefix('#') {
        let each = digits.len() / 3;
        if !digits.is_ascii() || each == 0 || digits.len() % 3 != 0 {
            return None;
        }
        vec![digits.get(..each)?, digits.get(each..2 * each)?, digits.get(2 * each..)?]
    } else {
        text.strip_prefix("rgb:")?.split('/').collect()
    };
    let scaled = text.starts_with("rgb:");
    match *parts.as_slice() {
        [r, g, b] => Some((channel(r, scaled)?, channel(g, scaled)?, channel(b, scaled)?)),
        _ => None,
    }
}

/// One channel: `rgb:` scales a value to its digits, `#` gives its highest bits.
fn channel(digits: &str, scaled: bool) -> Option<u8> {
    let len = u32::try_from(digits.len()).ok()?;
    if !(1..=4).contains(&len) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let max = 16u32.pow(len) - 1;
    let byte = if scaled { value * 255 / max } else { (value << (16 - 4 * len)) >> 8 };
    u8::try_from(byte).ok()
}
