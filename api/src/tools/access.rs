//! Who may call which tool: the role first, then the agent's tool policy.
//!
//! The policy belongs to the agent id, so it binds an admin token of that agent as well.

use actors::settings::Settings;
use actors::{Caller, Role};

use super::Entry;
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    NotInProfile,
    ExplicitDeny,
    /// A viewer changes nothing.
    Role,
    /// `skills.terminal.enabled` is false for this agent.
    Disabled,
}

impl Refusal {
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::NotInProfile => "not_in_profile",
            Self::ExplicitDeny => "explicit_deny",
            Self::Role => "role",
            Self::Disabled => "disabled",
        }
    }

    #[must_use]
    pub fn problem(self, tool: &str) -> Problem {
        let problem = Problem::new(Code::PermissionDenied, format!("`{tool}` may not be called"))
            .reason(self.reason());
        match self {
            Self::NotInProfile => problem.hint(
                "The agent's toolPolicy does not include this tool; GET /v1/tools lists those \
                 it may call.",
            ),
            Self::ExplicitDeny => problem.hint("The operator's toolPolicy denies this tool."),
            Self::Role => problem.hint("A viewer token only reads; use an agent or admin token."),
            Self::Disabled => {
                problem.hint("The operator has switched terminal sessions off for this agent.")
            }
        }
    }
}

/// Why this caller may not call the tool, or `None` when it may.
#[must_use]
pub fn refusal(settings: &Settings, caller: &Caller, entry: &Entry) -> Option<Refusal> {
    if caller.role == Role::Viewer {
        return (!entry.annotations.read_only).then_some(Refusal::Role);
    }
    let Some(agent) = settings.agents.get(&caller.owner.agent_id) else {
        return Some(Refusal::NotInProfile);
    };
    let named = |names: &[String]| names.iter().any(|name| name == entry.name);
    if named(&agent.tool_policy.denied) {
        Some(Refusal::ExplicitDeny)
    } else if !named(&agent.tool_policy.allowed) {
        Some(Refusal::NotInProfile)
    } else if entry.name.starts_with("terminal_session_") && !agent.terminal.enabled {
        Some(Refusal::Disabled)
    } else {
        None
    }
}
