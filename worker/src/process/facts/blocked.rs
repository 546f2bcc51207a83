//! Is somebody in the foreground waiting for input of this terminal, and for nothing else?
//!
//! A thread blocked in `read` of the terminal says so by itself. A thread in `poll`, `select`
//! or `epoll` says so only when it waits without a timeout and everything else it waits for is
//! its own plumbing (eventfd, signalfd, a pipe or socket pair to itself): a program that also
//! waits for a server or a child is not waiting for the user. All from the host's side of the
//! jail; the terminal is recognised by its inode, whatever its path is in there.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt};

use super::proc::{self, Stat};
use crate::limits::{PROC_FDS_MAX, PROC_FOREGROUND_MAX};
use crate::process::pty::TtyIdentity;

/// /dev/tty stands for the controlling terminal.
const DEV_TTY: u64 = 5 << 8;

/// What a blocked thread waits for.
#[derive(Debug, PartialEq, Eq)]
enum Wait {
    Read(u64),
    /// Any of these, without a timeout.
    Any(Vec<u64>),
    Epoll(u64),
    Other,
}

/// `None` when some process could not be looked into and no other gave the answer.
#[must_use]
pub fn blocked_reader(processes: &[Stat], group: i32, tty: TtyIdentity) -> Option<bool> {
    let mut known = true;
    let mut looked = 0;
    for stat in processes.iter().filter(|stat| stat.group == group).take(PROC_FOREGROUND_MAX) {
        looked += 1;
        match process_reads(stat, tty) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = false,
        }
    }
    (known && looked > 0).then_some(false)
}

fn process_reads(stat: &Stat, tty: TtyIdentity) -> Option<bool> {
    let mut reads = false;
    for task in proc::tasks(stat.pid) {
        let call = proc::text(format!("/proc/{}/task/{task}/syscall", stat.pid))?;
        reads = reads
            || match parse_wait(stat.pid, &call) {
                Wait::Read(fd) => is_tty(stat, fd, tty),
                Wait::Any(fds) => only_tty(stat, &fds, tty),
                Wait::Epoll(fd) => only_tty(stat, &epoll_fds(stat.pid, fd), tty),
                Wait::Other => false,
            };
    }
    Some(reads)
}

/// `number arg arg arg arg arg arg sp pc`, or `running`.
fn parse_wait(pid: i32, call: &str) -> Wait {
    let mut fields = call.split_ascii_whitespace();
    let Some(number) = fields.next().and_then(|number| number.parse::<i64>().ok()) else {
        return Wait::Other;
    };
    let args: Vec<u64> = fields
        .map_while(|arg| u64::from_str_radix(arg.strip_prefix("0x")?, 16).ok())
        .take(6)
        .collect();
    let [a, b, c, d, e, _] = args.as_slice() else {
        return Wait::Other;
    };
    match calls::kind(number) {
        Some(calls::Kind::Read) => Wait::Read(*a),
        Some(calls::Kind::PollMs) if *c & 0xffff_ffff == 0xffff_ffff => poll_set(pid, *a, *b),
        Some(calls::Kind::PollPtr) if *c == 0 => poll_set(pid, *a, *b),
        Some(calls::Kind::Select) if *e == 0 => select_set(pid, *a, *b),
        Some(calls::Kind::EpollMs) if *d & 0xffff_ffff == 0xffff_ffff => Wait::Epoll(*a),
        Some(calls::Kind::EpollPtr) if *d == 0 => Wait::Epoll(*a),
        Some(
            calls::Kind::PollMs
            | calls::Kind::PollPtr
            | calls::Kind::Select
            | calls::Kind::EpollMs
            | calls::Kind::EpollPtr,
        )
        | None => Wait::Other,
    }
}

fn memory(pid: i32, at: u64, bytes: usize) -> Option<Vec<u8>> {
    let mut content = vec![0; bytes];
    File::open(format!("/proc/{pid}/mem")).ok()?.read_exact_at(&mut content, at).ok()?;
    Some(content)
}

