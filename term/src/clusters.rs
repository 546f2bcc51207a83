//! Grapheme clusters of several code points, interned like looks.

use std::collections::HashMap;
use std::sync::Arc;

use crate::limits::{CLUSTER_BYTES_MAX, CLUSTERS_MAX};
use crate::slot::{Slot, SlotGlyph};
use crate::unicode;

/// What becomes of a cell and the character after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joined {
    /// Two cells.
    Apart,
    /// One cell, but there is no room for the mark, which is dropped.
    Full,
    /// One cell.
    Together { number: u32, wide: bool },
}

/// Answers kept, because text repeats the same few joins.
const RECENT: usize = 1_024;

#[derive(Debug, Clone, Copy)]
struct Recent {
    before: Slot,
    after: char,
    joined: Joined,
}

const NOTHING: Recent = Recent { before: Slot::BLANK, after: '\0', joined: Joined::Apart };

#[derive(Debug)]
pub(crate) struct Clusters {
    texts: Vec<Option<Arc<str>>>,
    numbers: HashMap<Arc<str>, u32>,
    free: Vec<u32>,
    recent: Box<[Recent]>,
}

impl Clusters {
    pub fn new() -> Self {
        Self {
            texts: Vec::new(),
            numbers: HashMap::new(),
            free: Vec::new(),
            recent: vec![NOTHING; RECENT].into_boxed_slice(),
        }
    }

    /// A mark always joins; another character only when both are one grapheme cluster.
    pub fn join(&mut self, before: Slot, after: char, is_mark: bool) -> Joined {
        let before = before.unstyled();
        let place = before.mix(after) % RECENT;
        if let Some(known) = self.recent.get(place)
            && known.before == before
            && known.after == after
        {
            return known.joined;
        }
        let joined = self.join_anew(before, after, is_mark);
        if let Some(known) = self.recent.get_mut(place) {
            *known = Recent { before, after, joined };
        }
        joined
    }

    fn join_anew(&mut self, before: Slot, after: char, is_mark: bool) -> Joined {
        let mut text = match before.glyph() {
            SlotGlyph::Char(c) => String::from(c),
            SlotGlyph::Cluster(number) => {
                self.text(number).map(|text| text.to_string()).unwrap_or_default()
            }
            SlotGlyph::Spacer => String::new(),
        };
        text.push(after);
        if !is_mark && !unicode::is_one_cluster(&text) {
            return Joined::Apart;
        }
        if text.len() > CLUSTER_BYTES_MAX {
            return Joined::Full;
        }
        match self.intern(&text) {
            Some(number) => Joined::Together {
                number,
                wide: before.is_wide() || unicode::cluster_columns(&text) == 2,
            },
            None => Joined::Full,
        }
    }

    pub fn is_full(&self) -> bool {
        self.free.is_empty() && self.texts.len() >= CLUSTERS_MAX
    }

    /// Rough: texts and their entries.
    pub fn memory_bytes(&self) -> usize {
        let texts: usize = self.texts.iter().flatten().map(|text| text.len()).sum();
        texts + self.texts.len() * 4 * size_of::<usize>()
    }

    pub fn live(&self) -> usize {
        self.texts.len() - self.free.len()
    }

    pub fn capacity(&self) -> usize {
        self.texts.len()
    }

    /// The number of a cluster, or nothing when there is no room.
    fn intern(&mut self, text: &str) -> Option<u32> {
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        let number = match self.free.pop() {
            Some(number) => number,
            None if self.is_full() => return None,
            None => {
                self.texts.push(None);
                (self.texts.len() - 1) as u32
            }
        };
        let text: Arc<str> = Arc::from(text);
        if let Some(place) = self.texts.get_mut(number as usize) {
            *place = Some(Arc::clone(&text));
        }
        self.numbers.insert(text, number);
        Some(number)
    }

    pub fn text(&self, number: u32) -> Option<&Arc<str>> {
        self.texts.get(number as usize)?.as_ref()
    }

    pub fn collect(&mut self, marked: &[bool]) {
        self.free.clear();
        for (number, place) in self.texts.iter_mut().enumerate() {
            if marked.get(number) == Some(&true) {
                continue;
            }
            if let Some(text) = place.take() {
                self.numbers.remove(&text);
            }
            self.free.push(number as u32);
        }
        self.recent.fill(NOTHING);
    }
}
