//! `ttydrive profile check DIR`: a profile's own recordings must read as they are labelled.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use profiles::Profiles;
use serde_json::json;

use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive profile check ~/.config/ttydrive/profiles/mycli")]
pub struct Args {
    #[command(subcommand)]
    command: Sub,
}

#[derive(Subcommand)]
enum Sub {
    /// Load a profile strictly
    #[command(after_help = "Example:\n  ttydrive profile check profiles/codex --json")]
    Check {
        /// Folder with `profile.toml`
        dir: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub fn run(args: Args) -> ExitCode {
    let Sub::Check { dir, json } = args.command;
    let mut profiles = Profiles::default();
    match profiles.load_dir(&dir) {
        Ok(()) => {
            let ids: Vec<&str> = profiles.ids().collect();
            if json {
                output::json(&json!({ "valid": true, "profiles": ids }));
            } else {
                output::line(&format!("{}: valid ({})", dir.display(), ids.join(", ")));
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            if json {
                output::json(&json!({ "valid": false, "error": error.to_string() }));
                return ExitCode::FAILURE;
            }
            output::fail(&format!("{}: {error}", dir.display()), None)
        }
    }
}
