//! `ttydrive explain`: what a recorded screen means, and why.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use profiles::Profiles;
use serde_json::json;

use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive explain --cast session.cast --profile codex --json")]
pub struct Args {
    /// asciicast v2 recording; its last screen is explained
    #[arg(long, value_name = "FILE")]
    cast: PathBuf,
    /// Platform profile to read it with
    #[arg(long, value_name = "ID")]
    profile: Option<String>,
    /// How long the screen counts as unchanged
    #[arg(long, value_name = "N", default_value_t = 1000)]
    idle_ms: u64,
    /// Print `{state, confidence, reason, kind, evidence, screen}`
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> ExitCode {
    let bytes = match std::fs::read(&args.cast) {
        Ok(bytes) => bytes,
        Err(error) => {
            return output::fail(&format!("cannot read {}: {error}", args.cast.display()), None);
        }
    };
    let profiles = match Profiles::builtin() {
        Ok(profiles) => profiles,
        Err(error) => return output::fail(&error.to_string(), None),
    };
    let profile = match &args.profile {
        None => None,
        Some(id) => match profiles.get(id) {
            Some(profile) => Some(profile),
            None => {
                let known: Vec<&str> = profiles.ids().collect();
                let hint = format!("known profiles: {}", known.join(", "));
                return output::fail(&format!("no profile `{id}`"), Some(&hint));
            }
        },
    };
    let idle = Duration::from_millis(args.idle_ms);
    let explained = match policy::explain::cast(&bytes, profile, idle) {
        Ok(explained) => explained,
        Err(error) => {
            return output::fail(&format!("{}: {error}", args.cast.display()), None);
        }
    };
    let verdict = &explained.classification;
    let kind = verdict.kind.map(policy::Kind::as_str);
    if args.json {
        let evidence: Vec<_> = verdict
            .evidence
            .iter()
            .map(|item| json!({ "name": item.name, "detail": item.detail }))
            .collect();
        output::json(&json!({
            "state": verdict.state.as_str(), "confidence": verdict.confidence.as_str(),
            "reason": verdict.reason.as_str(), "kind": kind, "evidence": evidence,
            "screen": explained.screen,
        }));
    } else {
        output::line(&format!(
            "{} ({}, {}{})",
            verdict.state.as_str(),
            verdict.confidence.as_str(),
            verdict.reason.as_str(),
            kind.map(|kind| format!(", {kind}")).unwrap_or_default(),
        ));
        for item in &verdict.evidence {
            output::line(&format!("  {:<24} {}", item.name, item.detail));
        }
        output::line(&explained.screen);
    }
    ExitCode::SUCCESS
}
