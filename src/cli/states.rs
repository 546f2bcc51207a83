//! `ttydrive states`: every state machine, as tables or Mermaid.

use std::process::ExitCode;

use serde_json::json;

use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive states > docs/states.md")]
pub struct Args {
    /// Print `[{name, mermaid}]`
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> ExitCode {
    let machines = actors::states::all();
    if args.json {
        let list: Vec<_> = machines
            .iter()
            .map(|machine| json!({ "name": machine.name, "mermaid": machine.mermaid }))
            .collect();
        output::json(&json!(list));
    } else {
        for machine in &machines {
            output::line(&format!("## {}\n\n```mermaid\n{}\n```\n", machine.name, machine.mermaid));
        }
    }
    ExitCode::SUCCESS
}
