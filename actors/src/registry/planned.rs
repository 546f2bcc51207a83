//! Second stage of a creation: what the file system says. Everything here may block, so it
//! runs on a thread that may.

use std::path::{Path, PathBuf};

use jail::{Host, JailError, Narrowing, Plan, Program, Request};

use super::declare::{Declared, Where, denied};
use crate::error::Error;
use crate::settings::Settings;
use crate::store::projects;

/// The binary is the one that was allowed; the program's directory is known.
#[derive(Debug)]
pub(crate) struct Pinned {
    pub(crate) declared: Declared,
    pub(crate) program: PathBuf,
}

/// Everything is decided; starting it is all that is left.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) declared: Declared,
    pub(crate) plan: Plan,
    pub(crate) cwd: PathBuf,
    pub(crate) project: Option<String>,
}

/// The binary, hashed again.
pub(crate) fn pin(declared: Declared) -> Result<Pinned, Error> {
    let entry = &declared.entry;
    if let Some(command) = &declared.command {
        let resolved = std::fs::canonicalize(command).ok();
        let current = std::fs::canonicalize(&entry.match_path).ok();
        let same = resolved.is_some()
            && (resolved == current || resolved.as_ref() == Some(&entry.program));
        if !command.is_absolute() || !same {
            return Err(denied(
                "other_binary",
                format!("command does not resolve to the binary of allow entry {}", entry.id),
            ));
        }
    }
    // What the path leads to now: a swapped link is found by the hash.
    let pinned = jail::pin_program(&entry.match_path, Some(&entry.sha256)).map_err(refused)?;
    Ok(Pinned { program: pinned.path, declared })
}

/// Makes the directories of the start and the plan of its jail.
pub(crate) fn plan(
    pinned: Pinned,
    settings: &Settings,
    place: &super::messages::Place,
    profile: Option<&profiles::Profile>,
) -> Result<Planned, Error> {
    let Pinned { declared, program } = pinned;
    let broken = |error: std::io::Error| Error::Internal {
        detail: format!("{}: {error}", declared.agent.workspace.display()),
    };
    projects::sockets(&super::socket_dir(settings)).map_err(broken)?;
    let workspace = projects::projects(&declared.agent.workspace).map_err(broken)?;
    let (cwd, project) = match &declared.place {
        Where::Project(name) => {
            let made = projects::project(&workspace, name)
                .map_err(|error| invalid("project", name, &error))?;
            (made, Some(name.clone()))
        }
        Where::Path(path) => (inside(&workspace, path)?, None),
        Where::Workspace => (workspace.clone(), None),
    };
    let entry = &declared.entry;
    let permission = &settings.permission;
    let request = Request {
        session_id: place.session_id.clone(),
        program: Program {
            path: program,
            sha256: entry.sha256.clone(),
            argv0: None,
            args: declared.args.clone(),
        },
        scope: entry.scope.clone(),
        limits: entry.limits.resources,
        workspace,
        cwd: cwd.clone(),
        data_dir: settings.data_dir.clone(),
        hidden: settings.hidden_paths.clone(),
        env: variables(profile, &entry.env),
        // No key of the configuration spares a name, so the deny-list holds for scope.env too.
        env_overrides: profile.map(|known| known.env.keys().cloned().collect()).unwrap_or_default(),
        unsafe_disable_sandbox: declared.agent.terminal.unsafe_disable_sandbox,
        uid_slot: place.uid_slot,
        profile: profile.map(|profile| profile.id.clone()),
        narrowing: permission.enable_process_permissions.then(|| Narrowing {
            fs_paths: permission.allowed_fs_paths.clone(),
            net_hosts: permission.allowed_net_hosts.clone(),
        }),
    };
    let plan = jail::plan(&request, &Host::probe()).map_err(refused)?;
    Ok(Planned { declared, plan, cwd, project })
}

/// What the profile sets, then the operator's own, which wins.
fn variables(
    profile: Option<&profiles::Profile>,
    own: &[(String, String)],
) -> Vec<(String, String)> {
    let known = profile.into_iter().flat_map(|profile| &profile.env);
    let known = known.map(|(name, value)| (name.clone(), value.clone()));
    known.chain(own.iter().cloned()).collect()
}

/// Outside is refused, never clamped in silence.
fn inside(workspace: &Path, path: &Path) -> Result<PathBuf, Error> {
    let wanted = if path.is_absolute() { path.to_path_buf() } else { workspace.join(path) };
    match std::fs::canonicalize(&wanted) {
        Ok(real) if real.starts_with(workspace) && real.is_dir() => Ok(real),
        Ok(_) | Err(_) => Err(Error::InvalidValue {
            field: "cwd".to_owned(),
            detail: "is not an existing directory inside the agent's workspace".to_owned(),
            hint: Some("name a project instead: it is made on first use".to_owned()),
        }),
    }
}

fn invalid(field: &str, name: &str, error: &std::io::Error) -> Error {
    Error::InvalidValue {
        field: field.to_owned(),
        detail: format!("{name}: {error}"),
        hint: Some("choose another project name".to_owned()),
    }
}

/// The jail's own words, with its remedy.
pub(crate) fn refused(error: JailError) -> Error {
    let (detail, hint) = (error.to_string(), Some(error.hint()));
    match error.kind() {
        jail::ErrorKind::PermissionDenied => {
            Error::PermissionDenied { reason: "hash_mismatch", detail, hint }
        }
        jail::ErrorKind::InvalidValue => {
            Error::InvalidValue { field: "cwd".to_owned(), detail, hint }
        }
        jail::ErrorKind::SandboxUnavailable => Error::SandboxUnavailable { detail, hint },
    }
}
