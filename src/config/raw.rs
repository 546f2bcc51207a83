//! The file as it is written: one struct per block, defaults filled in, nothing resolved.
//!
//! Reading needs nothing but the text. What needs the machine (paths, hashes, environment)
//! happens in `lower`.

use std::collections::BTreeMap;
use std::time::Duration;

use actors::settings::{
    AutoAnswer, Backend, Budget, DriveMode, DriveSettings, NotifyMode, ReadMode,
};
use jail::{Filesystem, Network, UidMode};

use super::reader::Place;

#[derive(Debug, Clone)]
pub struct Raw {
    pub data_dir: Option<(Place, String)>,
    pub server: Server,
    pub agents: BTreeMap<String, Agent>,
    pub permission: Permission,
    pub profile_paths: Vec<(Place, String)>,
    pub webhooks: Vec<Webhook>,
    /// Blocks that are understood but that nothing acts on in this build, by key path.
    pub without_effect: Vec<Place>,
}

#[derive(Debug, Clone)]
pub struct Server {
    pub bind: (Place, String),
    pub unix_socket: Option<(Place, String)>,
    pub allow_remote: bool,
    pub allowed_hosts: Vec<String>,
    pub foreground: Option<Duration>,
}

#[derive(Debug, Clone, Default)]
pub struct Permission {
    pub enable_process_permissions: bool,
    pub allowed_fs_paths: Vec<(Place, String)>,
    pub allowed_net_hosts: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Webhook {
    pub place: Place,
    pub url: String,
    pub secret: Secret,
    pub events: Vec<String>,
}

/// A value that may stand in the file, in a variable or in another file.
#[derive(Debug, Clone)]
pub enum Secret {
    Inline(String),
    FromEnv(String),
    FromFile(String),
}

#[derive(Debug, Clone)]
pub struct Agent {
    pub workspace: Option<(Place, String)>,
    pub tool_policy: ToolPolicy,
    pub budget: Budget,
    pub terminal: Terminal,
}

#[derive(Debug, Clone)]
pub struct ToolPolicy {
    pub profile: (Place, String),
    pub allow: Vec<(Place, String)>,
    pub deny: Vec<(Place, String)>,
}

#[derive(Debug, Clone)]
pub struct Terminal {
    pub enabled: bool,
    pub sessions_max: u64,
    pub idle_ttl: Duration,
    pub ring_bytes: u64,
    pub stuck_after: Duration,
    pub concurrent_attention_turns_max: u64,
    pub cols: u64,
    pub rows: u64,
    pub scrollback: u64,
    pub redact_secrets: bool,
    pub audit: bool,
    pub unsafe_disable_sandbox: bool,
    pub allow: Vec<AllowEntry>,
    pub drive: DriveSettings,
}

#[derive(Debug, Clone)]
pub struct AllowEntry {
    pub id: String,
    pub path: Option<(Place, String)>,
    pub hash: Option<(Place, String)>,
    pub args_prefix: Vec<String>,
    pub scope: Scope,
    pub auto_answer: AutoAnswer,
    pub hint_patterns: Vec<actors::settings::HintPattern>,
    pub consent: Consent,
    pub limits: actors::settings::EntryLimits,
    pub approve_on_create: bool,
    pub backend: Option<Backend>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consent {
    Missing,
    /// `acknowledgedRisk` is not true, or `acknowledgedAt` is no RFC 3339 time.
    Insufficient,
    Given,
}

#[derive(Debug, Clone)]
pub struct Scope {
    pub filesystem: Filesystem,
    pub paths: Vec<ScopePath>,
    pub network: Network,
    pub hosts: Vec<String>,
    pub credential_paths: Vec<(Place, String)>,
    pub ephemeral_writable_paths: Vec<(Place, String)>,
    pub uid: UidMode,
    pub env: Vec<(Place, String, Secret)>,
}

#[derive(Debug, Clone)]
pub struct ScopePath {
    pub place: Place,
    pub path: String,
    pub access: jail::Access,
}

/// The defaults of chapter 3; `default.yaml` repeats them for people to read.
pub const DRIVE_DEFAULT: DriveSettings = DriveSettings {
    mode: DriveMode::Auto,
    read_mode: ReadMode::Digest,
    durable: true,
    heartbeat: Duration::from_secs(90),
    cost_usd_max: None,
    notify: NotifyMode::Terminal,
    heartbeat_notify: Duration::from_secs(3600),
};