/// An array of `struct pollfd`: fd, events, revents in eight bytes.
fn poll_set(pid: i32, at: u64, count: u64) -> Wait {
    let Some(count) = usize::try_from(count).ok().filter(|count| *count <= PROC_FDS_MAX) else {
        return Wait::Other;
    };
    let Some(content) = memory(pid, at, count * 8) else {
        return Wait::Other;
    };
    let fds = content.chunks_exact(8).filter_map(|entry| {
        let fd = i32::from_ne_bytes(*entry.first_chunk()?);
        u64::try_from(fd).ok()
    });
    Wait::Any(fds.collect())
}

/// A bit per descriptor.
fn select_set(pid: i32, count: u64, at: u64) -> Wait {
    let Some(count) = usize::try_from(count).ok().filter(|count| *count <= 1_024) else {
        return Wait::Other;
    };
    let Some(content) = memory(pid, at, count.div_ceil(64) * 8) else {
        return Wait::Other;
    };
    let fds = (0_u64..).zip(&content).flat_map(|(index, byte)| {
        (0..8_u64).filter(move |bit| byte >> bit & 1 == 1).map(move |bit| index * 8 + bit)
    });
    Wait::Any(fds.collect())
}

fn epoll_fds(pid: i32, fd: u64) -> Vec<u64> {
    let info = proc::text(format!("/proc/{pid}/fdinfo/{fd}")).unwrap_or_default();
    info.lines()
        .filter_map(|line| line.strip_prefix("tfd:")?.split_ascii_whitespace().next()?.parse().ok())
        .take(PROC_FDS_MAX)
        .collect()
}

fn is_tty(stat: &Stat, fd: u64, tty: TtyIdentity) -> bool {
    let Ok(meta) = std::fs::metadata(format!("/proc/{}/fd/{fd}", stat.pid)) else {
        return false;
    };
    let identity = TtyIdentity { filesystem: meta.dev(), inode: meta.ino(), device: meta.rdev() };
    identity == tty || (meta.rdev() == DEV_TTY && stat.terminal == tty.device)
}

fn only_tty(stat: &Stat, fds: &[u64], tty: TtyIdentity) -> bool {
    let (ttys, others): (Vec<u64>, Vec<u64>) =
        fds.iter().copied().partition(|fd| is_tty(stat, *fd, tty));
    if ttys.is_empty() || others.is_empty() {
        return !ttys.is_empty();
    }
    let Some(links) = open_files(stat.pid) else { return false };
    others.iter().all(|fd| links.get(fd).is_some_and(|link| is_plumbing(link, &links)))
}

fn open_files(pid: i32) -> Option<HashMap<u64, String>> {
    let mut links = HashMap::new();
    for entry in std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?.take(PROC_FDS_MAX) {
        let entry = entry.ok()?;
        let fd = entry.file_name().to_str()?.parse().ok()?;
        links.insert(fd, std::fs::read_link(entry.path()).ok()?.to_str()?.to_owned());
    }
    Some(links)
}

/// Something only the process itself can make ready.
fn is_plumbing(link: &str, all: &HashMap<u64, String>) -> bool {
    if let Some(kind) = link.strip_prefix("anon_inode:") {
        return ["[eventfd]", "[signalfd]", "inotify", "[io_uring]", "[eventpoll]"].contains(&kind);
    }
    if link.starts_with("pipe:") {
        return all.values().filter(|other| *other == link).count() > 1;
    }
    let inode = |link: &str| -> Option<u64> {
        link.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
    };
    // The two ends of a socket pair are made one after the other.
    inode(link).is_some_and(|own| {
        all.values().filter_map(|other| inode(other)).any(|other| own.abs_diff(other) == 1)
    })
}

