//! Grapheme clusters of several code points, interned like looks.

use std::collections::HashMap;
use std::sync::Arc;

use crate::limits::CLUSTERS_MAX;

#[derive(Debug, Default)]
pub(crate) struct Clusters {
    texts: Vec<Option<Arc<str>>>,
    numbers: HashMap<Arc<str>, u32>,
    free: Vec<u32>,
}

impl Clusters {
    pub fn is_full(&self) -> bool {
        self.free.is_empty() && self.texts.len() >= CLUSTERS_MAX
    }

    pub fn capacity(&self) -> usize {
        self.texts.len()
    }

    /// The number of a cluster, or nothing when there is no room.
    pub fn intern(&mut self, text: &str) -> Option<u32> {
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
    }
}
