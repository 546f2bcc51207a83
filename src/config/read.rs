//! The YAML tree to `Raw`: closed schema, ranges, defaults. The allow entries have a file of
//! their own (`read_allow`).

use std::collections::BTreeMap;
use std::time::Duration;

use actors::settings::{Budget, DriveMode, DriveSettings, NotifyMode, ReadMode};

use super::error::Findings;
use super::raw::{Agent, DRIVE_DEFAULT, Permission, Raw, Server, Terminal, ToolPolicy, Webhook};
use super::read_allow::{allow_entries, secret, valid_id};
use super::reader::{Block, Place};
use super::yaml::{Data, Node};

const TOP: &[&str] =
    &["dataDir", "server", "agents", "security", "profiles", "notifications", "broker"];

/// Milliseconds in thirty days: no timer of the service is longer.
const MS_MAX: u64 = 30 * 24 * 3600 * 1000;

pub fn read(root: &Node, findings: &mut Findings) -> Raw {
    let mut allowed = TOP.to_vec();
    if misplaced_skills(root, findings) {
        allowed.push("skills");
    }
    let top = Block::open(root, "", &allowed, findings);
    let mut without_effect = Vec::new();
    if top.get("broker").is_some() {
        without_effect.push(top.at("broker"));
    }
    let agents = match top.get("agents") {
        Some(node) => read_agents(node, findings, &mut without_effect),
        None => default_agents(),
    };
    Raw {
        data_dir: top.text_opt("dataDir", findings).map(|text| (top.at("dataDir"), text)),
        server: read_server(&top, findings),
        agents,
        permission: read_permission(&top, findings),
        profile_paths: read_profile_paths(&top, findings),
        webhooks: read_webhooks(&top, findings),
        without_effect,
    }
}

/// A top-level `skills:` is a common mistake and gets its own hint instead of the one for
/// unknown keys.
fn misplaced_skills(root: &Node, findings: &mut Findings) -> bool {
    let Data::Map(entries) = &root.data else { return false };
    let Some(entry) = entries.iter().find(|entry| entry.key == "skills") else { return false };
    findings.add_with_hint(
        entry.line,
        "skills",
        "unknown key at the top level",
        "move it under agents.<id>, such as agents.default.skills",
    );
    true
}

fn default_agents() -> BTreeMap<String, Agent> {
    let empty = Node { line: 1, data: Data::Null };
    let mut findings = Findings::default();
    let agent = read_agent(&empty, "agents.default", &mut findings, &mut Vec::new());
    BTreeMap::from([("default".to_owned(), agent)])
}

fn sub<'n>(parent: &Block<'n>, name: &str, allowed: &[&str], findings: &mut Findings) -> Block<'n> {
    static ABSENT: Node = Node { line: 0, data: Data::Null };
    let node = parent.get(name).unwrap_or(&ABSENT);
    let mut block = Block::open(node, &parent.path(name), allowed, findings);
    if block.place.line == 0 {
        block.place.line = parent.place.line;
    }
    block
}

fn ms(value: u64) -> Duration {
    Duration::from_millis(value)
}

fn read_server(top: &Block<'_>, findings: &mut Findings) -> Server {
    let keys = ["bind", "unixSocket", "allowRemote", "allowedHosts", "foregroundMs"];
    let block = sub(top, "server", &keys, findings);
    let bind = block.text_opt("bind", findings).unwrap_or_else(|| "127.0.0.1:7717".to_owned());
    Server {
        bind: (block.at("bind"), bind),
        unix_socket: block
            .text_opt("unixSocket", findings)
            .map(|text| (block.at("unixSocket"), text)),
        allow_remote: block.bool("allowRemote", false, findings),
        allowed_hosts: texts(&block, "allowedHosts", findings),
        foreground: block.int_opt("foregroundMs", 1..=MS_MAX, findings).map(ms),
    }
}

fn texts(block: &Block<'_>, name: &str, findings: &mut Findings) -> Vec<String> {
    block.texts(name, findings).into_iter().map(|(_, text)| text).collect()
}

