//! Looks of cells, interned: a program uses few, and a cell keeps only a number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use crate::frame::Style;
use crate::limits::{LINK_BYTES_MAX, LINKS_MAX, STYLES_MAX};
use crate::pen::{BLINK, BOLD, DIM, HIDDEN, INVERSE, ITALIC, OVERLINE, Pen, STRIKE};

/// The pen hashes itself; this only carries the number.
#[derive(Debug, Default)]
struct Carry(u64);

impl Hasher for Carry {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

const CACHE: usize = 256;

/// Pens by number and numbers by pen.
#[derive(Debug)]
pub(crate) struct Styles {
    pens: Vec<Pen>,
    shared: Vec<Option<Arc<Style>>>,
    numbers: HashMap<u64, Vec<u32>, BuildHasherDefault<Carry>>,
    free: Vec<u32>,
    recent: Box<[(Pen, u32)]>,
    links: Vec<Option<Arc<str>>>,
    link_numbers: HashMap<Arc<str>, u16>,
    free_links: Vec<u16>,
}

impl Styles {
    pub fn new() -> Self {
        let mut styles = Self {
            pens: Vec::new(),
            shared: Vec::new(),
            numbers: HashMap::default(),
            free: Vec::new(),
            recent: vec![(Pen::default(), 0); CACHE].into_boxed_slice(),
            links: vec![None],
            link_numbers: HashMap::new(),
            free_links: Vec::new(),
        };
        styles.insert(Pen::default());
        styles
    }

    /// Whether a new look may not be had without collecting first.
    pub fn is_full(&self) -> bool {
        self.free.is_empty() && self.pens.len() >= STYLES_MAX
    }

    pub fn capacity(&self) -> usize {
        self.pens.len()
    }

    /// Rough: a pen, its entry in the map, its shared form.
    pub fn memory_bytes(&self) -> usize {
        let links: usize = self.links.iter().flatten().map(|text| text.len()).sum();
        self.pens.len() * (size_of::<Pen>() + 2 * size_of::<u64>() + size_of::<Style>()) + links
    }

    pub fn live(&self) -> usize {
        self.pens.len() - self.free.len()
    }

    /// The number of a pen; 0, the default look, when there is no room.
    pub fn intern(&mut self, pen: Pen) -> u32 {
        if pen == Pen::default() {
            return 0;
        }
        let hash = pen.hash();
        let place = (hash as usize) % CACHE;
        if let Some((cached, number)) = self.recent.get(place)
            && *cached == pen
        {
            return *number;
        }
        let known = self.numbers.get(&hash).and_then(|numbers| {
            numbers.iter().copied().find(|number| self.pens.get(*number as usize) == Some(&pen))
        });
        let number = match known {
            Some(number) => number,
            None if self.is_full() => return 0,
            None => self.insert(pen),
        };
        if let Some(entry) = self.recent.get_mut(place) {
            *entry = (pen, number);
        }
        number
    }

    fn insert(&mut self, pen: Pen) -> u32 {
        let number = match self.free.pop() {
            Some(number) => {
                if let Some(place) = self.pens.get_mut(number as usize) {
                    *place = pen;
                }
                number
            }
            None => {
                self.pens.push(pen);
                self.shared.push(None);
                (self.pens.len() - 1) as u32
            }
        };
        self.numbers.entry(pen.hash()).or_default().push(number);
        number
    }

    pub fn pen(&self, number: u32) -> Pen {
        self.pens.get(number as usize).copied().unwrap_or_default()
    }

    /// The look as frames carry it, made once per number.
    pub fn style(&mut self, number: u32) -> Arc<Style> {
        if let Some(Some(style)) = self.shared.get(number as usize) {
            return Arc::clone(style);
        }
        let style = Arc::new(self.look(self.pen(number)));
        if let Some(place) = self.shared.get_mut(number as usize) {
            *place = Some(Arc::clone(&style));
        }
        style
    }

    /// Like [`Self::style`] for a reader that may not write.
    pub fn style_uncached(&self, number: u32) -> Arc<Style> {
        match self.shared.get(number as usize) {
            Some(Some(style)) => Arc::clone(style),
            Some(None) | None => Arc::new(self.look(self.pen(number))),
        }
    }

    fn look(&self, pen: Pen) -> Style {
        Style {
            foreground: pen.fore.color(),
            background: pen.back.color(),
            underline_color: pen.line.color(),
            underline: pen.underline(),
            bold: pen.flags & BOLD != 0,
            dim: pen.flags & DIM != 0,
            italic: pen.flags & ITALIC != 0,
            blink: pen.flags & BLINK != 0,
            inverse: pen.flags & INVERSE != 0,
            hidden: pen.flags & HIDDEN != 0,
            strikethrough: pen.flags & STRIKE != 0,
            overline: pen.flags & OVERLINE != 0,
            link: self.links.get(usize::from(pen.link)).cloned().flatten(),
        }
    }

    /// The number of a link target; 0, no link, when it is too long or there is no room.
    pub fn link(&mut self, target: &str) -> u16 {
        if target.is_empty() || target.len() > LINK_BYTES_MAX {
            return 0;
        }
        if let Some(number) = self.link_numbers.get(target) {
            return *number;
        }
        let text: Arc<str> = Arc::from(target);
        let number = match self.free_links.pop() {
            Some(number) => number,
            None if self.links.len() >= LINKS_MAX => return 0,
            None => {
                self.links.push(None);
                (self.links.len() - 1) as u16
            }
        };
        if let Some(place) = self.links.get_mut(usize::from(number)) {
            *place = Some(Arc::clone(&text));
        }
        self.link_numbers.insert(text, number);
        number
    }

    pub fn link_target(&self, number: u16) -> Option<&str> {
        self.links.get(usize::from(number))?.as_deref()
    }

    pub fn links_full(&self) -> bool {
        self.free_links.is_empty() && self.links.len() >= LINKS_MAX
    }

    /// Keeps the marked looks, the links they use and those of `pens`.
    pub fn collect(&mut self, marked: &[bool], pens: &[Pen]) {
        self.numbers.clear();
        self.free.clear();
        let mut linked = vec![false; self.links.len()];
        let mut mark_link = |link: u16| {
            if let Some(place) = linked.get_mut(usize::from(link)) {
                *place = true;
            }
        };
        for (number, pen) in self.pens.iter().enumerate() {
            if number == 0 || marked.get(number) == Some(&true) {
                self.numbers.entry(pen.hash()).or_default().push(number as u32);
                mark_link(pen.link);
            } else {
                self.free.push(number as u32);
                if let Some(place) = self.shared.get_mut(number) {
                    *place = None;
                }
            }
        }
        for pen in pens {
            mark_link(pen.link);
        }
        self.free_links.clear();
        for (number, live) in linked.iter().enumerate().skip(1) {
            if *live {
                continue;
            }
            self.free_links.push(number as u16);
            if let Some(Some(text)) = self.links.get_mut(number).map(Option::take) {
                self.link_numbers.remove(&text);
            }
        }
        self.recent.fill((Pen::default(), 0));
    }
}
