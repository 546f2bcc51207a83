//! Puts sources where a session's own uid can reach and use them.
//!
//! As root, a session gets a uid that owns nothing. Its workspace lies in a private data
//! directory below a private home. So each source is cloned from an open descriptor, its
//! owner is mapped to the session's uid (an idmapped mount: on disk nothing changes, and what
//! the session creates belongs to the source's owner), and the clone is put below a tmpfs in
//! a mount namespace of this process alone, from where bubblewrap binds it.

use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::SFlag;
use nix::sys::wait::waitpid;

use super::sys::{self, Forked};
use crate::JailError;
use crate::plan::{Bind, Ownership};

/// Directories every system has and no base path lies below.
const PLACES: &[&str] = &["/mnt", "/srv", "/media", "/opt", "/tmp"];

pub(super) struct Staging {
    uid: u32,
    gid: u32,
    place: &'static Path,
    /// Maps made so far, by owner.
    maps: Vec<((u32, u32), OwnedFd)>,
    trees: Vec<Tree>,
}

struct Tree {
    index: usize,
    fd: OwnedFd,
    is_dir: bool,
}

impl Staging {
    pub(super) fn begin(uid: u32, gid: u32) -> Result<Self, JailError> {
        let place =
            PLACES.iter().map(Path::new).find(|place| is_plain_dir(place)).ok_or_else(|| {
                unavailable("there is none of /mnt, /srv, /media to put mounts on".to_owned())
            })?;
        unshare(CloneFlags::CLONE_NEWNS).map_err(|error| failed("a mount namespace", error))?;
        let private = MsFlags::MS_REC | MsFlags::MS_SLAVE;
        mount(None::<&str>, "/", None::<&str>, private, None::<&str>)
            .map_err(|error| failed("a private mount tree", error))?;
        Ok(Self { uid, gid, place, maps: Vec::new(), trees: Vec::new() })
    }

    pub(super) fn add(
        &mut self,
        index: usize,
        bind: &Bind,
        source: &OwnedFd,
    ) -> Result<(), JailError> {
        let stat = nix::sys::stat::fstat(source).map_err(|error| failed("fstat", error))?;
        let is_dir = stat.st_mode & SFlag::S_IFMT.bits() == SFlag::S_IFDIR.bits();
        let mapped = bind.ownership == Ownership::Session;
        let refused = |error: std::io::Error| JailError::Source {
            key: bind.key.clone(),
            path: bind.source.clone(),
            detail: format!(
                "cannot be handed to the session's own uid: its file system refuses an \
                 idmapped mount ({error}); put it on ext4, xfs, btrfs or tmpfs of Linux 6.3 or \
                 newer, or set scope.uid: daemon"
            ),
        };
        let clone = |recursive: bool| -> std::io::Result<OwnedFd> {
            let tree = sys::open_tree(source.as_fd(), recursive)?;
            if mapped {
                let userns = self.map_of((stat.st_uid, stat.st_gid))?;
                sys::map_owners(tree.as_fd(), userns.as_fd(), recursive)?;
            }
            Ok(tree)
        };
        let mut clone = clone;
        // A mount further down may be of a kind that cannot map; it stays out of the jail.
        let fd = clone(true).or_else(|_| clone(false)).map_err(refused)?;
        self.trees.push(Tree { index, fd, is_dir });
        Ok(())
    }

    /// Attaches all clones. Only now is anything hidden from this process.
    pub(super) fn finish(self, count: usize) -> Result<Vec<Option<PathBuf>>, JailError> {
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        mount(Some("tmpfs"), self.place, Some("tmpfs"), flags, Some("mode=0755"))
            .map_err(|error| failed("a tmpfs for mounts", error))?;
        let mut paths = vec![None; count];
        for tree in &self.trees {
            let path = self.place.join(tree.index.to_string());
            let made =
                if tree.is_dir { std::fs::create_dir(&path) } else { std::fs::write(&path, "") };
            made.and_then(|()| sys::move_mount(tree.fd.as_fd(), &path))
                .map_err(|error| failed("attaching a mount", error))?;
            if let Some(slot) = paths.get_mut(tree.index) {
                *slot = Some(path);
            }
        }
        Ok(paths)
    }

    fn map_of(&mut self, owner: (u32, u32)) -> std::io::Result<OwnedFd> {
        if let Some((_, fd)) = self.maps.iter().find(|(known, _)| *known == owner) {
            return fd.try_clone();
        }
        let fd = owner_map(owner, (self.uid, self.gid))?;
        let copy = fd.try_clone()?;
        self.maps.push((owner, fd));
        Ok(copy)
    }
}

fn is_plain_dir(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
}

/// A user namespace whose map says: `owner` on disk is `session` outside, all else as it is.
fn owner_map(owner: (u32, u32), session: (u32, u32)) -> std::io::Result<OwnedFd> {
    let (ready, tell) = nix::unistd::pipe()?;
    match sys::fork()? {
        Forked::Child => {
            drop(ready);
            let made = unshare(CloneFlags::CLONE_NEWUSER).is_ok();
            let _ = nix::unistd::write(&tell, if made { b"y" } else { b"n" });
            nix::unistd::pause();
            sys::exit_now(0)
        }
        Forked::Parent(child) => {
            drop(tell);
            let mut answer = [0];
            let told = nix::unistd::read(&ready, &mut answer);
            let fd = match (told, answer) {
                (Ok(1), [b'y']) => fill_map(child, owner, session),
                _ => Err(std::io::Error::other("no user namespace can be made")),
            };
            let _ = kill(child, Signal::SIGKILL);
            let _ = waitpid(child, None);
            fd
        }
    }
}

fn fill_map(
    child: nix::unistd::Pid,
    owner: (u32, u32),
    session: (u32, u32),
) -> std::io::Result<OwnedFd> {
    let proc = PathBuf::from(format!("/proc/{child}"));
    std::fs::write(proc.join("uid_map"), map_lines(owner.0, session.0))?;
    std::fs::write(proc.join("gid_map"), map_lines(owner.1, session.1))?;
    Ok(std::fs::File::open(proc.join("ns/user"))?.into())
}

/// Ids that people and services have; others show as nobody's.
const COMMON_IDS: u32 = 65_536;

fn map_lines(owner: u32, session: u32) -> String {
    let mut lines = format!("{owner} {session} 1\n");
    let below = owner.min(COMMON_IDS);
    if below > 0 {
        lines.push_str(&format!("0 0 {below}\n"));
    }
    if owner + 1 < COMMON_IDS {
        let next = owner + 1;
        lines.push_str(&format!("{next} {next} {}\n", COMMON_IDS - next));
    }
    lines
}

fn failed(what: &str, error: impl std::fmt::Display) -> JailError {
    unavailable(format!("{what} cannot be made: {error}"))
}

fn unavailable(detail: String) -> JailError {
    JailError::Unavailable {
        detail,
        fix: "Run the service as an ordinary user, set scope.uid: daemon, or see \
              `ttydrive doctor`."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::map_lines;

    #[test]
    fn maps_cover_each_id_once() {
        assert_eq!(map_lines(0, 9), "0 9 1\n1 1 65535\n");
        assert_eq!(map_lines(1000, 9), "1000 9 1\n0 0 1000\n1001 1001 64535\n");
        assert_eq!(map_lines(70_000, 9), "70000 9 1\n0 0 65536\n");
        assert_eq!(map_lines(65_535, 9), "65535 9 1\n0 0 65535\n");
    }
}
