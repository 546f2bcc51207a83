//! Puts the steps of a jail in their one safe order.
//!
//! The base first, then the `filesystem` dimension, then the mask over the data directory,
//! then what is shown on top of it sorted so that a path comes before what lies below it, then
//! single hidden files, and last the pinned program. Later steps win.

use std::path::{Path, PathBuf};

use super::look::{CLAUDE_SESSION_ENV, Paths, Seen};
use super::op::{Bind, Op, Ownership};
use super::screen::Screen;
use super::{EgressPlan, Identity, JailPlan, Plan, usable_bwrap};
use crate::host::BaseEntry;
use crate::limits::OPS_MAX;
use crate::{Access, Filesystem, Host, JailError, Network, Request, env};

pub(crate) fn assemble(request: &Request, host: &Host, paths: &Paths) -> Result<Plan, JailError> {
    let workspace = existing(paths, "agents.<id>.workspace", &request.workspace)?;
    let cwd = cwd(request, paths, &workspace.real)?;
    let identity = Identity::choose(request.scope.uid, request.uid_slot, host);
    if request.unsafe_disable_sandbox {
        // The names of a bare program are the service user's own.
        let identity = Identity::Daemon { uid: host.uid, gid: host.gid };
        return Ok(finish(request, host, identity, cwd, None));
    }
    let bwrap = usable_bwrap(host)?;
    let identity = identity?;
    let egress = egress(request)?;
    let data_dir = existing(paths, "dataDir", &request.data_dir)?;
    let screen = Screen::new(request, host, paths, &data_dir.real);
    screen.check_workspace(&workspace.real)?;
    let builder = Builder { request, host, paths, screen, identity, ops: Vec::new() };
    let ops = builder.build(&workspace.real, &data_dir.real)?;
    let jail = JailPlan {
        bwrap,
        identity,
        unshare_net: request.scope.network != Network::Full,
        unix_sockets: request.scope.network == Network::Full,
        ops,
        egress,
        narrowed_paths: narrowed_paths(request),
        cgroup: host.cgroups.plan(request.limits, &request.session_id)?,
        memory_capped: request.limits.memory_bytes.is_some(),
    };
    Ok(finish(request, host, identity, cwd, Some(jail)))
}

/// An empty list narrows nothing: the operator named hosts only.
fn narrowed_paths(request: &Request) -> Option<Vec<PathBuf>> {
    let narrowing = request.narrowing.as_ref()?;
    (!narrowing.fs_paths.is_empty()).then(|| narrowing.fs_paths.clone())
}

fn egress(request: &Request) -> Result<Option<EgressPlan>, JailError> {
    match request.scope.network {
        Network::None | Network::Full => Ok(None),
        Network::ListedHosts if request.scope.hosts.is_empty() => {
            Err(JailError::Hosts { detail: "listed-hosts needs at least one".to_owned() })
        }
        Network::ListedHosts => {
            let hosts = request.narrowing.as_ref().map(|narrowing| narrowing.net_hosts.clone());
            let narrowed = hosts.filter(|hosts| !hosts.is_empty());
            let plan = EgressPlan { hosts: request.scope.hosts.clone(), narrowed };
            plan.rules()?;
            Ok(Some(plan))
        }
        Network::BrokerOnly => Err(JailError::Unavailable {
            detail: "scope.network: broker-only needs the credential broker, which this version \
                     does not have"
                .to_owned(),
            fix: "Use network none or listed-hosts.".to_owned(),
        }),
    }
}

fn finish(
    request: &Request,
    host: &Host,
    identity: Identity,
    cwd: PathBuf,
    jail: Option<JailPlan>,
) -> Plan {
    let environment = env::build(request, host, identity);
    Plan {
        session_id: request.session_id.clone(),
        program: request.program.clone(),
        env: environment.variables,
        env_dropped: environment.dropped,
        cwd,
        jail,
    }
}

