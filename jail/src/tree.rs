//! Who is whose child, seen from the host.
#![allow(unsafe_code)]

use std::os::fd::{FromRawFd, OwnedFd};

use nix::libc;

use crate::limits::PROC_ENTRIES_MAX;

/// Becomes readable when the process ends.
pub(crate) fn watch(pid: i32) -> Option<OwnedFd> {
    // SAFETY: pidfd_open touches no memory; a descriptor it returns is new and ours.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, pid, 0);
        i32::try_from(fd).ok().filter(|fd| *fd >= 0).map(|fd| OwnedFd::from_raw_fd(fd))
    }
}

/// Direct children, oldest first.
pub(crate) fn children(pid: i32) -> Vec<i32> {
    match std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")) {
        Ok(list) => list.split_whitespace().filter_map(|word| word.parse().ok()).collect(),
        // A kernel without CONFIG_PROC_CHILDREN.
        Err(_) => search(pid),
    }
}

fn search(parent: i32) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .take(PROC_ENTRIES_MAX)
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| status_field(*pid, "PPid:").as_deref() == Some(&parent.to_string()))
        .collect()
}

/// The pid a process has in its own namespace.
pub(crate) fn innermost_pid(pid: i32) -> Option<i32> {
    status_field(pid, "NSpid:")?.split_whitespace().next_back()?.parse().ok()
}

fn status_field(pid: i32, name: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    Some(line.get(name.len()..)?.trim().to_owned())
}
