//! The journal of a promoted drive: what a new life of the service must know to go on.
//!
//! `<dataDir>/terminal-drive/<agentId>/journals/<sessionId>.json`, replaced whole by temporary
//! file, fsync, rename and fsync of the directory. Content-free: fingerprints, enums, counts;
//! the objective is redacted and cut before it gets here.
//!
//! Lists are bounded: the oldest entries go first and are counted in `truncations`. A file that
//! cannot be read is set aside under another name and reported; nothing is guessed from it.
//! It is kept when a drive fails, and removed seven days after it was done.

mod files;
mod format;
#[cfg(test)]
mod tests;

use policy::{SafeText, State};

pub use files::{JournalError, Journals, Loaded};

/// Longest objective (contract).
pub const OBJECTIVE_BYTES_MAX: usize = 256;
/// Entries of each list (contract).
pub const ENTRIES_MAX: usize = 64;

/// What was tried at a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    Answered,
    Escalated,
    Waited,
    Loop,
    Sent,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Journal {
    pub session_id: String,
    pub allow_id: String,
    objective: String,
    pub last_classification: Option<State>,
    /// A hash of the last screen, never the screen.
    pub last_screen_digest: Option<String>,
    answered_prompts: Vec<String>,
    steps_tried: Vec<Step>,
    pub elapsed_ms: u64,
    pub interactions: u64,
    pub cost_usd: f64,
    truncations: u64,
}

impl Journal {
    /// The objective is what the drive was told to do, redacted; it is cut to 256 bytes.
    #[must_use]
    pub fn new(session_id: &str, allow_id: &str, objective: &SafeText) -> Self {
        let mut journal = Self {
            session_id: session_id.to_owned(),
            allow_id: allow_id.to_owned(),
            objective: String::new(),
            last_classification: None,
            last_screen_digest: None,
            answered_prompts: Vec::new(),
            steps_tried: Vec::new(),
            elapsed_ms: 0,
            interactions: 0,
            cost_usd: 0.0,
            truncations: 0,
        };
        journal.set_objective(objective.as_str());
        journal
    }

    fn set_objective(&mut self, text: &str) {
        let end = text.floor_char_boundary(OBJECTIVE_BYTES_MAX);
        text.get(..end).unwrap_or_default().clone_into(&mut self.objective);
        if end < text.len() {
            self.truncations = self.truncations.saturating_add(1);
        }
    }

    /// The journal as it stands in its file.
    #[must_use]
    pub fn to_json(&self) -> String {
        format::to_json(self)
    }

    #[must_use]
    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// Remembers that the prompt with this fingerprint has been answered.
    pub fn answered(&mut self, fingerprint: &str) {
        push(&mut self.answered_prompts, fingerprint.to_owned(), &mut self.truncations);
    }

    /// Whether this prompt instance has its answer: it must not be given again.
    #[must_use]
    pub fn was_answered(&self, fingerprint: &str) -> bool {
        self.answered_prompts.iter().any(|known| known == fingerprint)
    }

    pub fn tried(&mut self, step: Step) {
        push(&mut self.steps_tried, step, &mut self.truncations);
    }

    #[must_use]
    pub fn answered_prompts(&self) -> &[String] {
        &self.answered_prompts
    }

    #[must_use]
    pub fn steps_tried(&self) -> &[Step] {
        &self.steps_tried
    }

    #[must_use]
    pub fn truncations(&self) -> u64 {
        self.truncations
    }
}

fn push<T>(list: &mut Vec<T>, entry: T, truncations: &mut u64) {
    if list.len() >= ENTRIES_MAX {
        list.remove(0);
        *truncations = truncations.saturating_add(1);
    }
    list.push(entry);
}

impl Step {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Escalated => "escalated",
            Self::Waited => "waited",
            Self::Loop => "loop",
            Self::Sent => "sent",
        }
    }
}
