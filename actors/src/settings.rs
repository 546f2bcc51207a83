//! What the configuration means, after lowering: paths resolved, defaults applied, secrets
//! read, impossible combinations gone. `src/config` makes these; nothing here knows YAML.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use jail::{ResourceLimits, Scope};

/// Everything the actors need. Replaced as a whole on reload.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Canonical, existing, mode 0700.
    pub data_dir: PathBuf,
    /// Never visible in a jail: the config file, `server.unixSocket`.
    pub hidden_paths: Vec<PathBuf>,
    pub agents: BTreeMap<String, AgentSettings>,
    pub permission: PermissionSettings,
    pub profile_paths: Vec<PathBuf>,
    pub webhooks: Vec<Webhook>,
}

#[derive(Debug, Clone, Default)]
pub struct PermissionSettings {
    pub enable_process_permissions: bool,
    pub allowed_fs_paths: Vec<PathBuf>,
    pub allowed_net_hosts: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Webhook {
    pub url: String,
    pub secret: String,
    pub events: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct AgentSettings {
    /// `<agent workspace>`; sessions see `<workspace>/projects`.
    pub workspace: PathBuf,
    pub tool_policy: ToolPolicy,
    pub budget: Budget,
    pub terminal: TerminalSettings,
}

/// `toolPolicy`, already resolved to names: what this agent may call and why not the rest.
#[derive(Debug, Clone, Default)]
pub struct ToolPolicy {
    pub allowed: Vec<String>,
    pub denied: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Budget {
    pub tool_calls_per_hour_max: Option<u64>,
    pub tokens_max: Option<u64>,
    pub cost_usd_max: Option<f64>,
}

#[derive(Debug, Clone)]
pub struct TerminalSettings {
    pub enabled: bool,
    pub sessions_max: usize,
    /// Zero: never evict.
    pub idle_ttl: Duration,
    pub ring_bytes: u32,
    pub stuck_after: Duration,
    pub concurrent_attention_turns_max: usize,
    pub default_cols: u16,
    pub default_rows: u16,
    pub default_scrollback: u32,
    pub redact_secrets: bool,
    pub audit: bool,
    pub unsafe_disable_sandbox: bool,
    pub allow: BTreeMap<String, AllowEntry>,
    pub drive: DriveSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriveMode {
    Auto,
    Attached,
    Detached,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMode {
    Digest,
    Diff,
    Full,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotifyMode {
    Terminal,
    All,
    None,
}

#[derive(Debug, Clone)]
pub struct DriveSettings {
    pub mode: DriveMode,
    pub read_mode: ReadMode,
    pub durable: bool,
    pub heartbeat: Duration,
    pub cost_usd_max: Option<f64>,
    pub notify: NotifyMode,
    pub heartbeat_notify: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoAnswer {
    SafeOnly,
    None,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    Tmux,
    Spawn,
}

/// A `hintPatterns` entry: the text and the keys that answer it (default: Enter).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HintPattern {
    pub text: String,
    pub keys: Vec<String>,
}

/// One allow entry; the binary was resolved and hashed when the file was loaded.
#[derive(Debug, Clone)]
pub struct AllowEntry {
    pub id: String,
    /// As written in the file.
    pub match_path: PathBuf,
    /// Realpath at load.
    pub program: PathBuf,
    /// Lower-case hex SHA-256 at load, or the pinned one.
    pub sha256: String,
    pub hash_pinned: bool,
    pub args_prefix: Vec<String>,
    pub scope: Scope,
    /// `scope.env` with `fromEnv`/`fromFile` already read.
    pub env: Vec<(String, String)>,
    pub auto_answer: AutoAnswer,
    pub hint_patterns: Vec<HintPattern>,
    pub limits: EntryLimits,
    pub approve_on_create: bool,
    pub backend: Backend,
}

#[derive(Debug, Clone, Default)]
pub struct EntryLimits {
    pub wall_clock: Option<Duration>,
    pub interactions_max: Option<u64>,
    pub requests_per_session_max: Option<u64>,
    pub sessions_max: Option<usize>,
    pub resources: ResourceLimits,
}
