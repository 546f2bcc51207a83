//! Which tools an agent may call: profile baseline, plus `allow`, minus `deny` (deny wins).
//!
//! Names are exact. Profiles and groups carry names of tools other hosts have, so that a
//! policy written for such a host still loads; tools this service lacks are not offered.

use std::collections::BTreeSet;

/// The terminal tools and their two companions.
pub const TERMINAL: &[&str] = &[
    "terminal_session_create",
    "terminal_session_list",
    "terminal_session_read",
    "terminal_session_send_text",
    "terminal_session_send_key",
    "terminal_session_wait",
    "terminal_session_status",
    "terminal_session_resize",
    "terminal_session_kill",
    "collect_result",
    "search_tools",
];

const TERMINAL_READ_ONLY: &[&str] = &[
    "terminal_session_list",
    "terminal_session_read",
    "terminal_session_wait",
    "terminal_session_status",
    "collect_result",
    "search_tools",
];

const EXEC: &[&str] = &["terminal_exec", "terminal_output_get"];
const JOBS: &[&str] = &["terminal_job_start", "terminal_job_logs", "terminal_job_manage"];
const SEARCH: &[&str] = &["terminal_rg", "terminal_glob"];
const PTY: &[&str] = &[
    "terminal_pty_open",
    "terminal_pty_run",
    "terminal_pty_send",
    "terminal_pty_drain",
    "terminal_pty_close",
];

const CODING: &[&str] =
    &["read", "edit", "write", "grep", "find", "ls", "apply_patch", "exec", "process"];
const MESSAGING: &[&str] = &["message", "session_status"];
const SUPERVISOR: &[&str] = &[
    "agents_manage",
    "obs_query",
    "sessions_manage",
    "memory_manage",
    "channels_manage",
    "tokens_manage",
    "models_manage",
    "skills_manage",
    "mcp_manage",
    "heartbeat_manage",
];
const CRON_MINIMAL: &[&str] = &[
    "web_search",
    "message",
    "read_file",
    "write_file",
    "list_dir",
    "memory_store",
    "memory_search",
    "cron",
    "discover",
];
const HEARTBEAT_MINIMAL: &[&str] = &["message", "memory_store", "memory_search", "discover"];

/// Every group that expands to tools.
const GROUPS: &[(&str, &[&[&str]])] = &[
    ("group:terminal", &[TERMINAL]),
    ("group:exec", &[EXEC]),
    ("group:jobs", &[JOBS]),
    ("group:search", &[SEARCH]),
    ("group:pty", &[PTY]),
    ("group:coding", &[CODING]),
    ("group:web", &[&["web_search", "web_fetch"]]),
    ("group:browser", &[&["browser"]]),
    ("group:memory", &[&["memory_store", "memory_search"]]),
    ("group:scheduling", &[&["cron"]]),
    ("group:messaging", &[MESSAGING]),
    ("group:sessions", &[&["sessions_manage", "session_status"]]),
    ("group:platform_actions", &[&["channels_manage"]]),
    ("group:supervisor", &[SUPERVISOR]),
    ("group:context", &[&["discover"]]),
    ("group:context_expand", &[&["discover"]]),
];

/// Every profile. `full` is everything that is known.
const PROFILES: &[(&str, &[&[&str]])] = &[
    ("terminal", &[TERMINAL]),
    ("exec", &[EXEC, JOBS, SEARCH, &["collect_result", "search_tools"]]),
    ("terminal-read-only", &[TERMINAL_READ_ONLY]),
    ("minimal", &[&["read", "write"]]),
    ("coding", &[CODING]),
    ("messaging", &[MESSAGING]),
    ("supervisor", &[SUPERVISOR]),
    ("full", ALL),
    ("cron-minimal", &[CRON_MINIMAL]),
    ("heartbeat-minimal", &[HEARTBEAT_MINIMAL]),
];

const ALL: &[&[&str]] = &[
    TERMINAL,
    EXEC,
    JOBS,
    SEARCH,
    PTY,
    CODING,
    MESSAGING,
    SUPERVISOR,
    CRON_MINIMAL,
    HEARTBEAT_MINIMAL,
    &["web_fetch", "browser"],
];

/// A name that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    #[error("unknown tool profile `{0}`")]
    UnknownProfile(String),
    #[error("unknown tool or group `{0}`")]
    UnknownName(String),
}

/// Names that may stand where this error's name stood.
#[must_use]
pub fn candidates(error: &PolicyError) -> Vec<&'static str> {
    match error {
        PolicyError::UnknownProfile(_) => PROFILES.iter().map(|(name, _)| *name).collect(),
        PolicyError::UnknownName(_) => {
            let groups = GROUPS.iter().map(|(name, _)| *name);
            groups.chain(ALL.iter().flat_map(|list| list.iter().copied())).collect()
        }
    }
}

/// The baseline of a profile.
///
/// # Errors
/// When there is no such profile.
pub fn profile(name: &str) -> Result<BTreeSet<&'static str>, PolicyError> {
    PROFILES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, lists)| flatten(lists))
        .ok_or_else(|| PolicyError::UnknownProfile(name.to_owned()))
}

/// The tools behind one `allow` or `deny` entry: a tool itself, or all of a group.
///
/// # Errors
/// When nothing has this name.
pub fn expand(name: &str) -> Result<BTreeSet<&'static str>, PolicyError> {
    if let Some((_, lists)) = GROUPS.iter().find(|(known, _)| *known == name) {
        return Ok(flatten(lists));
    }
    ALL.iter()
        .flat_map(|list| list.iter().copied())
        .find(|known| *known == name)
        .map(|known| BTreeSet::from([known]))
        .ok_or_else(|| PolicyError::UnknownName(name.to_owned()))
}

fn flatten(lists: &[&[&'static str]]) -> BTreeSet<&'static str> {
    lists.iter().flat_map(|list| list.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_and_group_expands() {
        for (name, _) in PROFILES {
            assert!(!profile(name).unwrap().is_empty(), "{name}");
        }
        for (name, _) in GROUPS {
            assert!(!expand(name).unwrap().is_empty(), "{name}");
        }
    }

    #[test]
    fn full_contains_every_other_profile() {
        let full = profile("full").unwrap();
        for (name, _) in PROFILES {
            assert!(profile(name).unwrap().is_subset(&full), "{name}");
        }
    }

    #[test]
    fn unknown_names_are_errors_without_wildcards() {
        assert_eq!(profile("Terminal"), Err(PolicyError::UnknownProfile("Terminal".into())));
        assert_eq!(expand("terminal_*"), Err(PolicyError::UnknownName("terminal_*".into())));
    }

    #[test]
    fn read_only_changes_nothing() {
        let tools = profile("terminal-read-only").unwrap();
        for writer in ["create", "send_text", "send_key", "resize", "kill"] {
            assert!(!tools.contains(format!("terminal_session_{writer}").as_str()), "{writer}");
        }
    }
}
