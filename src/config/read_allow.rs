//! Allow entries: what an operator lets agents start, and how it is confined.

use std::time::Duration;

use actors::settings::{AutoAnswer, Backend, EntryLimits, HintPattern};
use jail::{Access, Filesystem, Network, ResourceLimits, UidMode};

use super::error::Findings;
use super::raw::{AllowEntry, Consent, Scope, ScopePath, Secret};
use super::reader::{Block, Place, text_of};
use super::yaml::{Data, Node};

static ABSENT: Node = Node { line: 0, data: Data::Null };

const ID_CHARS_MAX: usize = 64;

/// `[a-z0-9][a-z0-9_-]*`, at most 64 characters.
pub fn valid_id(id: &str) -> bool {
    let mut chars = id.chars();
    let first = chars.next().is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    first && chars.all(rest) && id.len() <= ID_CHARS_MAX
}

pub fn allow_entries(terminal: &Block<'_>, findings: &mut Findings) -> Vec<AllowEntry> {
    let mut out: Vec<AllowEntry> = Vec::new();
    for (path, item) in terminal.list("allow", findings) {
        let Some(entry) = allow_entry(item, &path, findings) else { continue };
        if out.iter().any(|other| other.id == entry.id) {
            let problem = format!("the id `{}` is used twice", entry.id);
            findings.add(item.line, &format!("{path}.id"), problem);
        }
        out.push(entry);
    }
    out
}

fn allow_entry(item: &Node, path: &str, findings: &mut Findings) -> Option<AllowEntry> {
    let keys = [
        "id",
        "match",
        "scope",
        "autoAnswer",
        "hintPatterns",
        "consent",
        "limits",
        "approveOnCreate",
        "backend",
    ];
    let block = Block::open(item, path, &keys, findings);
    let id = block.required_text("id", findings);
    if let Some(id) = id.as_deref().filter(|id| !valid_id(id)) {
        let problem = format!("`{id}` must match [a-z0-9][a-z0-9_-]*");
        findings.add(block.at("id").line, &block.path("id"), problem);
    }
    let matching = open(&block, "match", &["path", "hash", "argsPrefix"], findings);
    let program = matching.required_text("path", findings);
    let auto =
        [("safe-only", AutoAnswer::SafeOnly), ("none", AutoAnswer::None), ("all", AutoAnswer::All)];
    let backends = [("tmux", Backend::Tmux), ("spawn", Backend::Spawn)];
    let consent = consent(&block, findings);
    Some(AllowEntry {
        id: id?,
        path: program.map(|text| (matching.at("path"), text)),
        hash: matching.text_opt("hash", findings).map(|text| (matching.at("hash"), text)),
        args_prefix: matching
            .texts("argsPrefix", findings)
            .into_iter()
            .map(|(_, text)| text)
            .collect(),
        scope: scope(block.get("scope").unwrap_or(&ABSENT), &block.path("scope"), findings),
        auto_answer: block.choice("autoAnswer", &auto, findings).unwrap_or(AutoAnswer::SafeOnly),
        hint_patterns: hint_patterns(&block, findings),
        consent,
        limits: limits(&block, findings),
        approve_on_create: block.bool("approveOnCreate", false, findings),
        backend: block.choice("backend", &backends, findings),
    })
}

fn open<'n>(
    parent: &Block<'n>,
    name: &str,
    allowed: &[&str],
    findings: &mut Findings,
) -> Block<'n> {
    let mut block =
        Block::open(parent.get(name).unwrap_or(&ABSENT), &parent.path(name), allowed, findings);
    if block.place.line == 0 {
        block.place.line = parent.place.line;
    }
    block
}

fn consent(entry: &Block<'_>, findings: &mut Findings) -> Consent {
    if entry.get("consent").is_none() {
        findings.add_with_hint(
            entry.place.line,
            &entry.path("consent"),
            "is required",
            "consent: {acknowledgedRisk: true, acknowledgedAt: <RFC 3339 time>}",
        );
        return Consent::Missing;
    }
    let block = open(entry, "consent", &["acknowledgedRisk", "acknowledgedAt"], findings);
    let risk = block.bool("acknowledgedRisk", false, findings);
    if !risk {
        findings.add(block.place.line, &block.path("acknowledgedRisk"), "must be true");
    }
    let at = block.required_text("acknowledgedAt", findings);
    let valid = at.as_deref().is_some_and(|at| at.parse::<jiff::Timestamp>().is_ok());
    if at.is_some() && !valid {
        let problem = "must be an RFC 3339 time such as 2026-06-14T00:00:00Z";
        findings.add(block.at("acknowledgedAt").line, &block.path("acknowledgedAt"), problem);
    }
    if risk && valid { Consent::Given } else { Consent::Insufficient }
}

fn hint_patterns(entry: &Block<'_>, findings: &mut Findings) -> Vec<HintPattern> {
    let mut out = Vec::new();
    for (path, item) in entry.list("hintPatterns", findings) {
        let pattern = if matches!(item.data, Data::Map(_)) {
            let block = Block::open(item, &path, &["text", "keys"], findings);
            let keys = block.texts("keys", findings).into_iter().map(|(_, key)| key).collect();
            block.required_text("text", findings).map(|text| HintPattern { text, keys })
        } else {
            text_of(item, &path, findings).map(|text| HintPattern { text, keys: Vec::new() })
        };
        let Some(pattern) = pattern else { continue };
        if pattern.text.trim().is_empty() {
            findings.add(item.line, &path, "an empty pattern would match every prompt");
        }
        for key in &pattern.keys {
            if let Err(error) = term::keys::parse(key) {
                findings.add(item.line, &path, error.to_string());
            }
        }
        out.push(pattern);
    }
    out
}

