//! `ttydrive doctor`: can this machine confine programs, and what to do if not.

use std::process::ExitCode;

use jail::CheckStatus;
use serde_json::json;

use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive doctor --json")]
pub struct Args {
    /// Print `{ok, checks: [{name, status, detail, fix}]}`
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> ExitCode {
    let checks = jail::doctor();
    let broken = checks.iter().any(|check| check.status == CheckStatus::Broken);
    let word = |status: CheckStatus| match status {
        CheckStatus::Ok => "ok",
        CheckStatus::Degraded => "degraded",
        CheckStatus::Broken => "broken",
    };
    if args.json {
        let list: Vec<_> = checks
            .iter()
            .map(|check| {
                json!({
                    "name": check.name, "status": word(check.status), "detail": check.detail,
                    "fix": check.fix,
                })
            })
            .collect();
        output::json(&json!({ "ok": !broken, "checks": list }));
    } else {
        for check in &checks {
            output::line(&format!("{:<9} {:<22} {}", word(check.status), check.name, check.detail));
            if let Some(fix) = &check.fix {
                output::line(&format!("{:<9} {:<22} fix: {fix}", "", ""));
            }
        }
    }
    if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
