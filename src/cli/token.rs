//! `ttydrive token create|list|revoke`: works on the data dir, service running or not.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use actors::tokens::{self, NewToken};
use actors::{Origin, Role};
use clap::{Subcommand, ValueEnum};
use serde_json::json;

use super::output;
use crate::config::{self, Overrides};

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive token create --role agent --agent default --ttl 30d")]
pub struct Args {
    #[command(subcommand)]
    command: Sub,
    /// Configuration file that names the data dir
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Data dir of the service
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Sub {
    /// Make a token; it is shown once
    #[command(after_help = "Example:\n  ttydrive token create --role agent --unattended --ttl 7d")]
    Create {
        #[arg(long, value_enum)]
        role: RoleArg,
        /// Which agent the token acts for
        #[arg(long, default_value = "default", value_name = "ID")]
        agent: String,
        /// No human is behind this client
        #[arg(long)]
        unattended: bool,
        /// A name to recognise it by
        #[arg(long)]
        name: Option<String>,
        /// How long it is valid, such as 30d, 12h, 15m (default: for ever)
        #[arg(long, value_parser = duration, value_name = "TIME")]
        ttl: Option<Duration>,
    },
    /// Show all tokens, never their secrets
    #[command(after_help = "Example:\n  ttydrive token list --json")]
    List,
    /// Make a token invalid, within a second
    #[command(after_help = "Example:\n  ttydrive token revoke tok_0123456789abcdef")]
    Revoke {
        /// The id that `token list` shows
        id: String,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RoleArg {
    Agent,
    Viewer,
    Admin,
}

/// `30d`, `12h`, `15m`, `90s`.
fn duration(text: &str) -> Result<Duration, String> {
    let (digits, seconds_per_unit) = match text.char_indices().last() {
        Some((at, 'd')) => (&text[..at], 86_400),
        Some((at, 'h')) => (&text[..at], 3600),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 's')) => (&text[..at], 1),
        _ => return Err("needs a unit: d, h, m or s, such as 30d".to_owned()),
    };
    let count: u64 = digits.parse().map_err(|_| format!("`{digits}` is not a whole number"))?;
    let seconds = count.checked_mul(seconds_per_unit).filter(|seconds| *seconds > 0);
    seconds.map(Duration::from_secs).ok_or_else(|| "must be above zero and finite".to_owned())
}

pub fn run(args: Args) -> ExitCode {
    // An operator with a half-edited file must still be able to revoke.
    let data_dir = match args.data_dir {
        Some(dir) => dir,
        None => match config::load(&Overrides { config: args.config, ..Overrides::default() }) {
            Ok(lowered) => lowered.settings.data_dir,
            Err(error) => return output::fail(&error.to_string(), None),
        },
    };
    let done = match args.command {
        Sub::Create { role, agent, unattended, name, ttl } => {
            let role = match role {
                RoleArg::Agent => Role::Agent,
                RoleArg::Viewer => Role::Viewer,
                RoleArg::Admin => Role::Admin,
            };
            let origin = if unattended { Origin::Unattended } else { Origin::Interactive };
            let new = NewToken { role, agent_id: agent, origin, name, ttl };
            tokens::create(&data_dir, new).map(|(info, secret)| {
                if args.json {
                    output::json(&json!({ "id": info.id, "token": secret }));
                } else {
                    output::line(&secret);
                }
            })
        }
        Sub::List => tokens::list(&data_dir).map(|list| print_list(&list, args.json)),
        Sub::Revoke { id } => tokens::revoke(&data_dir, &id).map(|()| {
            if args.json {
                output::json(&json!({ "id": id, "revoked": true }));
            } else {
                output::line(&format!("{id} revoked"));
            }
        }),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::fail(&error.to_string(), error.hint().as_deref()),
    }
}

fn print_list(list: &[tokens::TokenInfo], as_json: bool) {
    if as_json {
        let rows: Vec<_> = list.iter().map(token_json).collect();
        return output::json(&json!(rows));
    }
    output::line(concat!(
        "ID                    ROLE    AGENT            ORIGIN       ",
        "EXPIRES                  NAME"
    ));
    for token in list {
        output::line(&format!(
            "{:<21} {:<7} {:<16} {:<12} {:<24} {}",
            token.id,
            token.role.as_str(),
            token.agent_id,
            token.origin.as_str(),
            token.expires_at.as_deref().unwrap_or("never"),
            token.name.as_deref().unwrap_or("-"),
        ));
    }
}

fn token_json(token: &tokens::TokenInfo) -> serde_json::Value {
    json!({
        "id": token.id, "role": token.role.as_str(), "agentId": token.agent_id,
        "origin": token.origin.as_str(), "name": token.name, "createdAt": token.created_at,
        "expiresAt": token.expires_at, "lastUsedAt": token.last_used_at,
    })
}

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn durations_need_a_unit_and_a_positive_count() {
        assert_eq!(duration("30d"), Ok(Duration::from_secs(30 * 86_400)));
        assert_eq!(duration("15m"), Ok(Duration::from_secs(900)));
        for bad in ["", "30", "d", "0h", "-1d", "1.5h", "99999999999999999999d", "é"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
