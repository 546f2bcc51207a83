//! The classifier: the first rule that matches decides. Pure and total, biased to working.

mod evidence;
#[cfg(test)]
mod tests;

use std::time::Duration;

use profiles::{DialogKind, Meaning, Profile};

use crate::classification::{Classification, Confidence, Evidence, Kind, Reason, State};
use crate::observation::{Facts, History, Observation, ProgramState, ShellMark};
use crate::regions;
use crate::structure::Structure;
use crate::view::View;

/// CPU time between two looks below which a process tree is idle: timers and polling.
const CPU_BUSY_MIN: Duration = Duration::from_millis(20);
/// Bytes read or written between two looks below which a tree does no work.
const IO_BUSY_MIN: u64 = 4_096;

/// What a profile recognises.
#[derive(Debug, Default)]
struct Known {
    dialog: Option<(Kind, String)>,
    /// The pattern of the highest priority.
    pattern: Option<(Meaning, String)>,
}

/// Everything the rules look at.
struct Seen<'a> {
    facts: &'a Facts,
    history: &'a History,
    structure: Structure,
    known: Known,
}

type Verdict = (State, Confidence, Reason, Option<Kind>);

/// What is this session doing?
#[must_use]
pub fn classify(
    observation: &Observation,
    history: &History,
    profile: Option<&Profile>,
) -> Classification {
    let facts = &observation.facts;
    let early = if facts.exit.is_some() {
        Some((State::Exited, Confidence::High, Reason::PtyExit, None))
    } else if !facts.settled {
        Some((State::Working, Confidence::High, Reason::UnsettledOutput, None))
    } else {
        None
    };
    if let Some(verdict) = early {
        return with_evidence(verdict, evidence::of_facts(facts, history));
    }
    let view = View::of(&observation.frame);
    let seen = Seen {
        facts,
        history,
        structure: Structure::of(&view),
        known: profile.map(|profile| known(&view, profile)).unwrap_or_default(),
    };
    let mut evidence = evidence::of_facts(facts, history);
    evidence.extend(evidence::of_screen(&seen.structure));
    evidence.extend(seen.evidence_of_profile(profile));
    with_evidence(seen.verdict(), evidence)
}

fn with_evidence(verdict: Verdict, evidence: Vec<Evidence>) -> Classification {
    let (state, confidence, reason, kind) = verdict;
    Classification { state, confidence, reason, kind, evidence }
}

fn known(view: &View<'_>, profile: &Profile) -> Known {
    let mut regions = regions::Regions::of(view);
    let dialog = profile.dialogs.iter().find_map(|dialog| {
        let text = regions.text(dialog.region);
        let all = dialog.detect.iter().all(|pattern| pattern.is_match(text));
        all.then(|| (kind_of(dialog.kind), dialog.name.clone()))
    });
    let pattern = profile.perception.iter().find_map(|pattern| {
        let decides = match pattern.means {
            Meaning::Working | Meaning::Composer | Meaning::Prompt | Meaning::Menu => true,
            Meaning::TurnEnd | Meaning::Queued => false,
        };
        let found = decides && pattern.detect.is_match(regions.text(pattern.region));
        found.then(|| (pattern.means, pattern.name.clone()))
    });
    Known { dialog, pattern }
}

fn kind_of(kind: DialogKind) -> Kind {
    match kind {
        DialogKind::Menu => Kind::Menu,
        DialogKind::Confirm => Kind::Confirm,
        DialogKind::Permission => Kind::Permission,
        DialogKind::Trust => Kind::Trust,
        DialogKind::Login => Kind::Login,
        DialogKind::Limit => Kind::Limit,
    }
}

