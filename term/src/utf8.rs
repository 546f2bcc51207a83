//! One character of UTF-8 at a time, with the replacement rule of the Unicode standard: a
//! broken sequence is replaced once for its longest valid beginning.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// A character and its length in bytes.
    Char(char, usize),
    /// So many bytes are broken; always at least one.
    Invalid(usize),
    /// Valid so far, but the end is missing.
    Incomplete,
}

/// Decodes the beginning of a text that is not empty.
#[inline]
pub(crate) fn decode(bytes: &[u8]) -> Decoded {
    if let [a @ 0xe1..=0xec, b @ 0x80..=0xbf, c @ 0x80..=0xbf, ..] = *bytes {
        let code = u32::from(a & 0x0f) << 12 | u32::from(b & 0x3f) << 6 | u32::from(c & 0x3f);
        if let Some(c) = char::from_u32(code) {
            return Decoded::Char(c, 3);
        }
    }
    if let [a @ 0xc2..=0xdf, b @ 0x80..=0xbf, ..] = *bytes {
        let code = u32::from(a & 0x1f) << 6 | u32::from(b & 0x3f);
        if let Some(c) = char::from_u32(code) {
            return Decoded::Char(c, 2);
        }
    }
    slow(bytes.get(..4).unwrap_or(bytes))
}

fn slow(bytes: &[u8]) -> Decoded {
    let (valid, error) = match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            (std::str::from_utf8(valid).unwrap_or_default(), Some(error))
        }
    };
    if let Some(c) = valid.chars().next() {
        return Decoded::Char(c, c.len_utf8());
    }
    match error.and_then(|error| error.error_len()) {
        Some(len) => Decoded::Invalid(len.max(1)),
        None => Decoded::Incomplete,
    }
}