fn existing<'a>(paths: &'a Paths, key: &str, path: &Path) -> Result<&'a Seen, JailError> {
    paths.get(path).ok_or_else(|| JailError::Source {
        key: key.to_owned(),
        path: path.to_owned(),
        detail: "does not exist".to_owned(),
    })
}

fn cwd(request: &Request, paths: &Paths, workspace: &Path) -> Result<PathBuf, JailError> {
    let outside = JailError::Cwd { path: request.cwd.clone(), workspace: workspace.to_owned() };
    match paths.get(&request.cwd) {
        Some(seen) if seen.is_dir && seen.real.starts_with(workspace) => Ok(seen.real.clone()),
        _ => Err(outside),
    }
}

struct Builder<'a> {
    request: &'a Request,
    host: &'a Host,
    paths: &'a Paths,
    screen: Screen,
    identity: Identity,
    ops: Vec<Op>,
}

impl Builder<'_> {
    fn build(mut self, workspace: &Path, data_dir: &Path) -> Result<Vec<Op>, JailError> {
        let full = self.request.scope.filesystem == Filesystem::Full;
        if full {
            self.whole_root()
        } else {
            self.base()
        }
        self.dimension();
        self.mask_data_dir(data_dir);
        let mut shown = self.operator_paths()?;
        shown.push(bind("agents.<id>.workspace", workspace, Access::Rw, Ownership::Session));
        shown.sort_by_key(|op| op.dest().components().count());
        self.ops.extend(shown);
        self.links_as_written();
        // What is under the mask cannot be written either, not even privately.
        self.ops.push(Op::RemountRo(data_dir.to_owned()));
        self.hide_files();
        self.pin_program()?;
        if !full {
            self.ops.push(Op::RemountRo("/".into()));
        }
        if self.ops.len() > OPS_MAX {
            return Err(JailError::Unavailable {
                detail: format!("more than {OPS_MAX} mounts"),
                fix: "List fewer paths, or a directory above them.".to_owned(),
            });
        }
        Ok(self.ops)
    }

    fn base(&mut self) {
        self.ops.push(Op::Dir("/etc".into()));
        for entry in &self.host.base {
            self.ops.push(match entry {
                BaseEntry::Link { path, target } => {
                    Op::Symlink { target: target.clone(), dest: path.clone() }
                }
                BaseEntry::Tree { path, source } => Op::Bind(Bind {
                    source: source.clone(),
                    dest: path.clone(),
                    access: Access::Ro,
                    key: "system base".to_owned(),
                    ownership: Ownership::AsIs,
                }),
            });
        }
        let (passwd, group) = accounts(self.host, self.identity);
        self.ops.push(Op::Data { dest: "/etc/passwd".into(), text: passwd });
        self.ops.push(Op::Data { dest: "/etc/group".into(), text: group });
        self.special();
        self.ops.push(Op::Tmpfs("/var/tmp".into()));
        self.ops.push(Op::Symlink { target: "/run".into(), dest: "/var/run".into() });
    }

    fn whole_root(&mut self) {
        self.ops.push(bind("scope.filesystem", Path::new("/"), Access::Rw, Ownership::AsIs));
        self.special();
        // Kernel switches and cgroups are nobody's files, whoever the program runs as.
        self.ops.push(bind("scope.filesystem", Path::new("/sys"), Access::Ro, Ownership::AsIs));
    }

    fn special(&mut self) {
        self.ops.push(Op::Proc("/proc".into()));
        self.ops.push(Op::Dev("/dev".into()));
        self.ops.push(Op::Tmpfs("/tmp".into()));
        self.ops.push(Op::Tmpfs("/run".into()));
    }

    fn dimension(&mut self) {
        let home = self.host.home.clone();
        let session_root = matches!(self.identity, Identity::Host { .. });
        match self.request.scope.filesystem {
            Filesystem::Workspace | Filesystem::ListedPaths => {
                if !self.in_base(&home) {
                    self.ops.push(Op::Tmpfs(home));
                }
            }
            Filesystem::Home => {
                let shown = self.narrowed("scope.filesystem", &home, Access::Rw);
                if !shown.iter().any(|op| *op.dest() == home) {
                    self.ops.push(Op::Tmpfs(home.clone()));
                }
                self.ops.extend(shown);
                let private: Vec<Op> = self
                    .screen
                    .private_parts(self.paths, &home)
                    .map(|(path, is_dir)| mask(path, is_dir))
                    .collect();
                self.ops.extend(private);
            }
            // The rest of the root answers to the uid's own rights; the home is handed over.
            Filesystem::Full if session_root => {
                self.ops.push(bind("scope.filesystem", &home, Access::Rw, Ownership::Session));
            }
            Filesystem::Full => {}
        }
    }

    /// Listed paths need no mask: screening refused those that touch the data directory.
    fn mask_data_dir(&mut self, data_dir: &Path) {
        let within = match self.request.scope.filesystem {
            Filesystem::Full => Some(Path::new("/")),
            Filesystem::Home => Some(self.host.home.as_path()),
            Filesystem::Workspace | Filesystem::ListedPaths => None,
        };
        let reachable = |path: &&PathBuf| within.is_some_and(|within| path.starts_with(within));
        let aliases = self.screen.data_dir_aliases().iter().filter(reachable).cloned();
        self.ops.extend(aliases.map(Op::Tmpfs).collect::<Vec<_>>());
        self.ops.push(Op::Tmpfs(data_dir.to_owned()));
    }

    fn operator_paths(&self) -> Result<Vec<Op>, JailError> {
        let scope = &self.request.scope;
        let mut shown = Vec::new();
        if scope.filesystem == Filesystem::ListedPaths {
            for listed in &scope.paths {
                shown.extend(self.screened("scope.paths", &listed.path, listed.access)?);
            }
        }
        for path in &scope.credential_paths {
            shown.extend(self.screened("scope.credentialPaths", path, Access::Ro)?);
        }
        for path in &scope.ephemeral_writable_paths {
            let key = "scope.ephemeralWritablePaths";
            let seen = existing(self.paths, key, path)?;
            if !seen.is_dir {
                return Err(JailError::Source {
                    key: key.to_owned(),
                    path: path.clone(),
                    detail: "is not a directory".to_owned(),
                });
            }
            self.screen.check(key, path, &seen.real)?;
            shown.push(Op::Tmpfs(seen.real.clone()));
        }
        if self.request.profile.as_deref() == Some("claude-code") {
            let session_env = self.paths.get(&self.host.home.join(CLAUDE_SESSION_ENV));
            shown.extend(session_env.map(|seen| Op::Tmpfs(seen.real.clone())));
        }
        Ok(shown)
    }

    /// A path the operator named: shown where it was named when that is where it is.
    fn screened(&self, key: &str, path: &Path, access: Access) -> Result<Vec<Op>, JailError> {
        let seen = existing(self.paths, key, path)?;
        self.screen.check(key, path, &seen.real)?;
        Ok(self.narrowed(key, &seen.real, access))
    }

    /// What `security.permission.allowedFsPaths` leaves of a path: all, parts of it, nothing.
    fn narrowed(&self, key: &str, real: &Path, access: Access) -> Vec<Op> {
        let show = |path: &Path| bind(key, path, access, Ownership::Session);
        let Some(allowed) = narrowed_paths(self.request) else { return vec![show(real)] };
        let allowed: Vec<&Seen> = allowed.iter().filter_map(|path| self.paths.get(path)).collect();
        if allowed.iter().any(|seen| real.starts_with(&seen.real)) {
            return vec![show(real)];
        }
        let below = allowed.iter().filter(|seen| seen.real.starts_with(real));
        below.map(|seen| show(&seen.real)).collect()
    }

    /// A path that was named through a symlink is found under that name too. Only where no
    /// bound directory is written to.
    fn links_as_written(&mut self) {
        let scope = &self.request.scope;
        let listed = scope.paths.iter().map(|listed| &listed.path);
        for path in listed.chain(&scope.credential_paths) {
            let Some(seen) = self.paths.get(path) else { continue };
            let shown = self.ops.iter().any(|op| *op.dest() == seen.real);
            let under_bind = self.ops.iter().any(|op| match op {
                Op::Bind(bind) => path.starts_with(&bind.dest),
                Op::Symlink { dest, .. } | Op::Data { dest, .. } => path.starts_with(dest),
                Op::Tmpfs(_) | Op::Proc(_) | Op::Dev(_) | Op::Dir(_) | Op::RemountRo(_) => false,
            });
            if seen.real != *path && shown && !under_bind {
                self.ops.push(Op::Symlink { target: seen.real.clone(), dest: path.clone() });
            }
        }
    }

    fn hide_files(&mut self) {
        for path in &self.request.hidden {
            // What an earlier step hides already stays as it is.
            if let Some(seen) = self.paths.get(path)
                && self.visible(&seen.real)
            {
                self.ops.push(mask(&seen.real, seen.is_dir));
            }
        }
    }

    fn pin_program(&mut self) -> Result<(), JailError> {
        let path = &self.request.program.path;
        let seen = existing(self.paths, "match.path", path)?;
        if seen.real != *path {
            let detail = format!("resolves to {} now", seen.real.display());
            return Err(JailError::Program { path: path.clone(), detail });
        }
        if !self.visible(path) {
            let filesystem = self.request.scope.filesystem.name().to_owned();
            return Err(JailError::NotReachable { path: path.clone(), filesystem });
        }
        let ownership = if self.in_base(path) { Ownership::AsIs } else { Ownership::Session };
        self.ops.push(bind("match.path", path, Access::Ro, ownership));
        Ok(())
    }

    /// Whether a host path shows inside, as itself: the last step that covers it decides.
    fn visible(&self, path: &Path) -> bool {
        let puts = |op: &&Op| !matches!(op, Op::RemountRo(_));
        let covering = self.ops.iter().rev().filter(puts).find(|op| path.starts_with(op.dest()));
        match covering {
            Some(Op::Bind(bind)) => bind.source == bind.dest,
            Some(
                Op::Tmpfs(_)
                | Op::Proc(_)
                | Op::Dev(_)
                | Op::Dir(_)
                | Op::Symlink { .. }
                | Op::Data { .. }
                | Op::RemountRo(_),
            )
            | None => false,
        }
    }

    fn in_base(&self, path: &Path) -> bool {
        self.host.base.iter().any(|entry| match entry {
            BaseEntry::Tree { path: base, .. } | BaseEntry::Link { path: base, .. } => {
                path.starts_with(base)
            }
        })
    }
}

