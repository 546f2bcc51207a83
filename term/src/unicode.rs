//! How wide a character is and whether it joins the cell before it.
//!
//! Properties are asked of the Unicode crates once per block of 256 characters and kept in a
//! table, because a redraw asks for the same few blocks a million times.

use std::sync::OnceLock;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Low bits: columns, 0 to 2.
const WIDTH: u8 = 3;
/// Always joins what stands before it (marks, joiners, variation selectors).
const EXTENDS: u8 = 4;
/// Joins some neighbours: emoji after a joiner, flag letters, Hangul parts, conjuncts.
const MAY_JOIN: u8 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Properties(u8);

impl Properties {
    pub const fn columns(self) -> u8 {
        self.0 & WIDTH
    }
    pub const fn extends(self) -> bool {
        self.0 & EXTENDS != 0
    }
    pub const fn may_join(self) -> bool {
        self.0 & MAY_JOIN != 0
    }
}

const BLOCKS: usize = 0x11_0000 / 256;

type Block = OnceLock<Box<[u8; 256]>>;

static TABLE: [Block; BLOCKS] = [const { Block::new() }; BLOCKS];

#[inline]
pub(crate) fn properties(c: char) -> Properties {
    let code = c as usize;
    let Some(block) = TABLE.get(code >> 8) else {
        return Properties(1);
    };
    let block = block.get_or_init(|| compute(code >> 8));
    Properties(block[code & 255])
}

fn compute(block: usize) -> Box<[u8; 256]> {
    let mut out = Box::new([1; 256]);
    for (low, place) in out.iter_mut().enumerate() {
        if let Some(c) = char::from_u32((block << 8 | low) as u32) {
            *place = compute_one(c);
        }
    }
    out
}

fn compute_one(c: char) -> u8 {
    // The soft hyphen is a visible hyphen in every terminal.
    if c == '\u{ad}' {
        return 1;
    }
    let width = c.width().unwrap_or(0).min(2) as u8;
    let joins = |before: &str| is_one_cluster(&format!("{before}{c}"));
    if joins("a") {
        return width | EXTENDS;
    }
    let may = is_flag_letter(c)
        || joins("\u{1f469}\u{200d}")
        || joins("\u{915}\u{94d}")
        || joins("\u{1100}")
        || joins("\u{ac00}")
        || joins("\u{11a8}");
    if may { width | MAY_JOIN } else { width }
}

pub(crate) fn is_flag_letter(c: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&c)
}

/// Whether a single character may be joined by another that is not a mark: the second letter
/// of a flag, or a later part of a Hangul syllable.
pub(crate) fn may_follow(first: char, c: char) -> bool {
    match c {
        '\u{1f1e6}'..='\u{1f1ff}' => is_flag_letter(first),
        '\u{1100}'..='\u{115f}' | '\u{a960}'..='\u{a97c}' | '\u{ac00}'..='\u{d7a3}' => {
            matches!(first, '\u{1100}'..='\u{115f}' | '\u{a960}'..='\u{a97c}')
        }
        '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7ff}' => {
            matches!(first, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97c}'
                | '\u{ac00}'..='\u{d7ff}')
        }
        _ => false,
    }
}

/// Whether the text is a single grapheme cluster.
pub(crate) fn is_one_cluster(text: &str) -> bool {
    text.graphemes(true).nth(1).is_none()
}

/// Columns of a cluster: what its parts together ask for, at most two.
pub(crate) fn cluster_columns(text: &str) -> u8 {
    text.width().clamp(1, 2) as u8
}
