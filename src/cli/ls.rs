//! `ttydrive ls`: the sessions that the caller may see.

use std::process::ExitCode;

use serde_json::Value;

use super::client::{Client, Failure, finish, text};
use super::connect::Connect;
use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive ls\n  ttydrive ls --json")]
pub struct Args {
    #[command(flatten)]
    connect: Connect,
}

pub fn run(args: &Args) -> ExitCode {
    finish(list(args))
}

fn list(args: &Args) -> Result<ExitCode, Failure> {
    let reply = Client::new(&args.connect)?.get("/v1/sessions")?;
    if args.connect.json {
        output::json(&reply);
        return Ok(ExitCode::SUCCESS);
    }
    let head = ["ID", "STATE", "REASON", "PROGRAM", "NAME", "LAST ACTIVITY"].map(str::to_owned);
    let mut rows = vec![head];
    let sessions = reply.get("sessions").and_then(Value::as_array);
    rows.extend(sessions.into_iter().flatten().map(row));
    for line in table(&rows) {
        output::line(&line);
    }
    Ok(ExitCode::SUCCESS)
}

fn row(session: &Value) -> [String; 6] {
    ["sessionId", "state", "reason", "allowId", "name", "lastActivityAt"].map(|key| {
        let value = text(session, key);
        if value.is_empty() { "-".to_owned() } else { output::printable(value) }
    })
}

/// Columns as wide as their widest cell; nothing trails the last one.
fn table<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn columns_line_up() {
        let rows = [["ID", "STATE"], ["ts_1", "running"]].map(|row| row.map(str::to_owned));
        assert_eq!(table(&rows), ["ID    STATE", "ts_1  running"]);
    }
}
