//! Prints a jail as bubblewrap's arguments.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::op::{Bind, Op};
use super::{Identity, JailPlan};
use crate::Access;

/// What only the starting stage knows: where a source can be reached and which descriptor
/// holds a file's text. Both are asked by index of the op.
pub(crate) trait Resolve {
    fn source(&self, index: usize, bind: &Bind) -> PathBuf;
    fn data_fd(&self, index: usize) -> i32;
}

/// Everything but `--` and the command.
pub(crate) fn options(jail: &JailPlan, resolve: &dyn Resolve) -> Vec<OsString> {
    let mut argv = Argv::default();
    // No --new-session: the stage inside makes the terminal the program's own controlling
    // terminal, and the system call filter refuses what that would open.
    argv.words(&["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]);
    argv.words(&["--unshare-cgroup", "--die-with-parent", "--as-pid-1"]);
    argv.words(&["--cap-drop", "ALL", "--hostname", "ttydrive"]);
    if jail.unshare_net {
        argv.words(&["--unshare-net"]);
    }
    let (uid, gid) = Identity::inside(jail.identity);
    argv.words(&["--uid", &uid.to_string(), "--gid", &gid.to_string()]);
    for (index, op) in jail.ops.iter().enumerate() {
        argv.op(index, op, resolve);
    }
    argv.list
}

#[derive(Default)]
struct Argv {
    list: Vec<OsString>,
}

impl Argv {
    fn words(&mut self, words: &[&str]) {
        self.list.extend(words.iter().map(OsString::from));
    }

    fn with_path(&mut self, option: &str, path: &Path) {
        self.words(&[option]);
        self.list.push(path.into());
    }

    fn op(&mut self, index: usize, op: &Op, resolve: &dyn Resolve) {
        match op {
            Op::Bind(bind) => {
                let option = match bind.access {
                    Access::Ro => "--ro-bind",
                    Access::Rw => "--bind",
                };
                self.with_path(option, &resolve.source(index, bind));
                self.list.push(bind.dest.clone().into());
            }
            Op::Tmpfs(dest) => self.with_path("--tmpfs", dest),
            Op::Proc(dest) => self.with_path("--proc", dest),
            Op::Dev(dest) => self.with_path("--dev", dest),
            Op::Dir(dest) => self.with_path("--dir", dest),
            Op::Symlink { target, dest } => {
                self.with_path("--symlink", target);
                self.list.push(dest.into());
            }
            Op::Data { dest, .. } => {
                self.words(&["--perms", "0444"]);
                self.words(&["--ro-bind-data", &resolve.data_fd(index).to_string()]);
                self.list.push(dest.into());
            }
            Op::RemountRo(dest) => self.with_path("--remount-ro", dest),
        }
    }
}

/// Sources as planned and the op's index for a descriptor: for showing and comparing.
pub(crate) struct AsPlanned;

impl Resolve for AsPlanned {
    fn source(&self, _index: usize, bind: &Bind) -> PathBuf {
        bind.source.clone()
    }

    fn data_fd(&self, index: usize) -> i32 {
        i32::try_from(index).unwrap_or(i32::MAX)
    }
}