fn read_permission(top: &Block<'_>, findings: &mut Findings) -> Permission {
    let security = sub(top, "security", &["permission"], findings);
    let keys = ["enableProcessPermissions", "allowedFsPaths", "allowedNetHosts"];
    let block = sub(&security, "permission", &keys, findings);
    Permission {
        enable_process_permissions: block.bool("enableProcessPermissions", false, findings),
        allowed_fs_paths: block.texts("allowedFsPaths", findings),
        allowed_net_hosts: texts(&block, "allowedNetHosts", findings),
    }
}

fn read_profile_paths(top: &Block<'_>, findings: &mut Findings) -> Vec<(Place, String)> {
    sub(top, "profiles", &["paths"], findings).texts("paths", findings)
}

fn read_webhooks(top: &Block<'_>, findings: &mut Findings) -> Vec<Webhook> {
    let block = sub(top, "notifications", &["webhooks"], findings);
    let mut out = Vec::new();
    for (path, item) in block.list("webhooks", findings) {
        let hook = Block::open(item, &path, &["url", "secret", "events"], findings);
        let Some(url) = hook.required_text("url", findings) else { continue };
        if !url.starts_with("http://") && !url.starts_with("https://") {
            findings.add(item.line, &hook.path("url"), "must start with http:// or https://");
        }
        let Some(node) = hook.get("secret") else {
            findings.add(item.line, &hook.path("secret"), "is required (it signs the calls)");
            continue;
        };
        let Some(secret) = secret(node, &hook.path("secret"), findings) else { continue };
        let events = texts(&hook, "events", findings);
        out.push(Webhook { place: hook.place, url, secret, events });
    }
    out
}

fn read_agents(
    node: &Node,
    findings: &mut Findings,
    without_effect: &mut Vec<Place>,
) -> BTreeMap<String, Agent> {
    let block = Block::open_any(node, "agents", findings);
    let mut out = BTreeMap::new();
    for entry in block.entries() {
        let path = block.path(&entry.key);
        if !valid_id(&entry.key) {
            let problem = "an agent id is lower-case letters, digits, `-` and `_`, at most 64";
            findings.add(entry.line, &path, problem);
        }
        let agent = read_agent(&entry.value, &path, findings, without_effect);
        out.insert(entry.key.clone(), agent);
    }
    if out.is_empty() {
        return default_agents();
    }
    out
}

fn read_agent(
    node: &Node,
    path: &str,
    findings: &mut Findings,
    without_effect: &mut Vec<Place>,
) -> Agent {
    let block = Block::open(node, path, &["workspace", "toolPolicy", "budget", "skills"], findings);
    let keys = ["terminal", "exec", "execSandbox", "contentScanning", "promptSkills"];
    let skills = sub(&block, "skills", &keys, findings);
    check_other_skills(&skills, findings);
    for name in ["exec", "promptSkills"] {
        if skills.get(name).is_some() {
            without_effect.push(skills.at(name));
        }
    }
    Agent {
        workspace: block.text_opt("workspace", findings).map(|text| (block.at("workspace"), text)),
        tool_policy: read_tool_policy(&block, findings),
        budget: read_budget(&block, findings),
        terminal: read_terminal(&skills, findings),
    }
}

/// Blocks whose capability has its own chapter: the schema is closed here too, so that a
/// file with a misspelt key never loads.
fn check_other_skills(skills: &Block<'_>, findings: &mut Findings) {
    let exec_keys = ["enabled", "scope", "blockDestructive"];
    let exec = sub(skills, "exec", &exec_keys, findings);
    exec.bool("enabled", true, findings);
    exec.bool("blockDestructive", false, findings);
    if let Some(scope) = exec.get("scope") {
        super::read_allow::scope(scope, &exec.path("scope"), findings);
    }
    let sandbox = sub(skills, "execSandbox", &["enabled", "readOnlyAllowPaths"], findings);
    sandbox.choice("enabled", &[("always", ()), ("never", ())], findings);
    sandbox.texts("readOnlyAllowPaths", findings);
    let scanning = sub(skills, "contentScanning", &["enabled", "blockOnCritical"], findings);
    scanning.bool("enabled", true, findings);
    scanning.bool("blockOnCritical", true, findings);
    let prompts = sub(skills, "promptSkills", &["paths", "maxBodyLength"], findings);
    prompts.texts("paths", findings);
    prompts.int("maxBodyLength", 20_000, 100..=500_000, findings);
}

