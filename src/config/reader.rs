//! Reads typed values out of a YAML tree and notes everything that does not fit.
//!
//! A `Block` knows which keys it allows, so an unknown one is found whatever else is wrong,
//! with the nearest key that would have been right.

use std::ops::RangeInclusive;

use super::error::Findings;
use super::yaml::{Data, Entry, Node};

/// A value with the place it came from, so that later checks can point at it.
#[derive(Debug, Clone)]
pub struct Place {
    pub line: usize,
    pub key: String,
}

/// A block of keys that is being read.
pub struct Block<'n> {
    pub place: Place,
    entries: &'n [Entry],
}

/// Closest of `candidates` to a misspelt `name`, when one is close enough to be meant.
pub fn nearest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    candidates
        .iter()
        .map(|candidate| (strsim::jaro_winkler(&lower, &candidate.to_lowercase()), *candidate))
        .filter(|(score, _)| *score >= 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

impl<'n> Block<'n> {
    /// Reads `node` as a block with exactly these keys. `null` is an empty block.
    pub fn open(node: &'n Node, key: &str, allowed: &[&str], findings: &mut Findings) -> Self {
        let block = Self::open_any(node, key, findings);
        for entry in block.entries {
            if !allowed.contains(&entry.key.as_str()) {
                let path = block.path(&entry.key);
                match nearest(&entry.key, allowed) {
                    Some(near) => findings.add_with_hint(
                        entry.line,
                        &path,
                        "unknown key",
                        format!("did you mean `{}`?", block.path(near)),
                    ),
                    None => findings.add_with_hint(
                        entry.line,
                        &path,
                        "unknown key",
                        format!("valid here: {}", allowed.join(", ")),
                    ),
                }
            }
        }
        block
    }

    /// Reads `node` as a block whose keys are the operator's own names.
    pub fn open_any(node: &'n Node, key: &str, findings: &mut Findings) -> Self {
        let place = Place { line: node.line, key: key.to_owned() };
        if let Data::Map(entries) = &node.data {
            return Self { place, entries };
        }
        if !node.data.is_silent() {
            wrong(findings, node.line, key, "a block of keys", &node.data);
        }
        Self { place, entries: &[] }
    }

    pub fn path(&self, name: &str) -> String {
        if self.place.key.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.place.key)
        }
    }

    pub fn entries(&self) -> &'n [Entry] {
        self.entries
    }

    pub fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().rev().find(|entry| entry.key == name).map(|entry| &entry.value)
    }

    /// The place of a key, or of the block when the key is absent.
    pub fn at(&self, name: &str) -> Place {
        let line = self.get(name).map_or(self.place.line, |node| node.line);
        Place { line, key: self.path(name) }
    }

    pub fn bool(&self, name: &str, default: bool, findings: &mut Findings) -> bool {
        let Some(node) = self.get(name) else { return default };
        if let Data::Bool(value) = node.data {
            return value;
        }
        if !matches!(node.data, Data::Bad) {
            wrong(findings, node.line, &self.path(name), "true or false", &node.data);
        }
        default
    }

    /// A whole number in a range; absent is `None`, and so is `null`.
    pub fn int_opt(
        &self,
        name: &str,
        range: RangeInclusive<u64>,
        findings: &mut Findings,
    ) -> Option<u64> {
        let node = self.get(name)?;
        let path = self.path(name);
        if node.data.is_silent() {
            return None;
        }
        let Data::Int(value) = node.data else {
            wrong(findings, node.line, &path, "a whole number", &node.data);
            return None;
        };
        let value = u64::try_from(value).ok().filter(|value| range.contains(value));
        if value.is_none() {
            let (low, high) = (range.start(), range.end());
            let problem = if *high == u64::MAX {
                format!("must be at least {low}")
            } else {
                format!("must be from {low} to {high}")
            };
            findings.add(node.line, &path, problem);
        }
        value
    }

    pub fn int(
        &self,
        name: &str,
        default: u64,
        range: RangeInclusive<u64>,
        findings: &mut Findings,
    ) -> u64 {
        if let Some(Node { line, data: Data::Null }) = self.get(name) {
            findings.add(*line, &self.path(name), "must be a whole number, not null");
        }
        self.int_opt(name, range, findings).unwrap_or(default)
    }

    /// An amount of money or the like: finite and above zero; `null` is none.
    pub fn amount_opt(&self, name: &str, findings: &mut Findings) -> Option<f64> {
        let node = self.get(name)?;
        if node.data.is_silent() {
            return None;
        }
        let value = if let Data::Float(value) = node.data {
            value
        } else if let Data::Int(value) = node.data {
            // Whatever does not fit is out of the range below anyway.
            i32::try_from(value).map_or(f64::INFINITY, f64::from)
        } else {
            wrong(findings, node.line, &self.path(name), "a number", &node.data);
            return None;
        };
        if value.is_finite() && value > 0.0 && value <= 1e9 {
            return Some(value);
        }
        findings.add(node.line, &self.path(name), "must be a number above 0 and at most 1e9");
        None
    }

    pub fn text_opt(&self, name: &str, findings: &mut Findings) -> Option<String> {
        let node = self.get(name)?;
        text_of(node, &self.path(name), findings)
    }

    pub fn required_text(&self, name: &str, findings: &mut Findings) -> Option<String> {
        match self.get(name) {
            None | Some(Node { data: Data::Null, .. }) => {
                findings.add(self.place.line, &self.path(name), "is required");
                None
            }
            Some(_) => self.text_opt(name, findings),
        }
    }

    /// One of a closed list of words; the first of `choices` is the default.
    pub fn choice<T: Copy>(
        &self,
        name: &str,
        choices: &[(&str, T)],
        findings: &mut Findings,
    ) -> Option<T> {
        let node = self.get(name)?;
        let text = text_of(node, &self.path(name), findings)?;
        if let Some((_, value)) = choices.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let problem = format!("`{text}` is not one of {}", words.join(", "));
        match nearest(&text, &words) {
            Some(near) => {
                let hint = format!("did you mean `{near}`?");
                findings.add_with_hint(node.line, &self.path(name), problem, hint);
            }
            None => findings.add(node.line, &self.path(name), problem),
        }
        None
    }

    /// The items of a list with their key paths; absent and `null` are empty.
    pub fn list(&self, name: &str, findings: &mut Findings) -> Vec<(String, &'n Node)> {
        let Some(node) = self.get(name) else { return Vec::new() };
        let path = self.path(name);
        if let Data::List(items) = &node.data {
            let items = items.iter().enumerate();
            return items.map(|(index, item)| (format!("{path}[{index}]"), item)).collect();
        }
        if !node.data.is_silent() {
            wrong(findings, node.line, &path, "a list", &node.data);
        }
        Vec::new()
    }

    pub fn texts(&self, name: &str, findings: &mut Findings) -> Vec<(Place, String)> {
        let mut out = Vec::new();
        for (path, item) in self.list(name, findings) {
            if let Some(text) = text_of(item, &path, findings) {
                out.push((Place { line: item.line, key: path }, text));
            }
        }
        out
    }
}

/// Text, or a bare number or word that YAML took for something else but stands for itself.
pub fn text_of(node: &Node, path: &str, findings: &mut Findings) -> Option<String> {
    if let Data::Text(text) = &node.data {
        return Some(text.clone());
    }
    if let Data::Int(value) = node.data {
        return Some(value.to_string());
    }
    if !node.data.is_silent() {
        wrong(findings, node.line, path, "text", &node.data);
    }
    None
}

fn wrong(findings: &mut Findings, line: usize, path: &str, wanted: &str, got: &Data) {
    findings.add(line, path, format!("must be {wanted}, not {}", got.describe()));
}
