//! Labelled recordings, replayed and judged: how often the classifier is right, and who is
//! mistaken for what. Pure: the caller read the files.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use profiles::Profiles;

use crate::classification::Classification;
use crate::explain;

/// Sizes of the pieces each recording is fed in; all must give the same verdict.
const CHUNKS: [usize; 3] = [1, 7, 4_096];
/// The last screen counts as unchanged for this long.
const IDLE: Duration = Duration::from_millis(1_000);

/// One labelled recording.
#[derive(Debug, Clone)]
pub struct Case {
    /// Folder name; also the profile, where one has this id.
    pub program: String,
    pub cast: String,
    pub state: String,
    pub kind: Option<String>,
    pub bytes: Vec<u8>,
}

/// A recording that was read wrongly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    pub program: String,
    pub cast: String,
    pub expected: String,
    pub got: String,
}

/// The count, the misses and the confusion matrix.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub total: usize,
    pub right: usize,
    pub wrong: Vec<Miss>,
    /// Program, expected, got, count.
    pub matrix: BTreeMap<(String, String, String), usize>,
}

/// Judges every case in every chunking.
#[must_use]
pub fn run(cases: &[Case], profiles: &Profiles) -> Report {
    let mut report = Report::default();
    for case in cases {
        report.total += 1;
        let expected = label(&case.state, case.kind.as_deref());
        let got = judge(case, profiles);
        let key = (case.program.clone(), expected.clone(), got.clone());
        *report.matrix.entry(key).or_default() += 1;
        if got == expected {
            report.right += 1;
        } else {
            let (program, cast) = (case.program.clone(), case.cast.clone());
            report.wrong.push(Miss { program, cast, expected, got });
        }
    }
    report
}

fn label(state: &str, kind: Option<&str>) -> String {
    kind.map_or_else(|| state.to_owned(), |kind| format!("{state}/{kind}"))
}

fn label_of(verdict: &Classification) -> String {
    label(verdict.state.as_str(), verdict.kind.map(crate::Kind::as_str))
}

fn judge(case: &Case, profiles: &Profiles) -> String {
    let profile = profiles.get(&case.program);
    let mut first: Option<String> = None;
    for chunk in CHUNKS {
        let got = match explain::cast_in_chunks(&case.bytes, profile, IDLE, chunk) {
            Ok(explained) => label_of(&explained.classification),
            Err(error) => format!("unreadable: {error}"),
        };
        match &first {
            Some(first) if *first != got => return format!("{first} but {got} in chunks"),
            Some(_) => {}
            None => first = Some(got),
        }
    }
    first.unwrap_or_default()
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut program = "";
        for ((name, expected, got), count) in &self.matrix {
            if program != name {
                writeln!(out, "{name}")?;
                program = name;
            }
            let mark = if expected == got { ' ' } else { '!' };
            writeln!(out, "  {mark} {count:>3}  {expected:<28} read as {got}")?;
        }
        for miss in &self.wrong {
            let Miss { program, cast, expected, got } = miss;
            writeln!(out, "wrong: {program}/{cast}: {expected}, read as {got}")?;
        }
        write!(out, "{} of {} right", self.right, self.total)
    }
}
