//! `Raw` to what it means on this machine: paths expanded and resolved, binaries hashed,
//! secrets read, impossible combinations refused.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use actors::settings::{
    AgentSettings, PermissionSettings, Settings, TerminalSettings, ToolPolicy, Webhook,
};
use api::ServerSettings;

use super::error::Findings;
use super::lower_allow::lower_allow;
use super::raw::{self, Raw, Secret};
use super::reader::{Place, nearest};

/// What the machine tells a file about itself.
#[derive(Debug, Clone)]
pub struct Surroundings {
    pub home: PathBuf,
    pub config_file: Option<PathBuf>,
    /// A missing binary drops its entry with a warning instead of failing: only for the
    /// embedded default, which cannot know the machine.
    pub tolerate_missing_programs: bool,
    /// `--data-dir` and `--bind` win over the file.
    pub data_dir: Option<PathBuf>,
    pub bind: Option<String>,
}

/// The lowered configuration and what an operator should hear about it.
#[derive(Debug)]
pub struct Lowered {
    pub settings: Settings,
    pub server: ServerSettings,
    pub warnings: Vec<String>,
}

pub fn lower(raw: Raw, around: &Surroundings, findings: &mut Findings) -> Lowered {
    let mut warnings: Vec<String> = raw
        .without_effect
        .iter()
        .map(|place| {
            format!("line {}: {} is understood but has no effect yet", place.line, place.key)
        })
        .collect();
    let data_dir = data_dir(&raw, around, findings);
    let server = lower_server(&raw.server, around, findings);
    let mut hidden_paths: Vec<PathBuf> = around.config_file.iter().cloned().collect();
    hidden_paths.extend(server.unix_socket.clone());
    let mut agents = BTreeMap::new();
    for (id, agent) in raw.agents {
        let lowered = lower_agent(&id, agent, &data_dir, around, &mut warnings, findings);
        agents.insert(id, lowered);
    }
    let permission = PermissionSettings {
        enable_process_permissions: raw.permission.enable_process_permissions,
        allowed_fs_paths: paths(&raw.permission.allowed_fs_paths, around, findings),
        allowed_net_hosts: raw.permission.allowed_net_hosts,
    };
    let profile_paths = paths(&raw.profile_paths, around, findings);
    let webhooks = raw
        .webhooks
        .into_iter()
        .filter_map(|hook| {
            let secret = read_secret(&hook.place, &hook.secret, around, findings)?;
            Some(Webhook { url: hook.url, secret, events: hook.events })
        })
        .collect();
    let settings = Settings { data_dir, hidden_paths, agents, permission, profile_paths, webhooks };
    Lowered { settings, server, warnings }
}

fn data_dir(raw: &Raw, around: &Surroundings, findings: &mut Findings) -> PathBuf {
    if let Some(dir) = &around.data_dir {
        return std::path::absolute(dir).unwrap_or_else(|_| dir.clone());
    }
    match &raw.data_dir {
        Some((place, text)) => path(place, text, around, findings),
        None => around.home.join(".ttydrive"),
    }
}

fn lower_server(
    raw: &raw::Server,
    around: &Surroundings,
    findings: &mut Findings,
) -> ServerSettings {
    let (place, text) = &raw.bind;
    let text = around.bind.as_ref().unwrap_or(text);
    let bind = text.parse::<SocketAddr>().unwrap_or_else(|_| {
        let problem = format!("`{text}` is not ADDRESS:PORT");
        findings.add_with_hint(place.line, &place.key, problem, "such as 127.0.0.1:7717");
        SocketAddr::from(([127, 0, 0, 1], 7717))
    });
    if !bind.ip().is_loopback() && !raw.allow_remote {
        findings.add_with_hint(
            place.line,
            &place.key,
            format!("{bind} is not a loopback address"),
            "set server.allowRemote: true if other machines shall reach this service",
        );
    }
    ServerSettings {
        bind,
        unix_socket: raw
            .unix_socket
            .as_ref()
            .map(|(place, text)| path(place, text, around, findings)),
        allow_remote: raw.allow_remote,
        allowed_hosts: raw.allowed_hosts.clone(),
        foreground_ms: raw
            .foreground
            .map(|value| u64::try_from(value.as_millis()).unwrap_or(u64::MAX)),
    }
}

