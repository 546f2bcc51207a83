//! Character sets G0 to G3: ASCII, British and the DEC line drawing set.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Charset {
    #[default]
    Ascii,
    British,
    LineDrawing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Charsets {
    pub slots: [Charset; 4],
    /// Which of the four is in use (SO, SI, LS2, LS3).
    pub active: usize,
    /// SS2 or SS3: the set of the next character only.
    pub single: Option<usize>,
}

impl Charsets {
    /// Whether ASCII goes to the screen as it is.
    pub fn is_plain(&self) -> bool {
        self.single.is_none() && self.current() == Charset::Ascii
    }

    fn current(&self) -> Charset {
        self.slots.get(self.active).copied().unwrap_or_default()
    }

    /// The character to show, and the end of a single shift.
    pub fn translate(&mut self, byte: u8) -> char {
        let set = match self.single.take() {
            Some(slot) => self.slots.get(slot).copied().unwrap_or_default(),
            None => self.current(),
        };
        match set {
            Charset::Ascii => char::from(byte),
            Charset::British if byte == b'#' => '£',
            Charset::British => char::from(byte),
            Charset::LineDrawing => line_drawing(byte),
        }
    }
}

fn line_drawing(byte: u8) -> char {
    const TABLE: [char; 32] = [
        '\u{a0}', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺',
        '⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
    ];
    let place = usize::from(byte.wrapping_sub(0x5f));
    TABLE.get(place).copied().unwrap_or(char::from(byte))
}
