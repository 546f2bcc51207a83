//! What is enforced now, and what is not.

use actix_web::HttpResponse;
use actors::settings::AutoAnswer;
use actors::system::posture as inner;
use schemars::JsonSchema;
use serde::Serialize;

use crate::gate::Request;
use crate::problem::Problem;
use crate::route::{Access, Reply, Route};
use crate::schema;
use crate::wire::BackendName;

pub const ROUTES: &[Route] =
    &[Route::get("/v1/posture", "What protects this host", |request| Box::pin(posture(request)))
        .access(Access::Viewer)
        .tag("service")
        .reply(Reply::Json(schema::output::<Posture>))];

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Posture {
    jail: Jail,
    /// Switches that take protection away; empty when all is on.
    unsafe_switches: Vec<String>,
    checks: Vec<Check>,
    agents: Vec<Agent>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Jail {
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// One fact about this machine: bwrap, tmux, Landlock, cgroups ….
#[derive(Debug, Serialize, JsonSchema)]
struct Check {
    name: &'static str,
    status: Status,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Degraded,
    Broken,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Agent {
    agent_id: String,
    terminal_enabled: bool,
    unsafe_disable_sandbox: bool,
    redact_secrets: bool,
    audit_enabled: bool,
    allow: Vec<Entry>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Entry {
    allow_id: String,
    /// As the configuration names it.
    path: String,
    /// What that was when the file was read.
    program: String,
    sha256: String,
    /// The configuration names the hash itself.
    hash_pinned: bool,
    filesystem: &'static str,
    network: &'static str,
    uid: &'static str,
    auto_answer: &'static str,
    approve_on_create: bool,
    backend: BackendName,
}

async fn posture(request: Request) -> Result<HttpResponse, Problem> {
    let posture = request.shared.system.posture().await;
    Ok(HttpResponse::Ok().json(Posture::from(posture)))
}

impl From<inner::Posture> for Posture {
    fn from(posture: inner::Posture) -> Self {
        Self {
            jail: jail(&posture.checks),
            unsafe_switches: unsafe_switches(&posture.agents),
            checks: posture.checks.into_iter().map(Into::into).collect(),
            agents: posture.agents.into_iter().map(Into::into).collect(),
        }
    }
}

/// Broken checks are what keeps a jail from being made; a jail nobody examined is no jail.
fn jail(checks: &[inner::MachineCheck]) -> Jail {
    let broken: Vec<String> = checks
        .iter()
        .filter(|check| check.status == inner::MachineStatus::Broken)
        .map(|check| format!("{}: {}", check.name, check.detail))
        .collect();
    let why = if checks.is_empty() {
        Some("this machine has not been examined".to_owned())
    } else {
        (!broken.is_empty()).then(|| broken.join("; "))
    };
    Jail { available: why.is_none(), why }
}

fn unsafe_switches(agents: &[inner::AgentPosture]) -> Vec<String> {
    let mut switches = Vec::new();
    for agent in agents {
        let place = format!("agents.{}.skills.terminal", agent.agent_id);
        if agent.unsafe_disable_sandbox {
            switches.push(format!("{place}.unsafeDisableSandbox: true"));
        }
        if !agent.redact_secrets {
            switches.push(format!("{place}.redactSecrets: false"));
        }
        if !agent.audit {
            switches.push(format!("{place}.audit.enabled: false"));
        }
    }
    switches
}

impl From<inner::MachineCheck> for Check {
    fn from(check: inner::MachineCheck) -> Self {
        Self {
            name: check.name,
            status: match check.status {
                inner::MachineStatus::Ok => Status::Ok,
                inner::MachineStatus::Degraded => Status::Degraded,
                inner::MachineStatus::Broken => Status::Broken,
            },
            detail: check.detail,
            fix: check.fix,
        }
    }
}

impl From<inner::AgentPosture> for Agent {
    fn from(agent: inner::AgentPosture) -> Self {
        Self {
            agent_id: agent.agent_id,
            terminal_enabled: agent.terminal_enabled,
            unsafe_disable_sandbox: agent.unsafe_disable_sandbox,
            redact_secrets: agent.redact_secrets,
            audit_enabled: agent.audit,
            allow: agent.allow.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<inner::EntryPosture> for Entry {
    fn from(entry: inner::EntryPosture) -> Self {
        Self {
            allow_id: entry.allow_id,
            path: entry.match_path.to_string_lossy().into_owned(),
            program: entry.program.to_string_lossy().into_owned(),
            sha256: entry.sha256,
            hash_pinned: entry.hash_pinned,
            filesystem: entry.filesystem,
            network: entry.network,
            uid: entry.uid,
            auto_answer: match entry.auto_answer {
                AutoAnswer::SafeOnly => "safe-only",
                AutoAnswer::None => "none",
                AutoAnswer::All => "all",
            },
            approve_on_create: entry.approve_on_create,
            backend: entry.backend.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &'static str, status: inner::MachineStatus) -> inner::MachineCheck {
        inner::MachineCheck { name, status, detail: "detail".to_owned(), fix: None }
    }

    #[test]
    fn a_jail_is_there_when_nothing_is_broken_and_somebody_looked() {
        assert!(!jail(&[]).available);
        assert!(jail(&[check("tmux", inner::MachineStatus::Degraded)]).available);
        let broken = jail(&[check("bwrap", inner::MachineStatus::Broken)]);
        assert_eq!(broken.why.as_deref(), Some("bwrap: detail"));
    }
}