fn read_tool_policy(agent: &Block<'_>, findings: &mut Findings) -> ToolPolicy {
    let block = sub(agent, "toolPolicy", &["profile", "allow", "deny"], findings);
    let profile = block.text_opt("profile", findings).unwrap_or_else(|| "terminal".to_owned());
    ToolPolicy {
        profile: (block.at("profile"), profile),
        allow: block.texts("allow", findings),
        deny: block.texts("deny", findings),
    }
}

fn read_budget(agent: &Block<'_>, findings: &mut Findings) -> Budget {
    let keys = ["maxToolCallsPerHour", "maxTokens", "maxCostUsd"];
    let block = sub(agent, "budget", &keys, findings);
    Budget {
        tool_calls_per_hour_max: block.int_opt("maxToolCallsPerHour", 1..=u64::MAX, findings),
        tokens_max: block.int_opt("maxTokens", 1..=u64::MAX, findings),
        cost_usd_max: block.amount_opt("maxCostUsd", findings),
    }
}

fn read_terminal(skills: &Block<'_>, findings: &mut Findings) -> Terminal {
    let keys = [
        "enabled",
        "worker",
        "defaults",
        "redactSecrets",
        "audit",
        "unsafeDisableSandbox",
        "allow",
        "drive",
        "record",
    ];
    let block = sub(skills, "terminal", &keys, findings);
    let keys = ["maxSessions", "idleTtlMs", "ringBytes", "stuckMs", "maxConcurrentAttentionTurns"];
    let worker = sub(&block, "worker", &keys, findings);
    let defaults = sub(&block, "defaults", &["cols", "rows", "scrollback"], findings);
    block.choice("record", &[("none", ()), ("output", ())], findings);
    Terminal {
        enabled: block.bool("enabled", true, findings),
        sessions_max: worker.int("maxSessions", 8, 1..=1000, findings),
        idle_ttl: ms(worker.int("idleTtlMs", 900_000, 0..=MS_MAX, findings)),
        ring_bytes: worker.int("ringBytes", 262_144, 4096..=16_777_216, findings),
        stuck_after: ms(worker.int("stuckMs", 30_000, 1000..=MS_MAX, findings)),
        concurrent_attention_turns_max: worker.int(
            "maxConcurrentAttentionTurns",
            4,
            1..=1000,
            findings,
        ),
        cols: defaults.int("cols", 80, 2..=500, findings),
        rows: defaults.int("rows", 24, 2..=200, findings),
        scrollback: defaults.int("scrollback", 1000, 0..=100_000, findings),
        redact_secrets: block.bool("redactSecrets", true, findings),
        audit: sub(&block, "audit", &["enabled"], findings).bool("enabled", true, findings),
        unsafe_disable_sandbox: block.bool("unsafeDisableSandbox", false, findings),
        allow: allow_entries(&block, findings),
        drive: read_drive(&block, findings),
    }
}

fn read_drive(terminal: &Block<'_>, findings: &mut Findings) -> DriveSettings {
    let keys =
        ["mode", "readMode", "durable", "heartbeatMs", "maxCostUsd", "notify", "heartbeatNotifyMs"];
    let block = sub(terminal, "drive", &keys, findings);
    let modes = [
        ("auto", DriveMode::Auto),
        ("attached", DriveMode::Attached),
        ("detached", DriveMode::Detached),
    ];
    let reads = [("digest", ReadMode::Digest), ("diff", ReadMode::Diff), ("full", ReadMode::Full)];
    let notify =
        [("terminal", NotifyMode::Terminal), ("all", NotifyMode::All), ("none", NotifyMode::None)];
    DriveSettings {
        mode: block.choice("mode", &modes, findings).unwrap_or(DRIVE_DEFAULT.mode),
        read_mode: block.choice("readMode", &reads, findings).unwrap_or(DRIVE_DEFAULT.read_mode),
        durable: block.bool("durable", DRIVE_DEFAULT.durable, findings),
        heartbeat: ms(block.int("heartbeatMs", 90_000, 1000..=MS_MAX, findings)),
        cost_usd_max: block.amount_opt("maxCostUsd", findings),
        notify: block.choice("notify", &notify, findings).unwrap_or(DRIVE_DEFAULT.notify),
        heartbeat_notify: ms(block.int("heartbeatNotifyMs", 3_600_000, 0..=MS_MAX, findings)),
    }
}
