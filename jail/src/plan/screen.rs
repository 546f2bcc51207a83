//! Which paths may be shown in a jail.

use std::path::{Path, PathBuf};

use super::look::{Paths, SENSITIVE};
use super::mounts;
use crate::{Host, JailError, Request};

/// Kernel interfaces and run-time sockets: the jail has its own, or none.
const SPECIAL: &[&str] = &["/proc", "/sys", "/dev", "/run", "/var/run"];

/// What no bind source may be, lie under or contain.
pub(crate) struct Screen {
    data_dir: PathBuf,
    /// Other places where the data directory, or a part of it, shows.
    aliases: Vec<PathBuf>,
    /// Path and whether the operator listed exactly it.
    sensitive: Vec<(PathBuf, bool)>,
}

impl Screen {
    pub(crate) fn new(request: &Request, host: &Host, paths: &Paths, data_dir: &Path) -> Self {
        let scope = &request.scope;
        let listed: Vec<&PathBuf> =
            scope.paths.iter().map(|listed| &listed.path).chain(&scope.credential_paths).collect();
        let mut sensitive = Vec::new();
        for name in SENSITIVE {
            let path = host.home.join(name);
            let spared = listed.iter().any(|listed| **listed == path);
            let real = paths.get(&path).map(|seen| seen.real.clone());
            sensitive.extend(real.filter(|real| *real != path).map(|real| (real, spared)));
            sensitive.push((path, spared));
        }
        let aliases = mounts::aliases(&paths.mounts, data_dir);
        Self { data_dir: data_dir.to_owned(), aliases, sensitive }
    }

    pub(crate) fn data_dir_aliases(&self) -> &[PathBuf] {
        &self.aliases
    }

    /// # Errors
    /// When `real` may not be shown; `key` and `written` are for the message.
    pub(crate) fn check(&self, key: &str, written: &Path, real: &Path) -> Result<(), JailError> {
        let refuse = |detail: String| {
            Err(JailError::Source { key: key.to_owned(), path: written.to_owned(), detail })
        };
        if let Some(special) = SPECIAL.iter().find(|special| overlap(real, Path::new(special))) {
            return refuse(format!("may not be, lie under or contain {special}"));
        }
        let data_dirs = || std::iter::once(&self.data_dir).chain(&self.aliases);
        if data_dirs().any(|data_dir| overlap(real, data_dir)) {
            return refuse("may not be, lie under or contain the data directory".to_owned());
        }
        for (path, spared) in &self.sensitive {
            let exact = *spared && real == path;
            if overlap(real, path) && !exact {
                return refuse(format!(
                    "may not be, lie under or contain {}; list exactly that path if it is wanted",
                    path.display()
                ));
            }
        }
        Ok(())
    }

    /// The workspace lies under the data dir by design; it may only not contain it.
    pub(crate) fn check_workspace(&self, real: &Path) -> Result<(), JailError> {
        let bad = SPECIAL.iter().any(|special| overlap(real, Path::new(special)))
            || self.data_dir.starts_with(real);
        if bad {
            return Err(JailError::Source {
                key: "agents.<id>.workspace".to_owned(),
                path: real.to_owned(),
                detail: "may not be or contain the data directory, nor touch /proc, /sys, /dev \
                         or /run"
                    .to_owned(),
            });
        }
        Ok(())
    }

    /// Existing places below the home that a jail with the whole home does not show.
    pub(crate) fn private_parts<'a>(
        &'a self,
        paths: &'a Paths,
        home: &'a Path,
    ) -> impl Iterator<Item = (&'a Path, bool)> {
        self.sensitive.iter().filter(|(_, spared)| !spared).filter_map(move |(path, _)| {
            let seen = paths.get(path)?;
            let below = seen.real == *path && path.starts_with(home);
            below.then_some((path.as_path(), seen.is_dir))
        })
    }
}

fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}
