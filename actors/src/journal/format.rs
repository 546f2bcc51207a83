//! The file as JSON. Version 1 must load for ever; a change of shape gets a new version and a
//! loader for the old one.

use policy::State;
use serde::{Deserialize, Serialize};

use super::{ENTRIES_MAX, Journal, OBJECTIVE_BYTES_MAX, Step};

const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FileV1 {
    version: u32,
    session_id: String,
    allow_id: String,
    objective: String,
    last_classification: Option<String>,
    last_screen_digest: Option<String>,
    answered_prompts: Vec<String>,
    steps_tried: Vec<String>,
    elapsed_ms: u64,
    interactions: u64,
    cost_usd: f64,
    truncations: u64,
}

pub(super) fn to_json(journal: &Journal) -> String {
    let file = FileV1 {
        version: VERSION,
        session_id: journal.session_id.clone(),
        allow_id: journal.allow_id.clone(),
        objective: journal.objective.clone(),
        last_classification: journal.last_classification.map(|state| state.as_str().to_owned()),
        last_screen_digest: journal.last_screen_digest.clone(),
        answered_prompts: journal.answered_prompts.clone(),
        steps_tried: journal.steps_tried.iter().map(|step| step.as_str().to_owned()).collect(),
        elapsed_ms: journal.elapsed_ms,
        interactions: journal.interactions,
        // JSON has no infinity; a sum that overflowed is as good as the largest.
        cost_usd: if journal.cost_usd.is_finite() { journal.cost_usd } else { f64::MAX },
        truncations: journal.truncations,
    };
    serde_json::to_string_pretty(&file).expect("strings, numbers and lists always serialise")
}

/// What is wrong with a file, in words for the log.
pub(super) fn from_json(bytes: &[u8]) -> Result<Journal, String> {
    let file: FileV1 = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
    if file.version != VERSION {
        return Err(format!("version {} is not known", file.version));
    }
    if file.objective.len() > OBJECTIVE_BYTES_MAX
        || file.answered_prompts.len() > ENTRIES_MAX
        || file.steps_tried.len() > ENTRIES_MAX
    {
        return Err("a list or text is longer than we write it".to_owned());
    }
    let state = |word: String| state(&word).ok_or(format!("no state is called {word}"));
    let step = |word: &String| step(word).ok_or(format!("no step is called {word}"));
    Ok(Journal {
        session_id: file.session_id,
        allow_id: file.allow_id,
        objective: file.objective,
        last_classification: file.last_classification.map(state).transpose()?,
        last_screen_digest: file.last_screen_digest,
        answered_prompts: file.answered_prompts,
        steps_tried: file.steps_tried.iter().map(step).collect::<Result<_, _>>()?,
        elapsed_ms: file.elapsed_ms,
        interactions: file.interactions,
        cost_usd: file.cost_usd,
        truncations: file.truncations,
    })
}

fn state(word: &str) -> Option<State> {
    [State::Working, State::AwaitingInput, State::Stuck, State::Exited]
        .into_iter()
        .find(|state| state.as_str() == word)
}

fn step(word: &str) -> Option<Step> {
    [Step::Answered, Step::Escalated, Step::Waited, Step::Loop, Step::Sent]
        .into_iter()
        .find(|step| step.as_str() == word)
}
