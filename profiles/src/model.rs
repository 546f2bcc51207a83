//! A profile as it is used: everything compiled, nothing left to check.

use std::collections::BTreeMap;

use regex::Regex;

/// Read-side knowledge about one program.
#[derive(Debug, Clone)]
pub struct Profile {
    pub id: String,
    pub allow_ids: Vec<String>,
    /// Version of the program the knowledge was gathered from.
    pub platform_version: String,
    pub render: Render,
    /// In order of falling priority.
    pub perception: Vec<Pattern>,
    /// In the order of the file.
    pub dialogs: Vec<Dialog>,
    /// Variables that make the program easier to drive.
    pub env: BTreeMap<String, String>,
    /// Paths below its home the program wants to write and nobody needs afterwards.
    pub ephemeral_writable_paths: Vec<String>,
}

/// How the program draws what is not part of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Render {
    /// Dim text at or right of the cursor is a suggestion.
    pub ghost_text: bool,
}

/// A part of the screen a pattern is looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Region {
    /// The window title.
    Title,
    /// The last rows with text.
    Bottom(usize),
    /// The last bordered box, without its border.
    Box,
    /// Everything below the last horizontal rule.
    AfterLastRule,
    CursorRow,
}

/// What it means when a pattern matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// The program works.
    Working,
    /// A composer of a conversation waits for text.
    Composer,
    /// A line prompt waits for text.
    Prompt,
    /// A list to choose from is open.
    Menu,
    /// A turn has ended.
    TurnEnd,
    /// The program says that it keeps a message for later.
    Queued,
}

#[derive(Debug, Clone)]
pub struct Pattern {
    pub name: String,
    pub means: Meaning,
    pub region: Region,
    pub detect: Regex,
    pub priority: i32,
}

/// What a dialog asks for; the names are those of the classifier's kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DialogKind {
    Menu,
    Confirm,
    Permission,
    Trust,
    Login,
    Limit,
}

#[derive(Debug, Clone)]
pub struct Dialog {
    pub name: String,
    /// All of them must match in the region.
    pub detect: Vec<Regex>,
    pub region: Region,
    pub kind: DialogKind,
    /// Keys that answer it; none when only a human may.
    pub answer: Vec<String>,
    /// Always escalates, whatever the mode.
    pub destructive: bool,
}
