//! `ttydrive corpus`: replays labelled recordings and prints who was mistaken for what.

use std::path::PathBuf;
use std::process::ExitCode;

use profiles::Profiles;
use serde_json::json;

use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive corpus tests/corpus")]
pub struct Args {
    /// Folder with `labels.tsv` and `<program>/<step>.cast`
    dir: PathBuf,
    /// Print `{total, right, wrong: [{program, cast, expected, got}]}`
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> ExitCode {
    let profiles = match Profiles::builtin() {
        Ok(profiles) => profiles,
        Err(error) => return output::fail(&error.to_string(), None),
    };
    let cases = match read_cases(&args.dir, |program| args.dir.join(program)) {
        Ok(cases) => cases,
        Err(message) => return output::fail(&message, None),
    };
    let report = policy::corpus::run(&cases, &profiles);
    if args.json {
        let wrong: Vec<_> = report
            .wrong
            .iter()
            .map(|miss| {
                json!({
                    "program": miss.program, "cast": miss.cast, "expected": miss.expected,
                    "got": miss.got,
                })
            })
            .collect();
        output::json(&json!({ "total": report.total, "right": report.right, "wrong": wrong }));
    } else {
        output::line(&report.to_string());
    }
    if report.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One labelled recording is never larger than this.
const CAST_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Reads `labels.tsv` (program, cast, state, kind) and the recordings it names, each in the
/// folder of its program.
pub fn read_cases(
    dir: &std::path::Path,
    folder_of: impl Fn(&str) -> PathBuf,
) -> Result<Vec<policy::corpus::Case>, String> {
    let labels = dir.join("labels.tsv");
    let text = std::fs::read_to_string(&labels)
        .map_err(|error| format!("cannot read {}: {error}", labels.display()))?;
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1) {
        let mut fields = line.split('\t');
        let (Some(program), Some(cast), Some(state)) =
            (fields.next(), fields.next(), fields.next())
        else {
            if line.trim().is_empty() {
                continue;
            }
            return Err(format!("{}:{}: needs program, cast, state", labels.display(), index + 1));
        };
        let kind = fields.next().map(str::trim).filter(|kind| !kind.is_empty());
        let file = folder_of(program).join(format!("{cast}.cast"));
        let size = std::fs::metadata(&file).map_or(0, |meta| meta.len());
        if size > CAST_BYTES_MAX {
            return Err(format!("{} is larger than {CAST_BYTES_MAX} bytes", file.display()));
        }
        let bytes = std::fs::read(&file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        cases.push(policy::corpus::Case {
            program: program.to_owned(),
            cast: cast.to_owned(),
            state: state.trim().to_owned(),
            kind: kind.map(str::to_owned),
            bytes,
        });
    }
    Ok(cases)
}
