//! SGR: how the next characters look.

use super::state::State;
use crate::frame::Underline;
use crate::limits::PEN_STACK_MAX;
use crate::parser::Csi;
use crate::pen::{
    BLINK, BOLD, DIM, HIDDEN, INVERSE, ITALIC, Ink, OVERLINE, PROTECTED, Pen, STRIKE,
};

impl State {
    pub fn select_graphics(&mut self, csi: &Csi) {
        let pen = apply(self.pen, csi);
        if pen != self.pen {
            self.change_pen(pen);
        }
    }

    /// XTPUSHSGR.
    pub fn push_graphics(&mut self) {
        if self.pens.len() < PEN_STACK_MAX {
            self.pens.push(self.pen);
        }
    }

    /// XTPOPSGR. A link and the protection of DECSCA are not graphics.
    pub fn pop_graphics(&mut self) {
        if let Some(pushed) = self.pens.pop() {
            let kept = self.pen.flags & PROTECTED;
            let flags = (pushed.flags & !PROTECTED) | kept;
            self.change_pen(Pen { link: self.pen.link, flags, ..pushed });
        }
    }
}

fn apply(mut pen: Pen, csi: &Csi) -> Pen {
    let params = csi.params();
    if params.is_empty() {
        return reset(pen);
    }
    let mut index = 0;
    while let Some(code) = params.get(index) {
        let group = group_len(csi, index);
        match code {
            38 | 48 | 58 => {
                let (ink, used) = if group > 1 {
                    (colon_color(csi, index, group), group)
                } else {
                    semicolon_color(csi, index)
                };
                if let Some(ink) = ink {
                    match code {
                        38 => pen.fore = ink,
                        48 => pen.back = ink,
                        _ => pen.line = ink,
                    }
                }
                index += used;
                continue;
            }
            4 if group > 1 => pen.set_underline(underline(csi.raw(index + 1))),
            _ => apply_one(&mut pen, *code),
        }
        index += group;
    }
    pen
}

/// A link and the protection of DECSCA are not graphics and outlive a reset.
fn reset(pen: Pen) -> Pen {
    Pen { link: pen.link, flags: pen.flags & PROTECTED, ..Pen::default() }
}

fn apply_one(pen: &mut Pen, code: u16) {
    match code {
        0 => *pen = reset(*pen),
        1 => pen.set(BOLD, true),
        2 => pen.set(DIM, true),
        3 => pen.set(ITALIC, true),
        4 => pen.set_underline(Underline::Single),
        5 | 6 => pen.set(BLINK, true),
        7 => pen.set(INVERSE, true),
        8 => pen.set(HIDDEN, true),
        9 => pen.set(STRIKE, true),
        21 => pen.set_underline(Underline::Double),
        22 => pen.set(BOLD | DIM, false),
        23 => pen.set(ITALIC, false),
        24 => pen.set_underline(Underline::None),
        25 => pen.set(BLINK, false),
        27 => pen.set(INVERSE, false),
        28 => pen.set(HIDDEN, false),
        29 => pen.set(STRIKE, false),
        30..=37 => pen.fore = Ink::indexed((code - 30) as u8),
        39 => pen.fore = Ink::DEFAULT,
        40..=47 => pen.back = Ink::indexed((code - 40) as u8),
        49 => pen.back = Ink::DEFAULT,
        53 => pen.set(OVERLINE, true),
        55 => pen.set(OVERLINE, false),
        59 => pen.line = Ink::DEFAULT,
        90..=97 => pen.fore = Ink::indexed((code - 90 + 8) as u8),
        100..=107 => pen.back = Ink::indexed((code - 100 + 8) as u8),
        _ => {}
    }
}

fn underline(kind: u16) -> Underline {
    match kind {
        0 => Underline::None,
        2 => Underline::Double,
        3 => Underline::Curly,
        4 => Underline::Dotted,
        5 => Underline::Dashed,
        _ => Underline::Single,
    }
}

/// The parameter and those joined to it by colons.
fn group_len(csi: &Csi, index: usize) -> usize {
    let mut len = 1;
    while index + len < csi.params().len() && csi.is_sub(index + len) {
        len += 1;
    }
    len
}

fn byte(value: u16) -> Option<u8> {
    u8::try_from(value).ok()
}

/// `38:5:n`, `38:2:r:g:b` and `38:2:space:r:g:b`.
fn colon_color(csi: &Csi, index: usize, len: usize) -> Option<Ink> {
    let at = |offset: usize| byte(csi.raw(index + offset));
    match csi.raw(index + 1) {
        5 if len >= 3 => Some(Ink::indexed(at(2)?)),
        2 if len >= 6 => Some(Ink::rgb(at(3)?, at(4)?, at(5)?)),
        2 if len == 5 => Some(Ink::rgb(at(2)?, at(3)?, at(4)?)),
        _ => None,
    }
}

/// `38;5;n` and `38;2;r;g;b`, and how many parameters that took.
fn semicolon_color(csi: &Csi, index: usize) -> (Option<Ink>, usize) {
    let at = |offset: usize| byte(csi.raw(index + offset));
    match csi.raw(index + 1) {
        5 => (at(2).map(Ink::indexed), 3),
        2 => {
            let ink = match (at(2), at(3), at(4)) {
                (Some(r), Some(g), Some(b)) => Some(Ink::rgb(r, g, b)),
                _ => None,
            };
            (ink, 5)
        }
        _ => (None, 1),
    }
}