fn bind(key: &str, path: &Path, access: Access, ownership: Ownership) -> Op {
    Op::Bind(Bind {
        source: path.to_owned(),
        dest: path.to_owned(),
        access,
        key: key.to_owned(),
        ownership,
    })
}

/// Something empty over a path that must not show.
fn mask(path: &Path, is_dir: bool) -> Op {
    if is_dir {
        Op::Tmpfs(path.to_owned())
    } else {
        Op::Data { dest: path.to_owned(), text: String::new() }
    }
}

/// `/etc/passwd` and `/etc/group` with the program's user and no name of the host's.
fn accounts(host: &Host, identity: Identity) -> (String, String) {
    let (uid, gid) = identity.inside();
    let name = identity.user_name(host);
    let (home, shell) = (host.home.display(), host.shell.display());
    let own = format!("{name}:x:{uid}:{gid}:{name}:{home}:{shell}\n");
    let mut passwd = own;
    let mut group = format!("{name}:x:{gid}:\n");
    if uid != 0 {
        passwd.insert_str(0, "root:x:0:0:root:/root:/bin/sh\n");
    }
    if gid != 0 {
        group.insert_str(0, "root:x:0:\n");
    }
    if name != "nobody" {
        passwd.push_str("nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n");
        group.push_str("nogroup:x:65534:\n");
    }
    group.push_str("tty:x:5:\n");
    (passwd, group)
}
