//! First stage of a creation: is it allowed and well formed? Looks at settings and arguments
//! only; nothing is touched.

use std::path::PathBuf;
use std::sync::Arc;

use crate::caller::Caller;
use crate::error::Error;
use crate::limits::{ARGS_BYTES_MAX, ARGS_MAX, NAME_CHARS_MAX, PROJECT_CHARS_MAX};
use crate::session::check_size;
use crate::session_types::Create;
use crate::settings::{AgentSettings, AllowEntry, Settings};

/// Allowed by the operator's file; what the file system says comes next.
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) entry: Arc<AllowEntry>,
    pub(crate) agent: AgentSettings,
    /// As given; must resolve to the entry's binary.
    pub(crate) command: Option<PathBuf>,
    /// The pinned prefix, then the caller's.
    pub(crate) args: Vec<String>,
    pub(crate) place: Where,
    pub(crate) cols: u16,
    pub(crate) rows: u16,
    pub(crate) name: String,
}

/// Where the program starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Where {
    Project(String),
    /// Must be inside the workspace once symlinks are resolved.
    Path(PathBuf),
    Workspace,
}

pub(crate) fn declare(
    settings: &Settings,
    caller: &Caller,
    create: Create,
) -> Result<Declared, Error> {
    let agent_id = &caller.owner.agent_id;
    let agent = settings.agents.get(agent_id).ok_or_else(|| {
        denied("unknown_agent", format!("there is no agent {agent_id} in the configuration"))
    })?;
    if !agent.terminal.enabled {
        return Err(denied("disabled", "terminal sessions are disabled for this agent".to_owned()));
    }
    let entry = agent.terminal.allow.get(&create.allow_id).ok_or_else(|| {
        let known: Vec<&str> = agent.terminal.allow.keys().map(String::as_str).collect();
        Error::PermissionDenied {
            reason: "not_allowed",
            detail: format!("no allow entry is called {}", quoted(&create.allow_id)),
            hint: Some(if known.is_empty() {
                "the operator has not allowed any program to this agent".to_owned()
            } else {
                format!("use one of: {}", known.join(", "))
            }),
        }
    })?;
    check_args(&create)?;
    let cols = create.cols.unwrap_or(agent.terminal.default_cols);
    let rows = create.rows.unwrap_or(agent.terminal.default_rows);
    check_size(cols, rows)?;
    let place = match (&create.project, &create.cwd) {
        (Some(project), _) => Where::Project(project_name(project)),
        (None, Some(path)) => Where::Path(path.clone()),
        (None, None) => Where::Workspace,
    };
    let name = match create.name.filter(|name| !name.trim().is_empty()) {
        Some(name) => name,
        None => entry.id.clone(),
    };
    Ok(Declared {
        command: create.command.map(PathBuf::from),
        args: entry.args_prefix.iter().cloned().chain(create.args).collect(),
        entry: Arc::new(entry.clone()),
        agent: agent.clone(),
        place,
        cols,
        rows,
        name,
    })
}

fn check_args(create: &Create) -> Result<(), Error> {
    let bytes: usize = create.args.iter().map(String::len).sum();
    if create.args.len() > ARGS_MAX || bytes > ARGS_BYTES_MAX {
        return Err(invalid(
            "args",
            format!("at most {ARGS_MAX} arguments of {ARGS_BYTES_MAX} bytes together"),
        ));
    }
    if create.args.iter().any(|arg| arg.contains('\0')) {
        return Err(invalid("args", "must not contain a NUL character".to_owned()));
    }
    if let Some(name) = &create.name
        && (name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control))
    {
        return Err(invalid(
            "name",
            format!("at most {NAME_CHARS_MAX} characters, none of them a control character"),
        ));
    }
    Ok(())
}

fn invalid(field: &str, detail: String) -> Error {
    Error::InvalidValue { field: field.to_owned(), detail, hint: None }
}

pub(super) fn denied(reason: &'static str, detail: String) -> Error {
    let hint = Some("the operator decides this in the configuration".to_owned());
    Error::PermissionDenied { reason, detail, hint }
}

/// What a caller wrote, short and on one line.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(NAME_CHARS_MAX).collect();
    format!("{short:?}")
}

/// A directory's name of a project (contract).
pub(crate) fn project_name(wish: &str) -> String {
    let mut name = String::new();
    for c in wish.chars() {
        let c = if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '-' };
        if c != '-' || !name.ends_with('-') {
            name.push(c);
        }
    }
    let trimmed: String = name.trim_matches('-').chars().take(PROJECT_CHARS_MAX).collect();
    let trimmed = trimmed.trim_matches('-');
    if trimmed.is_empty() { "project".to_owned() } else { trimmed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::project_name;

    #[test]
    fn project_names() {
        for (wish, name) in [
            ("web app", "web-app"),
            ("../../etc/passwd", "etc-passwd"),
            ("a//b  c", "a-b-c"),
            ("--x--", "x"),
            ("", "project"),
            ("///", "project"),
            ("naïve", "na-ve"),
            ("under_score-ok", "under_score-ok"),
        ] {
            assert_eq!(project_name(wish), name, "{wish}");
        }
        let long = format!("{}-{}", "a".repeat(63), "b");
        assert_eq!(project_name(&long), "a".repeat(63));
    }
}
