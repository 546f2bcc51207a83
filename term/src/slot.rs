//! One cell of the grid as it is stored: eight bytes. Looks and clusters are interned, so
//! equal slots look equal and comparing rows is comparing memory.

use crate::clusters::Clusters;

/// What the low bits of `glyph` mean is told by the high ones.
const CLUSTER: u32 = 1 << 31;
/// The glyph takes this cell and the next.
const WIDE: u32 = 1 << 30;
/// Right half of the wide cell before.
const SPACER: u32 = 1 << 29;
/// Left empty at the end of a line because a wide glyph did not fit.
const FILLER: u32 = 1 << 28;
const INDEX: u32 = FILLER - 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    glyph: u32,
    /// Key into the style table; 0 is the default look.
    pub style: u32,
}

const _: () = assert!(size_of::<Slot>() == 8);

/// What a slot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotGlyph {
    Char(char),
    Cluster(u32),
    Spacer,
}

impl Slot {
    pub const BLANK: Self = Self::blank(0);

    pub const fn blank(style: u32) -> Self {
        Self { glyph: b' ' as u32, style }
    }

    pub const fn ascii(byte: u8, style: u32) -> Self {
        Self { glyph: byte as u32, style }
    }

    pub const fn new(c: char, wide: bool, style: u32) -> Self {
        let glyph = if wide { c as u32 | WIDE } else { c as u32 };
        Self { glyph, style }
    }

    pub const fn cluster(index: u32, wide: bool, style: u32) -> Self {
        let wide = if wide { WIDE } else { 0 };
        Self { glyph: (index & INDEX) | CLUSTER | wide, style }
    }

    pub const fn spacer(style: u32) -> Self {
        Self { glyph: SPACER, style }
    }

    pub const fn filler(style: u32) -> Self {
        Self { glyph: b' ' as u32 | FILLER, style }
    }

    pub fn glyph(self) -> SlotGlyph {
        if self.glyph & SPACER != 0 {
            SlotGlyph::Spacer
        } else if self.glyph & CLUSTER != 0 {
            SlotGlyph::Cluster(self.glyph & INDEX)
        } else {
            SlotGlyph::Char(char::from_u32(self.glyph & INDEX).unwrap_or(' '))
        }
    }

    pub const fn is_wide(self) -> bool {
        self.glyph & WIDE != 0
    }

    pub const fn is_spacer(self) -> bool {
        self.glyph & SPACER != 0
    }

    pub const fn is_filler(self) -> bool {
        self.glyph & FILLER != 0
    }

    /// The same glyph in the default look.
    pub const fn unstyled(self) -> Self {
        Self { style: 0, ..self }
    }

    /// A number to find a pair of glyph and character by.
    pub const fn mix(self, after: char) -> usize {
        let both = (self.glyph as u64) << 32 | after as u64;
        (both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
    }

    /// The same glyph, whatever the look.
    pub const fn same_glyph(self, other: Self) -> bool {
        self.glyph == other.glyph
    }

    /// A space, whatever the look.
    pub const fn is_space(self) -> bool {
        self.glyph & !FILLER == b' ' as u32
    }

    /// The same glyph in the default look, a cluster reduced to its first character.
    pub fn plain(self, clusters: &Clusters) -> Self {
        let c = match self.glyph() {
            SlotGlyph::Spacer => return Self::spacer(0),
            SlotGlyph::Char(c) => c,
            SlotGlyph::Cluster(number) => {
                clusters.text(number).and_then(|text| text.chars().next()).unwrap_or(' ')
            }
        };
        let mut plain = Self::new(c, self.is_wide(), 0);
        plain.glyph |= self.glyph & FILLER;
        plain
    }
}
