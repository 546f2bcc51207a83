//! What is enforced right now, for operators: the machine's checks and the settings in force.

use std::path::PathBuf;

use tokio::sync::Mutex;

use super::System;
use crate::clock;
use crate::settings::{AgentSettings, AllowEntry, AutoAnswer, Backend};

/// An operator who has just installed something sees it after this long.
const CHECKS_FRESH_MS: i64 = 10_000;

#[derive(Debug, Clone)]
pub struct Posture {
    /// What `ttydrive doctor` shows.
    pub checks: Vec<MachineCheck>,
    pub agents: Vec<AgentPosture>,
}

/// One fact about this machine.
#[derive(Debug, Clone)]
pub struct MachineCheck {
    pub name: &'static str,
    pub status: MachineStatus,
    pub detail: String,
    pub fix: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineStatus {
    Ok,
    Degraded,
    Broken,
}

#[derive(Debug, Clone)]
pub struct AgentPosture {
    pub agent_id: String,
    pub terminal_enabled: bool,
    pub unsafe_disable_sandbox: bool,
    pub redact_secrets: bool,
    pub audit: bool,
    pub allow: Vec<EntryPosture>,
}

/// An allow entry with the hash its program must have.
#[derive(Debug, Clone)]
pub struct EntryPosture {
    pub allow_id: String,
    pub match_path: PathBuf,
    pub program: PathBuf,
    pub sha256: String,
    pub hash_pinned: bool,
    pub filesystem: &'static str,
    pub network: &'static str,
    pub uid: &'static str,
    pub auto_answer: AutoAnswer,
    pub approve_on_create: bool,
    pub backend: Backend,
}

impl System {
    /// Looks at the machine and at the settings.
    pub async fn posture(&self) -> Posture {
        let settings = self.settings();
        Posture {
            checks: checks().await,
            agents: settings.agents.iter().map(|(id, agent)| agent_posture(id, agent)).collect(),
        }
    }
}

/// The doctor starts a real jail, so what it found is good for a moment, and callers that
/// come together share one look.
async fn checks() -> Vec<MachineCheck> {
    static LAST: Mutex<Option<(i64, Vec<MachineCheck>)>> = Mutex::const_new(None);
    let mut last = LAST.lock().await;
    let now = clock::monotonic_ms();
    match last.as_ref() {
        Some((at, checks)) if now - at < CHECKS_FRESH_MS => checks.clone(),
        Some(_) | None => {
            let found = tokio::task::spawn_blocking(jail::doctor).await.unwrap_or_default();
            let checks: Vec<_> = found.into_iter().map(check).collect();
            *last = Some((clock::monotonic_ms(), checks.clone()));
            checks
        }
    }
}

fn check(check: jail::Check) -> MachineCheck {
    MachineCheck {
        name: check.name,
        status: match check.status {
            jail::CheckStatus::Ok => MachineStatus::Ok,
            jail::CheckStatus::Degraded => MachineStatus::Degraded,
            jail::CheckStatus::Broken => MachineStatus::Broken,
        },
        detail: check.detail,
        fix: check.fix,
    }
}

fn agent_posture(id: &str, agent: &AgentSettings) -> AgentPosture {
    let terminal = &agent.terminal;
    AgentPosture {
        agent_id: id.to_owned(),
        terminal_enabled: terminal.enabled,
        unsafe_disable_sandbox: terminal.unsafe_disable_sandbox,
        redact_secrets: terminal.redact_secrets,
        audit: terminal.audit,
        allow: terminal.allow.values().map(entry).collect(),
    }
}

fn entry(entry: &AllowEntry) -> EntryPosture {
    EntryPosture {
        allow_id: entry.id.clone(),
        match_path: entry.match_path.clone(),
        program: entry.program.clone(),
        sha256: entry.sha256.clone(),
        hash_pinned: entry.hash_pinned,
        filesystem: entry.scope.filesystem.name(),
        network: network(entry.scope.network),
        uid: uid(entry.scope.uid),
        auto_answer: entry.auto_answer,
        approve_on_create: entry.approve_on_create,
        backend: entry.backend,
    }
}

fn network(network: jail::Network) -> &'static str {
    match network {
        jail::Network::None => "none",
        jail::Network::ListedHosts => "listed-hosts",
        jail::Network::Full => "full",
        jail::Network::BrokerOnly => "broker-only",
    }
}

fn uid(uid: jail::UidMode) -> &'static str {
    match uid {
        jail::UidMode::Dedicated => "dedicated",
        jail::UidMode::Daemon => "daemon",
    }
}
