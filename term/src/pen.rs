//! The look the next character gets, packed.

use crate::frame::{Color, Underline};

pub(crate) const BOLD: u16 = 1;
pub(crate) const DIM: u16 = 1 << 1;
pub(crate) const ITALIC: u16 = 1 << 2;
pub(crate) const BLINK: u16 = 1 << 3;
pub(crate) const INVERSE: u16 = 1 << 4;
pub(crate) const HIDDEN: u16 = 1 << 5;
pub(crate) const STRIKE: u16 = 1 << 6;
pub(crate) const OVERLINE: u16 = 1 << 7;
const UNDERLINE_SHIFT: u16 = 8;
pub(crate) const UNDERLINE_MASK: u16 = 7 << UNDERLINE_SHIFT;
/// DECSCA; not part of the look, but it travels with the cell.
pub(crate) const PROTECTED: u16 = 1 << 11;

/// A colour in four bytes: a tag and a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Ink(u32);

impl Ink {
    pub const DEFAULT: Self = Self(0);

    pub const fn indexed(index: u8) -> Self {
        Self(1 << 24 | index as u32)
    }

    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self(2 << 24 | (r as u32) << 16 | (g as u32) << 8 | b as u32)
    }

    pub fn color(self) -> Color {
        let [tag, r, g, b] = self.0.to_be_bytes();
        match tag {
            0 => Color::Default,
            1 => Color::Indexed(b),
            _ => Color::Rgb(r, g, b),
        }
    }
}

/// The look the next character gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Pen {
    pub fore: Ink,
    pub back: Ink,
    pub line: Ink,
    pub flags: u16,
    pub link: u16,
}

impl Pen {
    pub fn set(&mut self, flag: u16, on: bool) {
        if on {
            self.flags |= flag;
        } else {
            self.flags &= !flag;
        }
    }

    pub fn set_underline(&mut self, underline: Underline) {
        let kind = match underline {
            Underline::None => 0,
            Underline::Single => 1,
            Underline::Double => 2,
            Underline::Curly => 3,
            Underline::Dotted => 4,
            Underline::Dashed => 5,
        };
        self.flags = (self.flags & !UNDERLINE_MASK) | (kind << UNDERLINE_SHIFT);
    }

    pub fn underline(self) -> Underline {
        match (self.flags & UNDERLINE_MASK) >> UNDERLINE_SHIFT {
            1 => Underline::Single,
            2 => Underline::Double,
            3 => Underline::Curly,
            4 => Underline::Dotted,
            5 => Underline::Dashed,
            _ => Underline::None,
        }
    }

    /// What erasing leaves: only the background (BCE).
    pub fn erased(self) -> Self {
        Self { back: self.back, ..Self::default() }
    }

    pub fn hash(self) -> u64 {
        let a = u64::from(self.fore.0) << 32 | u64::from(self.back.0);
        let b = u64::from(self.line.0) << 32 | u64::from(self.flags) << 16 | u64::from(self.link);
        let mixed = (a ^ b.rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }
}
