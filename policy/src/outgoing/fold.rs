//! Text as an attacker means it to be read: full-width and other look-alike letters become
//! what they look like, invisible characters vanish. Only for looking; never shown.

use unicode_normalization::UnicodeNormalization as _;

/// Folded text and, for each of its bytes, the byte of the original it came from.
#[derive(Debug)]
pub struct Folded {
    pub text: String,
    origins: Vec<usize>,
    length: usize,
}

impl Folded {
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut folded = Self {
            text: String::with_capacity(text.len()),
            origins: Vec::with_capacity(text.len()),
            length: text.len(),
        };
        for (offset, c) in text.char_indices() {
            if c.is_ascii() {
                folded.push(c, offset);
            } else if let Some(plain) = look_alike(c) {
                plain.chars().for_each(|c| folded.push(c, offset));
            } else if !is_invisible(c) {
                std::iter::once(c).nfkc().for_each(|c| folded.push(c, offset));
            }
        }
        folded
    }

    fn push(&mut self, c: char, offset: usize) {
        self.text.push(c);
        self.origins.resize(self.text.len(), offset);
    }

    /// The part of the original behind a part of the folded text.
    #[must_use]
    pub fn origin(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        let at = |index: usize| self.origins.get(index).copied().unwrap_or(self.length);
        at(start)..at(end)
    }
}

/// Characters that show nothing and only split words or turn text around.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{00AD}' | '\u{034F}' | '\u{061C}'
        | '\u{180E}' | '\u{E0000}'..='\u{E007F}')
}

/// Letters of other scripts and brackets that look like ours.
fn look_alike(c: char) -> Option<&'static str> {
    let plain = match c {
        '‹' | '\u{3008}' | '\u{2329}' | '⟨' | '❮' | '❬' | '˂' | '⧼' => "<",
        '›' | '\u{3009}' | '\u{232A}' | '⟩' | '❯' | '❭' | '˃' | '⧽' => ">",
        '«' | '《' | '⟪' | '≪' => "<<",
        '»' | '》' | '⟫' | '≫' => ">>",
        '⋘' => "<<<",
        '⋙' => ">>>",
        'А' | 'Α' => "A",
        'В' | 'Β' => "B",
        'С' | 'Ϲ' => "C",
        'Ԁ' => "D",
        'Е' | 'Ε' => "E",
        'Н' | 'Η' => "H",
        'І' | 'Ι' => "I",
        'К' | 'Κ' => "K",
        'М' | 'Μ' => "M",
        'Ν' => "N",
        'О' | 'Ο' => "O",
        'Р' | 'Ρ' => "P",
        'Ѕ' => "S",
        'Т' | 'Τ' => "T",
        'Ս' => "U",
        'Х' | 'Χ' => "X",
        'а' => "a",
        'с' => "c",
        'ԁ' => "d",
        'е' => "e",
        'і' => "i",
        'о' | 'ο' => "o",
        'р' => "p",
        'ѕ' => "s",
        'у' => "y",
        'х' => "x",
        'ˍ' | '＿' | '﹍' => "_",
        _ => return None,
    };
    Some(plain)
}
