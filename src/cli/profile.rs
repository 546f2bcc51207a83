//! `ttydrive profile check DIR`: a profile's own recordings must read as they are labelled.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use profiles::Profiles;
use serde_json::json;

use super::{corpus, output};

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive profile check ~/.config/ttydrive/profiles/mycli")]
pub struct Args {
    #[command(subcommand)]
    command: Sub,
}

#[derive(Subcommand)]
enum Sub {
    /// Load a profile strictly and replay its labelled frames
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
    if let Err(error) = profiles.load_dir(&dir) {
        if json {
            output::json(&json!({ "valid": false, "error": error.to_string() }));
            return ExitCode::FAILURE;
        }
        return output::fail(&format!("{}: {error}", dir.display()), Some(error.hint()));
    }
    let frames = dir.join("frames");
    let cases = if frames.join("labels.tsv").is_file() {
        corpus::read_cases(&frames, |_| frames.clone())
    } else {
        Ok(Vec::new())
    };
    let cases = match cases {
        Ok(cases) => cases,
        Err(message) => return output::fail(&message, None),
    };
    let report = policy::corpus::run(&cases, &profiles);
    let valid = report.wrong.is_empty();
    let ids: Vec<&str> = profiles.ids().collect();
    if json {
        output::json(&json!({
            "valid": valid, "profiles": ids, "frames": report.total, "framesRight": report.right,
        }));
    } else {
        let (id, total, right) = (ids.join(", "), report.total, report.right);
        let verdict = if valid { "valid" } else { "frames are read wrongly" };
        output::line(&format!("{}: {verdict} ({id}; {right} of {total} frames)", dir.display()));
        if !valid {
            output::line(&report.to_string());
        }
    }
    if valid { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
