//! Allow entries on this machine: the binary resolved and hashed, paths expanded, variables
//! read.

use std::collections::BTreeMap;

use actors::settings::{AllowEntry, AutoAnswer, Backend};
use jail::{ListedPath, Scope};

use super::error::Findings;
use super::lower::{Surroundings, path, read_secret};
use super::raw::{self, Consent};
use super::reader::Place;

pub fn lower_allow(
    raw: Vec<raw::AllowEntry>,
    around: &Surroundings,
    warnings: &mut Vec<String>,
    findings: &mut Findings,
) -> BTreeMap<String, AllowEntry> {
    let mut out = BTreeMap::new();
    for entry in raw {
        let id = entry.id.clone();
        if let Some(lowered) = lower_entry(entry, around, warnings, findings) {
            out.insert(id, lowered);
        }
    }
    out
}

fn lower_entry(
    raw: raw::AllowEntry,
    around: &Surroundings,
    warnings: &mut Vec<String>,
    findings: &mut Findings,
) -> Option<AllowEntry> {
    let (place, text) = raw.path.clone()?;
    let match_path = std::path::PathBuf::from(&text);
    if !match_path.is_absolute() {
        findings.add(place.line, &place.key, format!("`{text}` must be an absolute path"));
        return None;
    }
    let pinned = pinned_hash(raw.hash.as_ref(), findings);
    // The pin is what counts: a binary that does not match it is refused at each create, and
    // is no reason to stop everything else.
    let program = match jail::pin_program(&match_path, None) {
        Ok(program) => match &pinned {
            Some(pin) if *pin != program.sha256 => {
                warnings.push(format!(
                    "allow entry `{}`: {} does not match its match.hash; creates are refused",
                    raw.id,
                    program.path.display()
                ));
                jail::PinnedProgram { sha256: pin.clone(), ..program }
            }
            Some(_) | None => program,
        },
        Err(error) if around.tolerate_missing_programs => {
            warnings.push(format!("allow entry `{}` left out: {error}", raw.id));
            return None;
        }
        Err(error) => {
            findings.add(place.line, &place.key, error.to_string());
            return None;
        }
    };
    warnings.extend(without_effect(&raw));
    let env = raw
        .scope
        .env
        .iter()
        .filter_map(|(place, name, value)| {
            Some((name.clone(), read_secret(place, value, around, findings)?))
        })
        .collect();
    // Without consent the entry was reported already, and so is everything else in it; it must
    // not load either way.
    if raw.consent != Consent::Given {
        return None;
    }
    Some(AllowEntry {
        id: raw.id,
        match_path,
        program: program.path,
        sha256: program.sha256,
        hash_pinned: pinned.is_some(),
        args_prefix: raw.args_prefix,
        scope: lower_scope(raw.scope, around, findings),
        env,
        auto_answer: raw.auto_answer,
        hint_patterns: raw.hint_patterns,
        limits: raw.limits,
        approve_on_create: raw.approve_on_create,
        backend: raw.backend.unwrap_or(Backend::Tmux),
    })
}

/// What the entry asks for and this build does not do, said once at start: an operator must
/// not believe that prompts are answered or that tmux holds the program.
fn without_effect(raw: &raw::AllowEntry) -> Vec<String> {
    let answers = raw.auto_answer == AutoAnswer::All || !raw.hint_patterns.is_empty();
    let mut out = Vec::new();
    if answers {
        let keys = "autoAnswer and hintPatterns";
        out.push(format!("allow entry `{}`: {keys}: prompts are not answered yet", raw.id));
    }
    if raw.backend == Some(Backend::Tmux) {
        out.push(format!("allow entry `{}`: backend: spawn is used instead of tmux", raw.id));
    }
    out
}

/// `sha256:<64 hex>`, as lower-case hex.
fn pinned_hash(hash: Option<&(Place, String)>, findings: &mut Findings) -> Option<String> {
    let (place, text) = hash?;
    let hex = text.strip_prefix("sha256:").map(str::to_ascii_lowercase);
    let valid = |hex: &String| hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit());
    let hex = hex.filter(valid);
    if hex.is_none() {
        findings.add(place.line, &place.key, "must be sha256:<64 hexadecimal digits>");
    }
    hex
}

fn lower_scope(raw: raw::Scope, around: &Surroundings, findings: &mut Findings) -> Scope {
    let mut many = |list: &[(Place, String)]| -> Vec<std::path::PathBuf> {
        list.iter().map(|(place, text)| path(place, text, around, findings)).collect()
    };
    let credential_paths = many(&raw.credential_paths);
    let ephemeral_writable_paths = many(&raw.ephemeral_writable_paths);
    let paths = raw
        .paths
        .into_iter()
        .map(|item| ListedPath {
            path: path(&item.place, &item.path, around, findings),
            access: item.access,
        })
        .collect();
    Scope {
        filesystem: raw.filesystem,
        paths,
        network: raw.network,
        hosts: raw.hosts,
        credential_paths,
        ephemeral_writable_paths,
        uid: raw.uid,
    }
}
