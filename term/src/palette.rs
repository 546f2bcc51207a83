//! The colours that stand behind palette numbers, as xterm has them by default. Used where a
//! number must become a colour: HTML and the answers to OSC 4, 10, 11 and 12.

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
