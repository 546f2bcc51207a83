//! YAML text to a tree that remembers lines.
//!
//! Built on the parser's events instead of its ready-made tree, because that one keeps only
//! the last of two equal keys and follows aliases; here a repeated key and an alias are
//! findings.

use saphyr::{Scalar, ScalarStyle};
use saphyr_parser::{Event, Parser, Span, Tag};

use super::error::Findings;

/// Nesting beyond this is no configuration.
const DEPTH_MAX: usize = 32;

#[derive(Debug, Clone)]
pub struct Node {
    pub line: usize,
    pub data: Data,
}

#[derive(Debug, Clone)]
pub enum Data {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
    /// Was reported already; whoever meets it says nothing more.
    Bad,
}

#[derive(Debug, Clone)]
pub struct Entry {
    pub key: String,
    pub line: usize,
    pub value: Node,
}

impl Data {
    /// Nothing was said here, or what was said is reported already.
    pub fn is_silent(&self) -> bool {
        matches!(self, Self::Null | Self::Bad)
    }

    /// What a person would call it.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true/false",
            Self::Int(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "a block of keys",
            Self::Bad => "a broken value",
        }
    }
}

/// The root of the single document in `text`. Findings say what is wrong with it.
pub fn parse(text: &str, findings: &mut Findings) -> Node {
    let mut builder = Builder { findings, open: Vec::new(), root: None, too_deep: 0 };
    for item in Parser::new_from_str(text) {
        match item {
            Ok((event, span)) => builder.event(event, span),
            Err(error) => {
                let line = error.marker().line();
                builder.findings.add(line, "", format!("not valid YAML: {}", error.info()));
                return Node { line, data: Data::Bad };
            }
        }
    }
    builder.root.unwrap_or(Node { line: 1, data: Data::Null })
}

struct Builder<'a> {
    findings: &'a mut Findings,
    open: Vec<Open>,
    root: Option<Node>,
    too_deep: usize,
}

/// A collection that is still being read.
enum Open {
    List { line: usize, items: Vec<Node> },
    Map { line: usize, entries: Vec<Entry>, key: Option<(String, usize)> },
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) {
        let line = span.start.line();
        match event {
            Event::Scalar(text, style, _, tag) => {
                let data = scalar(&text, style, tag.as_deref());
                self.value(Node { line, data }, Some(&text));
            }
            Event::SequenceStart(..) => self.start(Open::List { line, items: Vec::new() }),
            Event::MappingStart(..) => {
                self.start(Open::Map { line, entries: Vec::new(), key: None });
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(_) => {
                self.findings.add(line, "", "aliases (*name) are not accepted here");
                self.value(Node { line, data: Data::Bad }, None);
            }
            Event::DocumentStart(_) if self.root.is_some() => {
                self.findings.add(line, "", "only one YAML document is read; remove `---`");
            }
            Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::StreamStart
            | Event::StreamEnd
            | Event::Nothing => {}
        }
    }

    fn start(&mut self, open: Open) {
        if self.open.len() >= DEPTH_MAX {
            self.too_deep += 1;
            return;
        }
        self.open.push(open);
    }

    fn end(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            if self.too_deep == 0 {
                self.findings.add(1, "", format!("nested deeper than {DEPTH_MAX} levels"));
                self.value(Node { line: 1, data: Data::Bad }, None);
            }
            return;
        }
        let node = match self.open.pop() {
            Some(Open::List { line, items }) => Node { line, data: Data::List(items) },
            Some(Open::Map { line, entries, .. }) => Node { line, data: Data::Map(entries) },
            None => return,
        };
        self.value(node, None);
    }

    /// `as_key` is the text the value would be if it stands where a key belongs.
    fn value(&mut self, node: Node, as_key: Option<&str>) {
        if self.too_deep > 0 {
            return;
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List { items, .. }) => items.push(node),
            Some(Open::Map { entries, key, .. }) => match key.take() {
                None => match as_key {
                    Some(text) => {
                        if entries.iter().any(|entry| entry.key == text) {
                            self.findings.add(node.line, text, "this key stands here twice");
                        }
                        *key = Some((text.to_owned(), node.line));
                    }
                    None => {
                        self.findings.add(node.line, "", "a key must be plain text");
                        *key = Some((String::new(), node.line));
                    }
                },
                Some((name, line)) => entries.push(Entry { key: name, line, value: node }),
            },
        }
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Data {
    let tag = tag.map(|tag| std::borrow::Cow::Owned(tag.clone()));
    match Scalar::parse_from_cow_and_metadata(text.into(), style, tag.as_ref()) {
        Some(Scalar::Null) => Data::Null,
        Some(Scalar::Boolean(value)) => Data::Bool(value),
        Some(Scalar::Integer(value)) => Data::Int(value),
        Some(Scalar::FloatingPoint(value)) => Data::Float(value.into_inner()),
        Some(Scalar::String(value)) => Data::Text(value.into_owned()),
        None => Data::Bad,
    }
}
