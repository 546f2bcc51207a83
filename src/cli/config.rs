//! `ttydrive config check|print-default`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use serde_json::json;

use super::output;
use crate::config::{self, ConfigError, Overrides};

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive config check ~/.config/ttydrive/config.yaml")]
pub struct Args {
    #[command(subcommand)]
    command: Sub,
}

#[derive(Subcommand)]
enum Sub {
    /// Validate a file without starting anything
    #[command(after_help = "Example:\n  ttydrive config check config.yaml --json")]
    Check {
        /// The file; without it, the one `serve` would use
        file: Option<PathBuf>,
        /// Print findings as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the configuration that is used when there is no file
    #[command(after_help = "Example:\n  ttydrive config print-default > config.yaml")]
    PrintDefault {
        /// Print it as a JSON string
        #[arg(long)]
        json: bool,
    },
}

pub fn run(args: Args) -> ExitCode {
    match args.command {
        Sub::PrintDefault { json } => {
            if json {
                output::json(&json!({ "yaml": config::DEFAULT_YAML }));
            } else {
                output::line(config::DEFAULT_YAML.trim_end());
            }
            ExitCode::SUCCESS
        }
        Sub::Check { file, json } => check(file, json),
    }
}

fn check(file: Option<PathBuf>, json: bool) -> ExitCode {
    let overrides = Overrides { config: file, ..Overrides::default() };
    let name = config::find(&overrides)
        .map_or_else(|| "<embedded default>".to_owned(), |file| file.display().to_string());
    match config::load(&overrides) {
        Ok(lowered) => {
            if json {
                let report = json!({
                    "file": name, "valid": true, "findings": [], "warnings": lowered.warnings,
                });
                output::json(&report);
            } else {
                for warning in &lowered.warnings {
                    output::line(&format!("{name}: warning: {warning}"));
                }
                output::line(&format!("{name}: valid"));
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            if json {
                output::json(&report(&name, &error));
                return ExitCode::FAILURE;
            }
            output::fail(&format!("the configuration is not valid\n{error}"), None)
        }
    }
}

fn report(name: &str, error: &ConfigError) -> serde_json::Value {
    let findings: Vec<_> = error
        .findings()
        .iter()
        .map(|finding| {
            json!({
                "line": finding.line, "key": finding.key, "problem": finding.problem,
                "hint": finding.hint,
            })
        })
        .collect();
    json!({ "file": name, "valid": false, "findings": findings, "error": error.to_string() })
}
