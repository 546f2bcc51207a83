//! Landlock rules equal to the mount scope: a second wall behind the mounts, and where the
//! operator says so a narrower one. Rights count for everything below a path, so a tmpfs
//! opens what is mounted in it too; there the plan has narrowed the mounts themselves.
//!
//! Set in the program's own process just before its exec, after everything is mounted, as
//! the kernel lets a confined process mount nothing. Where the kernel has no Landlock the
//! mounts alone confine; a narrowing that cannot be enforced is a refusal.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus,
};
use serde::{Deserialize, Serialize};

use super::internal;
use crate::plan::{Bind, JailPlan, Op};
use crate::{Access, JailError};

/// The newest version whose rights are known here; older kernels take the subset they have.
const ABI_KNOWN: ABI = ABI::V5;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Rules {
    allowed: Vec<(PathBuf, Access)>,
    /// The operator's further narrowing has to hold.
    required: bool,
}

impl Rules {
    pub(super) fn of(jail: &JailPlan, program: &Path) -> Self {
        let mut allowed: Vec<(PathBuf, Access)> = jail.ops.iter().filter_map(rule).collect();
        if let Some(narrowed) = &jail.narrowed_paths {
            allowed = allowed
                .into_iter()
                .flat_map(|(path, access)| narrow(path, access, narrowed, jail))
                .collect();
            allowed.push((program.to_owned(), Access::Ro));
        }
        Self { allowed, required: jail.narrowed_paths.is_some() }
    }

    pub(super) fn apply(&self) -> Result<(), JailError> {
        let failed = |error: landlock::RulesetError| internal("Landlock", error);
        let all = AccessFs::from_all(ABI_KNOWN);
        let mut ruleset =
            Ruleset::default().handle_access(all).and_then(Ruleset::create).map_err(failed)?;
        // Names may be listed everywhere that shows at all.
        let list = [(PathBuf::from("/"), BitFlags::from(AccessFs::ReadDir))];
        let rules = self.allowed.iter().map(|(path, access)| (path.clone(), rights(*access)));
        for (path, rights) in list.into_iter().chain(rules) {
            // Masked again by a later mount: nothing to allow.
            let Ok(fd) = PathFd::new(&path) else { continue };
            let rights =
                if path.is_dir() { rights } else { rights & AccessFs::from_file(ABI_KNOWN) };
            ruleset = ruleset.add_rule(PathBeneath::new(fd, rights)).map_err(failed)?;
        }
        let status = ruleset.restrict_self().map_err(failed)?;
        if self.required && status.ruleset == RulesetStatus::NotEnforced {
            return Err(JailError::Unavailable {
                detail: "security.permission cannot be enforced: this kernel has no Landlock"
                    .to_owned(),
                fix: "Use Linux 5.13 or newer with landlock in the lsm= list, or switch \
                      security.permission.enableProcessPermissions off."
                    .to_owned(),
            });
        }
        Ok(())
    }
}

fn rights(access: Access) -> BitFlags<AccessFs> {
    match access {
        Access::Ro => AccessFs::from_read(ABI_KNOWN),
        Access::Rw => AccessFs::from_all(ABI_KNOWN),
    }
}

/// What the jail makes itself is the program's to use; the kernel's own checks guard /proc.
fn rule(op: &Op) -> Option<(PathBuf, Access)> {
    match op {
        Op::Bind(Bind { dest, access, .. }) => Some((dest.clone(), *access)),
        Op::Tmpfs(dest) | Op::Proc(dest) | Op::Dev(dest) => Some((dest.clone(), Access::Rw)),
        Op::Data { dest, .. } => Some((dest.clone(), Access::Ro)),
        Op::Dir(_) | Op::Symlink { .. } | Op::RemountRo(_) => None,
    }
}

/// The part of an operator's path that the narrowing leaves. The base and what the jail makes
/// itself stay, or no program would start.
fn narrow(
    path: PathBuf,
    access: Access,
    narrowed: &[PathBuf],
    jail: &JailPlan,
) -> Vec<(PathBuf, Access)> {
    let operators = jail.ops.iter().any(|op| match op {
        Op::Bind(bind) => bind.dest == path && bind.key.starts_with("scope."),
        Op::Tmpfs(_)
        | Op::Proc(_)
        | Op::Dev(_)
        | Op::Dir(_)
        | Op::Symlink { .. }
        | Op::Data { .. }
        | Op::RemountRo(_) => false,
    });
    if !operators || narrowed.iter().any(|allowed| path.starts_with(allowed)) {
        return vec![(path, access)];
    }
    let below = narrowed.iter().filter(|allowed| allowed.starts_with(&path));
    below.map(|allowed| (allowed.clone(), access)).collect()
}
