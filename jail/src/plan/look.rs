//! The plan's only look at the file system: what the named paths really are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{Host, Request};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Symlinks resolved.
    pub real: PathBuf,
    pub is_dir: bool,
}

/// What was found, by the path as written; what does not exist is absent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paths {
    seen: BTreeMap<PathBuf, Seen>,
    /// `/proc/self/mountinfo`.
    pub mounts: String,
}

/// Never part of a bind unless the operator listed exactly that path.
pub(crate) const SENSITIVE: &[&str] = &[".ssh", ".aws", ".gnupg", ".netrc", ".docker", ".kube"];
/// A place where Claude Code keeps the environment of its sessions; each gets its own.
pub(crate) const CLAUDE_SESSION_ENV: &str = ".claude/session-env";

impl Paths {
    pub(crate) fn look(request: &Request, host: &Host) -> Self {
        let scope = &request.scope;
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let mut paths = Self { seen: BTreeMap::new(), mounts };
        let single = [
            &request.workspace,
            &request.cwd,
            &request.data_dir,
            &request.program.path,
            &host.home,
        ];
        let listed = scope.paths.iter().map(|listed| &listed.path);
        let all = single
            .into_iter()
            .chain(&request.hidden)
            .chain(listed)
            .chain(&scope.credential_paths)
            .chain(&scope.ephemeral_writable_paths)
            .chain(request.narrowing.iter().flat_map(|narrowing| &narrowing.fs_paths));
        all.for_each(|path| paths.add(path));
        SENSITIVE.iter().for_each(|name| paths.add(&host.home.join(name)));
        paths.add(&host.home.join(CLAUDE_SESSION_ENV));
        paths
    }

    fn add(&mut self, path: &Path) {
        if let Ok(real) = std::fs::canonicalize(path) {
            let is_dir = real.is_dir();
            self.seen.insert(path.to_owned(), Seen { real, is_dir });
        }
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Seen> {
        self.seen.get(path)
    }

    #[cfg(test)]
    pub(crate) fn insert(&mut self, path: PathBuf, seen: Seen) {
        self.seen.insert(path, seen);
    }
}