fn limits(entry: &Block<'_>, findings: &mut Findings) -> EntryLimits {
    let keys = [
        "wallClockMs",
        "maxInteractions",
        "maxRequestsPerSession",
        "maxSessions",
        "memoryBytes",
        "pids",
        "cpuPercent",
    ];
    let block = open(entry, "limits", &keys, findings);
    let int32 = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    EntryLimits {
        wall_clock: block.int_opt("wallClockMs", 1..=u64::MAX, findings).map(Duration::from_millis),
        interactions_max: block.int_opt("maxInteractions", 1..=u64::MAX, findings),
        requests_per_session_max: block.int_opt("maxRequestsPerSession", 1..=u64::MAX, findings),
        sessions_max: block
            .int_opt("maxSessions", 1..=1000, findings)
            .and_then(|value| usize::try_from(value).ok()),
        resources: ResourceLimits {
            memory_bytes: block.int_opt("memoryBytes", 1_048_576..=u64::MAX, findings),
            pids: block.int_opt("pids", 1..=4_194_304, findings).map(int32),
            cpu_percent: block.int_opt("cpuPercent", 1..=102_400, findings).map(int32),
        },
    }
}

/// A scope block; `exec.scope` has the same shape.
pub fn scope(node: &Node, path: &str, findings: &mut Findings) -> Scope {
    let keys = [
        "filesystem",
        "paths",
        "network",
        "hosts",
        "credentialPaths",
        "ephemeralWritablePaths",
        "uid",
        "env",
    ];
    let block = Block::open(node, path, &keys, findings);
    let filesystems = [
        ("workspace", Filesystem::Workspace),
        ("listed-paths", Filesystem::ListedPaths),
        ("home", Filesystem::Home),
        ("full", Filesystem::Full),
    ];
    let networks = [
        ("none", Network::None),
        ("listed-hosts", Network::ListedHosts),
        ("full", Network::Full),
        ("broker-only", Network::BrokerOnly),
    ];
    let uids = [("dedicated", UidMode::Dedicated), ("daemon", UidMode::Daemon)];
    let scope = Scope {
        filesystem: block
            .choice("filesystem", &filesystems, findings)
            .unwrap_or(Filesystem::Workspace),
        paths: scope_paths(&block, findings),
        network: block.choice("network", &networks, findings).unwrap_or(Network::None),
        hosts: block.texts("hosts", findings).into_iter().map(|(_, host)| host).collect(),
        credential_paths: block.texts("credentialPaths", findings),
        ephemeral_writable_paths: block.texts("ephemeralWritablePaths", findings),
        uid: block.choice("uid", &uids, findings).unwrap_or(UidMode::Dedicated),
        env: env(&block, findings),
    };
    if scope.filesystem == Filesystem::ListedPaths && scope.paths.is_empty() {
        let problem = "is required and non-empty for filesystem: listed-paths";
        findings.add(block.place.line, &block.path("paths"), problem);
    }
    let lists_hosts = scope.network == Network::ListedHosts;
    if lists_hosts && scope.hosts.is_empty() {
        let problem = "is required and non-empty for network: listed-hosts";
        findings.add(block.place.line, &block.path("hosts"), problem);
    }
    scope
}

fn scope_paths(block: &Block<'_>, findings: &mut Findings) -> Vec<ScopePath> {
    let mut out = Vec::new();
    for (path, item) in block.list("paths", findings) {
        let place = Place { line: item.line, key: path.clone() };
        if matches!(item.data, Data::Map(_)) {
            let sub = Block::open(item, &path, &["path", "access"], findings);
            let choices = [("ro", Access::Ro), ("rw", Access::Rw)];
            let access = sub.choice("access", &choices, findings).unwrap_or(Access::Ro);
            if let Some(path) = sub.required_text("path", findings) {
                out.push(ScopePath { place, path, access });
            }
        } else if let Some(text) = text_of(item, &path, findings) {
            out.push(ScopePath { place, path: text, access: Access::Ro });
        }
    }
    out
}

fn env(scope: &Block<'_>, findings: &mut Findings) -> Vec<(Place, String, Secret)> {
    let Some(node) = scope.get("env") else { return Vec::new() };
    let block = Block::open_any(node, &scope.path("env"), findings);
    let mut out = Vec::new();
    for entry in block.entries() {
        let path = block.path(&entry.key);
        let name_ok = !entry.key.is_empty()
            && !entry.key.contains(['=', '\0'])
            && !entry.key.starts_with(|c: char| c.is_ascii_digit());
        if !name_ok {
            findings.add(entry.line, &path, "is not a variable name");
        }
        if let Some(value) = secret(&entry.value, &path, findings) {
            out.push((Place { line: entry.line, key: path }, entry.key.clone(), value));
        }
    }
    out
}

/// A value written out, or `{fromEnv: X}`, or `{fromFile: path}`.
pub fn secret(node: &Node, path: &str, findings: &mut Findings) -> Option<Secret> {
    if !matches!(node.data, Data::Map(_)) {
        if let Data::Bool(value) = node.data {
            return Some(Secret::Inline(value.to_string()));
        }
        return text_of(node, path, findings).map(Secret::Inline);
    }
    let block = Block::open(node, path, &["fromEnv", "fromFile"], findings);
    let from_env = block.text_opt("fromEnv", findings);
    let from_file = block.text_opt("fromFile", findings);
    match (from_env, from_file) {
        (Some(name), None) => Some(Secret::FromEnv(name)),
        (None, Some(file)) => Some(Secret::FromFile(file)),
        _ => {
            findings.add(node.line, path, "needs exactly one of fromEnv and fromFile");
            None
        }
    }
}