fn lower_agent(
    id: &str,
    raw: raw::Agent,
    data_dir: &Path,
    around: &Surroundings,
    warnings: &mut Vec<String>,
    findings: &mut Findings,
) -> AgentSettings {
    let workspace = match &raw.workspace {
        Some((place, text)) => path(place, text, around, findings),
        None if id == "default" => data_dir.join("workspace"),
        None => data_dir.join(format!("workspace-{id}")),
    };
    let terminal = raw.terminal;
    let allow = lower_allow(terminal.allow, around, warnings, findings);
    AgentSettings {
        workspace,
        tool_policy: lower_tool_policy(&raw.tool_policy, findings),
        budget: raw.budget,
        terminal: TerminalSettings {
            enabled: terminal.enabled,
            sessions_max: small(terminal.sessions_max),
            idle_ttl: terminal.idle_ttl,
            ring_bytes: small(terminal.ring_bytes),
            stuck_after: terminal.stuck_after,
            concurrent_attention_turns_max: small(terminal.concurrent_attention_turns_max),
            default_cols: small(terminal.cols),
            default_rows: small(terminal.rows),
            default_scrollback: small(terminal.scrollback),
            redact_secrets: terminal.redact_secrets,
            audit: terminal.audit,
            unsafe_disable_sandbox: terminal.unsafe_disable_sandbox,
            allow,
            drive: terminal.drive,
        },
    }
}

/// Ranges were checked while reading, so this never really saturates.
fn small<T: TryFrom<u64> + Bounded>(value: u64) -> T {
    T::try_from(value).unwrap_or(T::TOP)
}

trait Bounded {
    const TOP: Self;
}

impl Bounded for u16 {
    const TOP: Self = Self::MAX;
}
impl Bounded for u32 {
    const TOP: Self = Self::MAX;
}
impl Bounded for usize {
    const TOP: Self = Self::MAX;
}

fn lower_tool_policy(raw: &raw::ToolPolicy, findings: &mut Findings) -> ToolPolicy {
    use policy::tool_policy::{candidates, expand, profile};
    let mut complain = |place: &Place, error: policy::tool_policy::PolicyError| {
        let name = match &error {
            policy::tool_policy::PolicyError::UnknownProfile(name)
            | policy::tool_policy::PolicyError::UnknownName(name) => name.clone(),
        };
        match nearest(&name, &candidates(&error)) {
            Some(near) => {
                let hint = format!("did you mean `{near}`?");
                findings.add_with_hint(place.line, &place.key, error.to_string(), hint);
            }
            None => findings.add(place.line, &place.key, error.to_string()),
        }
    };
    let mut allowed = BTreeSet::new();
    match profile(&raw.profile.1) {
        Ok(tools) => allowed = tools,
        Err(error) => complain(&raw.profile.0, error),
    }
    for (place, name) in &raw.allow {
        match expand(name) {
            Ok(tools) => allowed.extend(tools),
            Err(error) => complain(place, error),
        }
    }
    let mut denied = BTreeSet::new();
    for (place, name) in &raw.deny {
        match expand(name) {
            Ok(tools) => denied.extend(tools),
            Err(error) => complain(place, error),
        }
    }
    let own = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect();
    ToolPolicy { allowed: own(&allowed - &denied), denied: own(denied) }
}

fn paths(list: &[(Place, String)], around: &Surroundings, findings: &mut Findings) -> Vec<PathBuf> {
    list.iter().map(|(place, text)| path(place, text, around, findings)).collect()
}

/// `~` and `~/…` expand; everything else must be absolute.
pub fn path(place: &Place, text: &str, around: &Surroundings, findings: &mut Findings) -> PathBuf {
    if text == "~" {
        return around.home.clone();
    }
    if let Some(rest) = text.strip_prefix("~/") {
        return around.home.join(rest);
    }
    let path = PathBuf::from(text);
    if !path.is_absolute() || text.contains('\0') {
        let problem = format!("`{text}` must be an absolute path (or start with ~/)");
        findings.add(place.line, &place.key, problem);
    }
    path
}

/// A file larger than this holds no secret.
const SECRET_BYTES_MAX: u64 = 65_536;

/// Reads a value from where the file says it is. The value itself is never in a finding.
pub fn read_secret(
    place: &Place,
    secret: &Secret,
    around: &Surroundings,
    findings: &mut Findings,
) -> Option<String> {
    match secret {
        Secret::Inline(value) => Some(value.clone()),
        Secret::FromEnv(name) => match std::env::var(name) {
            Ok(value) => Some(value),
            Err(_) => {
                let problem = format!("the variable {name} is not set (or not UTF-8)");
                findings.add(place.line, &place.key, problem);
                None
            }
        },
        Secret::FromFile(text) => {
            let file = path(place, text, around, findings);
            match read_bounded(&file, SECRET_BYTES_MAX) {
                Ok(value) => Some(value.trim_end_matches(['\r', '\n']).to_owned()),
                Err(error) => {
                    let problem = format!("cannot read {}: {error}", file.display());
                    findings.add(place.line, &place.key, problem);
                    None
                }
            }
        }
    }
}

pub fn read_bounded(file: &Path, limit: u64) -> std::io::Result<String> {
    use std::io::Read;
    let mut text = String::new();
    let read = std::fs::File::open(file)?.take(limit + 1).read_to_string(&mut text)?;
    if u64::try_from(read).unwrap_or(u64::MAX) > limit {
        return Err(std::io::Error::other(format!("larger than {limit} bytes")));
    }
    Ok(text)
}
