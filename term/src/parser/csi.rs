//! Parameters of a control sequence, kept in place: no allocation while parsing.

use super::{Actor, Parser};
use crate::limits::PARAMS_MAX;

/// A complete control sequence.
#[derive(Debug, Clone)]
pub(crate) struct Csi {
    params: [u16; PARAMS_MAX],
    len: usize,
    /// Bit n: parameter n was separated by a colon from the one before.
    sub: u32,
    /// One of `<=>?`, or 0.
    pub prefix: u8,
    intermediates: [u8; 2],
    intermediates_len: usize,
    pub last: u8,
}

impl Csi {
    pub(super) const fn new() -> Self {
        Self {
            params: [0; PARAMS_MAX],
            len: 0,
            sub: 0,
            prefix: 0,
            intermediates: [0; 2],
            intermediates_len: 0,
            last: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.params[..self.len.min(PARAMS_MAX)].fill(0);
        self.params[0] = 0;
        (self.len, self.sub, self.prefix, self.intermediates_len) = (0, 0, 0, 0);
    }

    pub fn intermediates(&self) -> &[u8] {
        &self.intermediates[..self.intermediates_len.min(2)]
    }

    pub fn params(&self) -> &[u16] {
        &self.params[..self.len.min(PARAMS_MAX)]
    }

    pub fn is_sub(&self, index: usize) -> bool {
        index < PARAMS_MAX && self.sub & (1 << index) != 0
    }

    /// The parameter, 0 when it is missing.
    pub fn raw(&self, index: usize) -> u16 {
        self.params().get(index).copied().unwrap_or(0)
    }

    /// The parameter as a count: 0 and missing mean 1.
    pub fn count(&self, index: usize) -> usize {
        usize::from(self.raw(index).max(1))
    }

    #[inline]
    pub(super) fn digit(&mut self, digit: u8) {
        self.len = self.len.max(1);
        if let Some(param) = self.params.get_mut(self.len - 1) {
            *param = param.saturating_mul(10).saturating_add(u16::from(digit));
        }
    }

    #[inline]
    pub(super) fn separator(&mut self, colon: bool) {
        // One beyond the end is remembered so that digits of dropped parameters go nowhere.
        self.len = (self.len.max(1) + 1).min(PARAMS_MAX + 1);
        if colon && self.len <= PARAMS_MAX {
            self.sub |= 1 << (self.len - 1);
        }
    }

    pub(super) fn collect(&mut self, byte: u8) {
        if let Some(place) = self.intermediates.get_mut(self.intermediates_len) {
            *place = byte;
        }
        self.intermediates_len += 1;
    }

    /// Whether the sequence has no parameter and no prefix yet.
    pub(super) const fn is_new(&self) -> bool {
        self.len == 0 && self.prefix == 0
    }

    /// More intermediates than any function has.
    pub(super) const fn is_overlong(&self) -> bool {
        self.intermediates_len > 2
    }
}

impl Parser {
    /// An ordinary control sequence that is here to its end, without a step per byte through
    /// the states; `None` leaves anything else to them.
    pub(super) fn whole_csi<'a, A: Actor>(
        &mut self,
        bytes: &'a [u8],
        actor: &mut A,
    ) -> Option<&'a [u8]> {
        let body = bytes.strip_prefix(b"\x1b[")?;
        self.csi.clear();
        for (at, byte) in body.iter().enumerate() {
            match *byte {
                digit @ b'0'..=b'9' => self.csi.digit(digit - b'0'),
                b';' => self.csi.separator(false),
                prefix @ b'<'..=b'?' if at == 0 => self.csi.prefix = prefix,
                last @ 0x40..=0x7e => {
                    self.csi.last = last;
                    actor.csi(&self.csi);
                    return body.get(at + 1..);
                }
                _ => return None,
            }
        }
        None
    }
}