mod calls {
    /// How to read the arguments of a call that can block on a terminal.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Kind {
        Read,
        /// `poll(fds, count, milliseconds)`.
        PollMs,
        /// `ppoll(fds, count, timespec, …)`.
        PollPtr,
        /// `select` and `pselect6(count, read, write, except, timeout, …)`.
        Select,
        /// `epoll_wait(fd, events, max, milliseconds, …)`.
        EpollMs,
        /// `epoll_pwait2(fd, events, max, timespec, …)`.
        EpollPtr,
    }

    #[cfg(target_arch = "x86_64")]
    const TABLE: &[(i64, Kind)] = &[
        (0, Kind::Read),
        (19, Kind::Read),
        (7, Kind::PollMs),
        (271, Kind::PollPtr),
        (23, Kind::Select),
        (270, Kind::Select),
        (232, Kind::EpollMs),
        (281, Kind::EpollMs),
        (441, Kind::EpollPtr),
    ];
    #[cfg(target_arch = "aarch64")]
    const TABLE: &[(i64, Kind)] = &[
        (63, Kind::Read),
        (65, Kind::Read),
        (73, Kind::PollPtr),
        (72, Kind::Select),
        (22, Kind::EpollMs),
        (441, Kind::EpollPtr),
    ];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    const TABLE: &[(i64, Kind)] = &[];

    pub fn kind(number: i64) -> Option<Kind> {
        TABLE.iter().find(|(call, _)| *call == number).map(|(_, kind)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_without_a_timeout_wait_for_the_user() {
        let own = i32::try_from(std::process::id()).unwrap();
        let call = |text: &str| parse_wait(own, text);
        assert_eq!(call("running"), Wait::Other);
        assert_eq!(call(""), Wait::Other);
        assert_eq!(call("-1 0x7ffd 0x7f"), Wait::Other);
        #[cfg(target_arch = "x86_64")]
        {
            let tail = "0x0 0x0 0x0 0x7ffc 0x7fff";
            assert_eq!(call(&format!("0 0x3 0x1000 0x1 {tail}")), Wait::Read(3));
            assert_eq!(call("232 0x5 0x0 0x40 0xffffffff 0x0 0x0 0x1 0x2"), Wait::Epoll(5));
            assert_eq!(call("232 0x5 0x0 0x40 0x64 0x0 0x0 0x1 0x2"), Wait::Other);
            assert_eq!(call("270 0x1 0x1000 0x0 0x0 0x7ffd 0x0 0x1 0x2"), Wait::Other);
        }
    }

    #[test]
    fn sets_are_read_from_memory() {
        let own = i32::try_from(std::process::id()).unwrap();
        let bits: [u64; 1] = [1 << 0 | 1 << 9];
        let at = u64::try_from(bits.as_ptr().addr()).unwrap();
        assert_eq!(select_set(own, 10, at), Wait::Any(vec![0, 9]));
        let polled: [i32; 4] = [4, 1, -1, 1];
        let at = u64::try_from(polled.as_ptr().addr()).unwrap();
        assert_eq!(poll_set(own, at, 2), Wait::Any(vec![4]));
        assert_eq!(poll_set(own, at, u64::MAX), Wait::Other);
    }

    #[test]
    fn plumbing_is_what_the_process_wakes_itself_with() {
        let all: HashMap<u64, String> = (0..)
            .zip(["pipe:[7]", "pipe:[7]", "pipe:[8]", "socket:[20]", "socket:[21]", "socket:[30]"])
            .map(|(fd, link)| (fd, link.to_owned()))
            .collect();
        for (link, wanted) in [
            ("anon_inode:[eventfd]", true),
            ("anon_inode:[timerfd]", false),
            ("pipe:[7]", true),
            ("pipe:[8]", false),
            ("socket:[20]", true),
            ("socket:[30]", false),
            ("/dev/null", false),
        ] {
            assert_eq!(is_plumbing(link, &all), wanted, "{link}");
        }
    }
}
