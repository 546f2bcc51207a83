//! System calls nix has no safe name for.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use nix::libc;

/// Closes every descriptor from `first` up.
pub(crate) fn close_from(first: u32) {
    // SAFETY: close_range touches no memory. Callers own no descriptor in the range: they
    // call this first thing in a process, or keep what they need below `first`.
    let result = unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) };
    if result != 0 {
        close_listed(first);
    }
}

/// Before Linux 5.9.
fn close_listed(first: u32) {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else { return };
    let open: Vec<u32> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|fd| *fd >= first)
        .collect();
    for fd in open {
        let fd = i32::try_from(fd).unwrap_or(-1);
        // SAFETY: as above; a number that is not open any more is refused by the kernel.
        unsafe { libc::close(fd) };
    }
}

/// Closes everything but standard streams and `keep`.
pub(crate) fn close_all_but(keep: &[RawFd]) {
    let mut keep: Vec<u32> = keep.iter().filter_map(|fd| u32::try_from(*fd).ok()).collect();
    keep.sort_unstable();
    let mut from = 3;
    for fd in keep {
        if fd > from {
            // SAFETY: no memory is touched; the caller owns nothing in the range.
            unsafe { libc::syscall(libc::SYS_close_range, from, fd - 1, 0) };
        }
        from = from.max(fd + 1);
    }
    close_from(from);
}

/// Takes over a descriptor this process inherited under a known number.
pub(crate) fn inherited(fd: RawFd) -> Option<OwnedFd> {
    // SAFETY: fcntl touches no memory. A number that is open and was announced by the parent
    // stage belongs to this stage alone, so owning it cannot close someone else's.
    unsafe { (libc::fcntl(fd, libc::F_GETFD) >= 0).then(|| OwnedFd::from_raw_fd(fd)) }
}

/// A detached copy of the mount tree at `fd`.
pub(crate) fn open_tree(fd: BorrowedFd<'_>, recursive: bool) -> io::Result<OwnedFd> {
    let mut flags = libc::OPEN_TREE_CLONE | libc::OPEN_TREE_CLOEXEC | AT_EMPTY_PATH;
    if recursive {
        flags |= AT_RECURSIVE;
    }
    // SAFETY: the path is a static empty C string and the descriptor is borrowed and open.
    let result = unsafe { libc::syscall(libc::SYS_open_tree, fd.as_raw_fd(), EMPTY, flags) };
    owned(result)
}

const EMPTY: *const libc::c_char = c"".as_ptr();
const AT_EMPTY_PATH: u32 = libc::AT_EMPTY_PATH.cast_unsigned();
const AT_RECURSIVE: u32 = libc::AT_RECURSIVE.cast_unsigned();

/// `struct mount_attr` of the kernel's first version.
#[repr(C)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    userns_fd: u64,
}

const MOUNT_ATTR_IDMAP: u64 = 0x0010_0000;

