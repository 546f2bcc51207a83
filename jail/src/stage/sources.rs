//! Opens everything a jail binds, before anything is mounted.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use super::inner_plan::Expected;
use super::{staging, verify};
use crate::JailError;
use crate::plan::{Bind, Identity, JailPlan, Op, Ownership, Resolve};

/// Where bubblewrap finds each source, and what has to be at its place afterwards.
pub(super) struct Sources {
    paths: Vec<Option<PathBuf>>,
    data: Vec<Option<(OwnedFd, i32)>>,
    pub expected: Vec<Expected>,
}

impl Sources {
    /// In a session with a uid of its own, sources are moved to where that uid can reach them.
    pub(super) fn open(jail: &JailPlan) -> Result<Self, JailError> {
        // Only mounts of this process's own namespace can be cloned, so it comes first.
        let staging = match jail.identity {
            Identity::Host { uid, gid } => Some(staging::Staging::begin(uid, gid)?),
            Identity::Namespace { .. } | Identity::Daemon { .. } => None,
        };
        let mut opened: Vec<Option<OwnedFd>> = Vec::with_capacity(jail.ops.len());
        let mut expected = Vec::new();
        for op in &jail.ops {
            opened.push(match op {
                Op::Bind(bind) => {
                    let fd = verify::open_source(&bind.key, &bind.source)?;
                    expected.push(verify::expected(&bind.key, &bind.dest, &fd)?);
                    Some(fd)
                }
                Op::Tmpfs(_)
                | Op::Proc(_)
                | Op::Dev(_)
                | Op::Dir(_)
                | Op::Symlink { .. }
                | Op::Data { .. }
                | Op::RemountRo(_) => None,
            });
        }
        expected.retain(|one: &Expected| !covered(one, &jail.ops));
        let mut paths = vec![None; jail.ops.len()];
        if let Some(mut staging) = staging {
            for (index, (op, fd)) in jail.ops.iter().zip(&opened).enumerate() {
                if let (Op::Bind(bind), Some(fd)) = (op, fd)
                    && needs_staging(bind)
                {
                    staging.add(index, bind, fd)?;
                }
            }
            paths = staging.finish(jail.ops.len())?;
        }
        Ok(Self { paths, data: data_files(jail)?, expected })
    }
}

fn needs_staging(bind: &Bind) -> bool {
    bind.ownership == Ownership::Session || bind.source == Path::new("/")
}

/// Something later is put exactly there.
fn covered(one: &Expected, ops: &[Op]) -> bool {
    let first = ops.iter().position(
        |op| matches!(op, Op::Bind(bind) if bind.dest == one.dest && bind.key == one.key),
    );
    let later = ops.iter().skip(first.map_or(0, |first| first + 1));
    later.filter(|op| !matches!(op, Op::RemountRo(_))).any(|op| *op.dest() == one.dest)
}

/// The texts as memfds that bubblewrap inherits.
fn data_files(jail: &JailPlan) -> Result<Vec<Option<(OwnedFd, i32)>>, JailError> {
    let file = |op: &Op| match op {
        Op::Data { text, .. } => {
            super::outer::inheritable_memfd(c"data", text.as_bytes()).map(Some)
        }
        Op::Bind(_)
        | Op::Tmpfs(_)
        | Op::Proc(_)
        | Op::Dev(_)
        | Op::Dir(_)
        | Op::Symlink { .. }
        | Op::RemountRo(_) => Ok(None),
    };
    jail.ops.iter().map(file).collect()
}

impl Resolve for Sources {
    fn source(&self, index: usize, bind: &Bind) -> PathBuf {
        let staged = self.paths.get(index).cloned().flatten();
        staged.unwrap_or_else(|| bind.source.clone())
    }

    fn data_fd(&self, index: usize) -> i32 {
        self.data.get(index).and_then(Option::as_ref).map_or(-1, |(_, number)| *number)
    }
}
