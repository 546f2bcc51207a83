//! `ttydrive create`: starts an allowed program.

use std::process::ExitCode;

use serde_json::json;

use super::client::{Client, Failure, finish, text};
use super::connect::Connect;
use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive create bash --name build -- --norc")]
pub struct Args {
    /// Allow entry of the program
    allow_id: String,
    /// Arguments of the program, after `--`
    #[arg(last = true)]
    args: Vec<String>,
    /// Project of the workspace to work in
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// Folder inside the workspace to work in
    #[arg(long, value_name = "DIR", conflicts_with = "project")]
    cwd: Option<String>,
    #[arg(long, value_name = "N")]
    cols: Option<u16>,
    #[arg(long, value_name = "N")]
    rows: Option<u16>,
    /// A name to recognise it by
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    connect: Connect,
}

pub fn run(args: &Args) -> ExitCode {
    finish(create(args))
}

fn create(args: &Args) -> Result<ExitCode, Failure> {
    let program_args = (!args.args.is_empty()).then_some(&args.args);
    let wanted = json!({
        "allowId": args.allow_id, "args": program_args, "project": args.project,
        "cwd": args.cwd, "cols": args.cols, "rows": args.rows, "name": args.name,
    });
    let reply = Client::new(&args.connect)?.tool("terminal_session_create", &wanted)?;
    if args.connect.json {
        output::json(&reply);
    } else {
        output::line(text(&reply, "sessionId"));
    }
    Ok(ExitCode::SUCCESS)
}