impl Seen<'_> {
    /// The table, from its third row on.
    fn verdict(&self) -> Verdict {
        let fresh = self.history.no_change_for <= self.history.stuck_after;
        if self.password() {
            return awaiting(Confidence::High, Reason::PasswordPrompt, Kind::Password);
        }
        if let Some(verdict) = self.program_status(fresh) {
            return verdict;
        }
        if let Some((kind, _)) = &self.known.dialog {
            return awaiting(Confidence::High, Reason::DialogDetected, *kind);
        }
        if matches!(self.known.pattern, Some((Meaning::Menu, _))) {
            return awaiting(Confidence::High, Reason::DialogDetected, Kind::Menu);
        }
        match self.working() {
            Some(reason) if fresh => return (State::Working, Confidence::Medium, reason, None),
            // A spinner left over on a frozen screen: what stands beside it is no prompt.
            Some(_) => return self.quiet(),
            None => {}
        }
        if let Some(verdict) = self.prompt() {
            return verdict;
        }
        if let Some(kind) = self.structural_kind() {
            return awaiting(Confidence::Medium, Reason::DialogDetected, kind);
        }
        if fresh {
            return (State::Working, Confidence::Medium, Reason::SettledCursorUnparked, None);
        }
        self.quiet()
    }

    /// Nothing changed for too long: busy without a word, or stuck.
    fn quiet(&self) -> Verdict {
        if self.busy() {
            return (State::Working, Confidence::Medium, Reason::BusyQuiet, None);
        }
        (State::Stuck, Confidence::Medium, Reason::NoProgress, None)
    }

    /// Line mode without echo is how passwords are read.
    fn password(&self) -> bool {
        let hidden = self.facts.tty.is_some_and(|tty| tty.canonical && !tty.echo);
        let read = self.facts.blocked_reader.unwrap_or(self.structure.parked);
        hidden && read
    }

    /// What the program says of itself; the screen only adds the kind.
    fn program_status(&self, fresh: bool) -> Option<Verdict> {
        let report = self.facts.program.as_ref()?;
        match report.state {
            ProgramState::Working if fresh => {
                Some((State::Working, Confidence::High, Reason::ProgramStatus, None))
            }
            ProgramState::Working => None,
            ProgramState::Blocked => {
                let kind = self.dialog_kind().or_else(|| reported(report.kind.as_deref()));
                Some(awaiting(
                    Confidence::High,
                    Reason::ProgramStatus,
                    kind.unwrap_or(Kind::Unknown),
                ))
            }
            ProgramState::Idle | ProgramState::Done => {
                let menu = matches!(self.known.pattern, Some((Meaning::Menu, _)));
                let menu = menu.then_some(Kind::Menu);
                let kind = self.dialog_kind().or(menu).or_else(|| self.prompt_kind());
                Some(awaiting(
                    Confidence::High,
                    Reason::ProgramStatus,
                    kind.unwrap_or(Kind::Composer),
                ))
            }
        }
    }

    fn dialog_kind(&self) -> Option<Kind> {
        let known = self.known.dialog.as_ref().map(|(kind, _)| *kind);
        known.or_else(|| self.structure.dialog.map(|found| found.kind))
    }

    fn prompt_kind(&self) -> Option<Kind> {
        match self.known.pattern {
            Some((Meaning::Composer, _)) => Some(Kind::Composer),
            Some((Meaning::Prompt, _)) => Some(Kind::Prompt),
            Some((Meaning::Working | Meaning::Menu | Meaning::TurnEnd | Meaning::Queued, _))
            | None => self.structure.prompt.map(|found| found.kind),
        }
    }

    fn structural_kind(&self) -> Option<Kind> {
        if self.nobody_reads() {
            return None;
        }
        self.dialog_kind().or_else(|| self.prompt_kind())
    }

    /// In line mode somebody has to be blocked in a read for input to be awaited.
    fn nobody_reads(&self) -> bool {
        let line_mode = self.facts.tty.is_some_and(|tty| tty.canonical);
        line_mode && self.facts.blocked_reader == Some(false)
    }

    fn reads(&self) -> bool {
        self.facts.blocked_reader == Some(true)
    }

    /// Signs of work that the screen or the program gives.
    fn working(&self) -> Option<Reason> {
        if matches!(self.known.pattern, Some((Meaning::Working, _))) {
            return Some(Reason::WorkingLine);
        }
        if self.facts.progress_age.is_some_and(|age| age <= self.history.stuck_after) {
            return Some(Reason::ProgressOsc);
        }
        let waits = self.structure.dialog.is_some() || self.structure.prompt.is_some();
        let at_prompt = waits && (self.reads() || !self.nobody_reads());
        let runs = matches!(self.facts.shell_mark, Some(ShellMark::OutputStart));
        if runs && !self.reads() && !at_prompt {
            return Some(Reason::CommandRunning);
        }
        if self.structure.working.is_some() && !self.reads() {
            return Some(Reason::WorkingLine);
        }
        let edge_off = self.facts.bracketed_paste == Some(false);
        let command = edge_off && !self.reads() && !at_prompt && !self.structure.parked;
        command.then_some(Reason::CommandRunning)
    }

    fn prompt(&self) -> Option<Verdict> {
        let kind = self.dialog_kind().or_else(|| self.prompt_kind());
        let dialog = self.dialog_kind().is_some();
        let marked =
            matches!(self.facts.shell_mark, Some(ShellMark::PromptStart | ShellMark::InputStart));
        let line = self.facts.bracketed_paste == Some(true) && kind == Some(Kind::Prompt);
        if (marked || line) && !dialog && self.structure.parked && !self.nobody_reads() {
            let kind = kind.unwrap_or(Kind::Prompt);
            return Some(awaiting(Confidence::High, Reason::ShellPrompt, kind));
        }
        if self.reads() && self.structure.parked {
            let kind = kind.unwrap_or(Kind::Prompt);
            return Some(awaiting(Confidence::High, Reason::TtyRead, kind));
        }
        let line_mode = self.facts.tty.is_some_and(|tty| tty.canonical);
        if self.reads() && line_mode {
            // A reader that printed no prompt waits all the same.
            let kind = kind.unwrap_or(Kind::Unknown);
            return Some(awaiting(Confidence::Medium, Reason::TtyRead, kind));
        }
        let may = self.structure.parked && !self.nobody_reads();
        may.then(|| {
            // Half a line typed at a prompt hides how the prompt ends.
            let line_editor = self.facts.bracketed_paste == Some(true);
            let other = if line_editor { Kind::Prompt } else { Kind::Unknown };
            let kind = kind.unwrap_or(other);
            awaiting(Confidence::High, Reason::SettledCursorParked, kind)
        })
    }

    fn busy(&self) -> bool {
        self.facts.activity.is_some_and(|activity| {
            activity.cpu >= CPU_BUSY_MIN || activity.io_bytes >= IO_BUSY_MIN || activity.busy_child
        })
    }

    fn evidence_of_profile(&self, profile: Option<&Profile>) -> Vec<Evidence> {
        let Some(profile) = profile else { return Vec::new() };
        let named = |name: &str| format!("{}:{name}", profile.id);
        let mut out = Vec::new();
        if let Some((_, name)) = &self.known.dialog {
            out.push(Evidence { name: "profile_dialog", detail: named(name) });
        }
        if let Some((_, name)) = &self.known.pattern {
            out.push(Evidence { name: "profile_pattern", detail: named(name) });
        }
        out
    }
}

fn awaiting(confidence: Confidence, reason: Reason, kind: Kind) -> Verdict {
    (State::AwaitingInput, confidence, reason, Some(kind))
}

/// The kind a program names in its own report.
fn reported(kind: Option<&str>) -> Option<Kind> {
    match kind? {
        "permission" => Some(Kind::Permission),
        "menu" => Some(Kind::Menu),
        "confirm" | "confirmation" => Some(Kind::Confirm),
        "trust" => Some(Kind::Trust),
        "login" | "auth" => Some(Kind::Login),
        "limit" => Some(Kind::Limit),
        "input" | "question" => Some(Kind::Prompt),
        _ => None,
    }
}
