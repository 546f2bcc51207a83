//! May this prompt be answered without a human, and how? The operator's policy decides; the
//! caller of the service has no say.
//!
//! Order: mode `none`; a destructive dialog of the profile, wherever it stands in the list;
//! the first dialog of the profile with an answer; the first hint found in the prompt; with
//! mode `all` the default choice of a certain confirmation. Whatever is about to be answered
//! is vetoed by cue words in the prompt or the ten rows above it. The rest is escalated.
//!
//! Pure. It does not write: `machine` says when, and only after a second look.

mod block;
mod cues;
mod guard;
mod identity;
pub mod machine;
#[cfg(test)]
mod table;

#[cfg(test)]
mod tests;

use profiles::Profile;
use term::Frame;

pub use guard::LoopGuard;
pub use identity::PromptId;

use crate::classification::Kind;
use crate::regions;
use crate::structure::{Found, Structure};
use crate::view::View;
use cues::Cue;

/// How much the operator leaves to the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    None,
    SafeOnly,
    All,
}

/// A text that makes a prompt safe to answer, and the keys that answer it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    pub text: String,
    /// Empty means Enter.
    pub keys: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub mode: Mode,
    pub hints: Vec<Hint>,
}

/// What an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Index in the operator's list.
    Hint(usize),
    /// Name of a dialog of the profile.
    Dialog(String),
    /// The default choice of a certain confirmation.
    Default,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub source: Source,
    /// In the grammar of `term::keys`.
    pub keys: Vec<String>,
}

/// Why a human is needed; the names are contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Escalation {
    Destructive,
    Approval,
    AuthLogin,
    NoSafeMatch,
    LoopDetected,
    Stuck,
    HopLimit,
}

impl Escalation {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::Approval => "approval",
            Self::AuthLogin => "auth_login",
            Self::NoSafeMatch => "no_safe_match",
            Self::LoopDetected => "loop_detected",
            Self::Stuck => "stuck",
            Self::HopLimit => "hop_limit",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Answer(Answer),
    Escalate(Escalation),
}

/// A prompt as it is now: what to do with it, and which one it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub id: PromptId,
    pub decision: Decision,
}

/// Decides about the prompt on a frame that was classified as awaiting input of this kind.
#[must_use]
pub fn decide(
    frame: &Frame,
    kind: Option<Kind>,
    profile: Option<&Profile>,
    policy: &Policy,
) -> Prompt {
    let view = View::of(frame);
    let structure = Structure::of(&view);
    let block = block::of(&view, &structure);
    let id = PromptId::of(&block.text);
    let decision = match consider(&view, &structure, &block, kind, profile, policy) {
        Ok(answer) => Decision::Answer(answer),
        Err(reason) => Decision::Escalate(reason),
    };
    Prompt { id, decision }
}

fn consider(
    view: &View<'_>,
    structure: &Structure,
    block: &block::Block,
    kind: Option<Kind>,
    profile: Option<&Profile>,
    policy: &Policy,
) -> Result<Answer, Escalation> {
    if policy.mode == Mode::None {
        return Err(Escalation::NoSafeMatch);
    }
    if kind == Some(Kind::Password) {
        return Err(Escalation::AuthLogin);
    }
    let matching: Vec<_> = profile.map(|profile| matching(view, profile)).unwrap_or_default();
    if matching.iter().any(|dialog| dialog.destructive) {
        return Err(Escalation::Destructive);
    }
    if let Some(dialog) = matching.iter().find(|dialog| !dialog.answer.is_empty()) {
        veto(block, &[Cue::AuthLogin, Cue::Destructive])?;
        let source = Source::Dialog(dialog.name.clone());
        return Ok(Answer { source, keys: dialog.answer.clone() });
    }
    let hint = policy.hints.iter().enumerate().find(|(_, hint)| block.contains(&hint.text));
    if let Some((index, hint)) = hint {
        veto(block, &[Cue::AuthLogin, Cue::Destructive, Cue::Approval])?;
        let keys = if hint.keys.is_empty() { vec!["Enter".to_owned()] } else { hint.keys.clone() };
        return Ok(Answer { source: Source::Hint(index), keys });
    }
    let default = match policy.mode {
        Mode::All => structure.dialog.and_then(|found| default_choice(found, kind, block)),
        Mode::None | Mode::SafeOnly => None,
    };
    let keys = default.ok_or(Escalation::NoSafeMatch)?;
    veto(block, &[Cue::AuthLogin, Cue::Destructive, Cue::Approval])?;
    Ok(Answer { source: Source::Default, keys })
}

fn matching<'p>(view: &View<'_>, profile: &'p Profile) -> Vec<&'p profiles::Dialog> {
    let matches = |dialog: &&profiles::Dialog| {
        let text = regions::text(view, dialog.region);
        dialog.detect.iter().all(|pattern| pattern.is_match(&text))
    };
    profile.dialogs.iter().filter(matches).collect()
}

fn veto(block: &block::Block, cues: &[Cue]) -> Result<(), Escalation> {
    match cues::first(&block.surroundings, cues) {
        None => Ok(()),
        Some(Cue::AuthLogin) => Err(Escalation::AuthLogin),
        Some(Cue::Destructive) => Err(Escalation::Destructive),
        Some(Cue::Approval) => Err(Escalation::Approval),
    }
}

/// The keys of the choice a confirmation offers by itself; nothing for lists that are no
/// confirmation and for whatever needs an account or money.
fn default_choice(found: Found, kind: Option<Kind>, block: &block::Block) -> Option<Vec<String>> {
    let certain = match kind.unwrap_or(found.kind) {
        Kind::Confirm | Kind::Permission | Kind::Trust => true,
        Kind::Menu
        | Kind::Prompt
        | Kind::Composer
        | Kind::Login
        | Kind::Password
        | Kind::Limit
        | Kind::Pager
        | Kind::Editor
        | Kind::Unknown => false,
    };
    let keys: &[&str] = match found.name {
        "enumerated_options" | "selector" | "button_box" | "press_a_key" => &["Enter"],
        "key_question" => &["y"],
        "yes_no_question" if block.has_default() => &["Enter"],
        "yes_no_question" => &["y", "Enter"],
        _ => return None,
    };
    certain.then(|| keys.iter().map(|key| (*key).to_owned()).collect())
}
