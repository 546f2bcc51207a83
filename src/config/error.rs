//! What can be wrong with a configuration file, and where.

use std::fmt;
use std::path::PathBuf;

/// One finding. A file is read to its end, so that all of them are reported at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// One-based line in the file.
    pub line: usize,
    /// Full key path, such as `agents.default.skills.terminal.worker.maxSessions`.
    pub key: String,
    pub problem: String,
    pub hint: Option<String>,
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read {path}: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{path} is larger than {limit} bytes")]
    TooLarge { path: PathBuf, limit: u64 },
    #[error("{}", render(file, findings))]
    Invalid { file: String, findings: Vec<Finding> },
}

impl ConfigError {
    /// The single findings, for `--json`.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Invalid { findings, .. } => findings,
            Self::Unreadable { .. } | Self::TooLarge { .. } => &[],
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.key.is_empty() {
            write!(f, "{}", self.problem)?;
        } else {
            write!(f, "{}: {}", self.key, self.problem)?;
        }
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

fn render(file: &str, findings: &[Finding]) -> String {
    let lines: Vec<String> =
        findings.iter().map(|finding| format!("{file}:{}: {finding}", finding.line)).collect();
    lines.join("\n")
}

/// Collects findings while the rest of the file is still read.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
}

/// More than this many findings help nobody.
const FINDINGS_MAX: usize = 200;

impl Findings {
    pub fn add(&mut self, line: usize, key: &str, problem: impl Into<String>) {
        self.push(line, key, problem.into(), None);
    }

    pub fn add_with_hint(
        &mut self,
        line: usize,
        key: &str,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.push(line, key, problem.into(), Some(hint.into()));
    }

    fn push(&mut self, line: usize, key: &str, problem: String, hint: Option<String>) {
        if self.list.len() < FINDINGS_MAX {
            self.list.push(Finding { line, key: key.to_owned(), problem, hint });
        }
    }

    /// The findings in the order of the file, or nothing when there are none.
    pub fn into_error(mut self, file: &str) -> Option<ConfigError> {
        if self.list.is_empty() {
            return None;
        }
        self.list.sort_by_key(|finding| finding.line);
        Some(ConfigError::Invalid { file: file.to_owned(), findings: self.list })
    }
}