/// Makes a detached tree show its owners through a user namespace's map.
pub(crate) fn map_owners(
    tree: BorrowedFd<'_>,
    userns: BorrowedFd<'_>,
    recursive: bool,
) -> io::Result<()> {
    let attr = MountAttr {
        set: MOUNT_ATTR_IDMAP,
        clear: 0,
        propagation: 0,
        userns_fd: u64::try_from(userns.as_raw_fd()).unwrap_or(u64::MAX),
    };
    let flags = if recursive { AT_EMPTY_PATH | AT_RECURSIVE } else { AT_EMPTY_PATH };
    // SAFETY: `attr` lives over the call and its size is passed; the path is static.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            EMPTY,
            flags,
            &raw const attr,
            size_of::<MountAttr>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Puts a detached tree at a path.
pub(crate) fn move_mount(tree: BorrowedFd<'_>, dest: &std::path::Path) -> io::Result<()> {
    let dest = c_path(dest)?;
    // SAFETY: both strings live over the call; the descriptor is borrowed and open.
    let result = unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree.as_raw_fd(),
            EMPTY,
            libc::AT_FDCWD,
            dest.as_ptr(),
            libc::MOVE_MOUNT_F_EMPTY_PATH,
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

pub(crate) fn c_path(path: &std::path::Path) -> io::Result<CString> {
    use std::os::unix::ffi::OsStrExt;
    CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other)
}

fn owned(result: libc::c_long) -> io::Result<OwnedFd> {
    let fd = RawFd::try_from(result).unwrap_or(-1);
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

pub(crate) enum Forked {
    Parent(nix::unistd::Pid),
    Child,
}

/// Forks. Only for the stages, which have one thread, so that the child may go on normally.
pub(crate) fn fork() -> io::Result<Forked> {
    // SAFETY: the stages start no thread, so no lock can be held across the fork.
    match unsafe { nix::unistd::fork() }? {
        nix::unistd::ForkResult::Parent { child } => Ok(Forked::Parent(child)),
        nix::unistd::ForkResult::Child => Ok(Forked::Child),
    }
}

/// Gives the terminal up as controlling terminal of this session. The caller has to ignore
/// SIGHUP while it does.
pub(crate) fn drop_controlling_terminal() -> io::Result<()> {
    // SAFETY: TIOCNOTTY takes no argument.
    match unsafe { libc::ioctl(0, libc::TIOCNOTTY) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Makes the terminal on standard input this session's controlling terminal.
pub(crate) fn take_controlling_terminal() -> io::Result<()> {
    // SAFETY: TIOCSCTTY takes an integer, 0: do not steal.
    match unsafe { libc::ioctl(0, libc::TIOCSCTTY, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Sets every signal to its default and unblocks all: the program must not inherit what this
/// binary's runtime, or whoever started the service, ignores.
pub(crate) fn reset_signals() {
    // The kernel's own struct: handler 0 (the default), no flags, no restorer, empty mask.
    let default = [0_u64; 4];
    for signal in 1..=64 {
        let nowhere = std::ptr::null_mut::<u64>();
        // SAFETY: the array is as large as the kernel's struct on every 64-bit Linux and lives
        // over the call. The C library refuses two of these numbers, the kernel does not.
        unsafe {
            libc::syscall(libc::SYS_rt_sigaction, signal, default.as_ptr(), nowhere, 8_usize)
        };
    }
    let empty = nix::sys::signal::SigSet::empty();
    let _ = empty.thread_set_mask();
}

pub(crate) fn ignore_hangup(ignore: bool) {
    let action = if ignore { libc::SIG_IGN } else { libc::SIG_DFL };
    // SAFETY: neither action installs code of ours.
    unsafe { libc::signal(libc::SIGHUP, action) };
}

/// Ends this process without running exit handlers: for forked children.
pub(crate) fn exit_now(code: i32) -> ! {
    // SAFETY: _exit does not return and touches nothing.
    unsafe { libc::_exit(code) }
}

pub(crate) fn set_no_new_privileges() -> io::Result<()> {
    // SAFETY: this prctl takes integers only.
    match unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Other processes of the same uid cannot look into this one from here on.
pub(crate) fn set_undumpable() {
    // SAFETY: this prctl takes integers only.
    unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) };
}

/// No core file and no core to a pipe handler of the host either: one byte is the limit that
/// the kernel takes as "no" for both.
pub(crate) fn forbid_core_dumps() {
    let limit = libc::rlimit { rlim_cur: 1, rlim_max: 1 };
    // SAFETY: the struct lives over the call.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const limit) };
}

/// The version of Landlock this kernel speaks; 0 when it has none or it is off.
pub(crate) fn landlock_abi() -> i32 {
    const CREATE_RULESET_VERSION: u32 = 1;
    let nothing = std::ptr::null::<u8>();
    // SAFETY: with this flag the kernel takes no attribute and only answers a number.
    let abi = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, CREATE_RULESET_VERSION)
    };
    i32::try_from(abi).unwrap_or(0).max(0)
}
