//! `search_tools`: find a tool by words, or see why one cannot be used.

use actors::system::posture::{AgentPosture, MachineStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::access::{Refusal, refusal};
use super::{Annotations, Context, Entry, READ_ONLY, Tool, list};
use crate::problem::Problem;

pub struct SearchTools;

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Words of a name or description; "inventory" reports every tool.
    #[schemars(length(min = 1, max = 256))]
    query: String,
    #[serde(default = "default_max_results")]
    #[schemars(range(min = 1, max = 100))]
    max_results: usize,
}

const fn default_max_results() -> usize {
    5
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Reply {
    tools: Vec<Found>,
    unavailable: Vec<Unavailable>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    name: &'static str,
    description: &'static str,
    /// Only in an inventory.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Availability>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unavailable {
    name: &'static str,
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Availability>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Availability {
    Available,
    DeniedByPolicy,
    ConfiguredButUnavailable,
}

impl Tool for SearchTools {
    type Args = Args;
    type Reply = Reply;
    const NAME: &'static str = "search_tools";
    const DESCRIPTION: &'static str = "Find tools by words of their name or description. The \
        query \"inventory\" reports every tool and why one cannot be used.";
    const ANNOTATIONS: Annotations = READ_ONLY;

    async fn call(context: Context, args: Args) -> Result<Reply, Problem> {
        let inventory = args.query.trim().eq_ignore_ascii_case("inventory");
        let missing = if inventory { missing_parts(&context).await } else { Vec::new() };
        let mut reply = Reply { tools: Vec::new(), unavailable: Vec::new() };
        for entry in ranked(&args.query, inventory) {
            match why_not(&context, entry, &missing) {
                Some((status, why)) if inventory => reply.unavailable.push(Unavailable {
                    name: entry.name,
                    why,
                    status: Some(status),
                }),
                Some((_, why)) if reply.unavailable.len() < args.max_results => {
                    reply.unavailable.push(Unavailable { name: entry.name, why, status: None });
                }
                None if inventory || reply.tools.len() < args.max_results => {
                    reply.tools.push(Found {
                        name: entry.name,
                        description: entry.description,
                        status: inventory.then_some(Availability::Available),
                    });
                }
                Some(_) | None => {}
            }
        }
        Ok(reply)
    }
}

fn why_not(
    context: &Context,
    entry: &'static Entry,
    missing: &[(&'static str, String)],
) -> Option<(Availability, String)> {
    if let Some(refused) = refusal(&context.system.settings(), &context.caller, entry) {
        let status = match refused {
            Refusal::Disabled => Availability::ConfiguredButUnavailable,
            Refusal::NotInProfile | Refusal::ExplicitDeny | Refusal::Role => {
                Availability::DeniedByPolicy
            }
        };
        return Some((status, refused.reason().to_owned()));
    }
    missing
        .iter()
        .find(|(tool, _)| *tool == entry.name)
        .map(|(_, why)| (Availability::ConfiguredButUnavailable, why.clone()))
}

/// Tools whose host-side parts are missing, with what is missing.
async fn missing_parts(context: &Context) -> Vec<(&'static str, String)> {
    let posture = context.system.posture().await;
    let jailless = |agent: &AgentPosture| {
        agent.agent_id == context.caller.owner.agent_id && agent.unsafe_disable_sandbox
    };
    if posture.agents.iter().any(jailless) {
        return Vec::new();
    }
    let broken = posture.checks.iter().filter(|check| check.status == MachineStatus::Broken);
    broken
        .map(|check| ("terminal_session_create", format!("{}: {}", check.name, check.detail)))
        .collect()
}

/// Tools by how many of the query's words they have, names counting double.
fn ranked(query: &str, inventory: bool) -> Vec<&'static Entry> {
    if inventory {
        return list().iter().collect();
    }
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split(|c: char| !c.is_alphanumeric()).collect();
    let mut scored: Vec<(usize, &Entry)> = list()
        .iter()
        .map(|entry| (score(entry, &words), entry))
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, entry)| entry).collect()
}

fn score(entry: &Entry, words: &[&str]) -> usize {
    let description = entry.description.to_lowercase();
    words
        .iter()
        .filter(|word| word.len() > 1)
        .map(|word| {
            2 * usize::from(entry.name.contains(word)) + usize::from(description.contains(word))
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_match_comes_first() {
        assert_eq!(ranked("press keys", false)[0].name, "terminal_session_send_key");
        assert_eq!(ranked("resize", false)[0].name, "terminal_session_resize");
        assert!(ranked("zzzz", false).is_empty());
        assert_eq!(ranked("inventory", true).len(), list().len());
    }
}
