//! Small bounded reads of /proc. What cannot be read is `None`, never a guess.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::limits::{PROC_FILE_BYTES_MAX, PROC_PROCESSES_MAX, PROC_TASKS_MAX};

/// The fields of `/proc/<pid>/stat` that matter here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    pub pid: i32,
    pub command: String,
    pub state: char,
    pub parent: i32,
    pub group: i32,
    /// Controlling terminal as a device number; 0 for none.
    pub terminal: u64,
    /// Own time and that of children it has waited for, in ticks.
    pub ticks: u64,
    /// The part of `ticks` that is not inherited from children.
    pub own_ticks: u64,
    pub started: u64,
}

/// At most so much of a file; /proc files have no size to ask for.
#[must_use]
pub fn read(path: impl AsRef<Path>) -> Option<Vec<u8>> {
    let mut content = Vec::with_capacity(512);
    File::open(path).ok()?.take(PROC_FILE_BYTES_MAX).read_to_end(&mut content).ok()?;
    Some(content)
}

#[must_use]
pub fn text(path: impl AsRef<Path>) -> Option<String> {
    Some(String::from_utf8_lossy(&read(path)?).into_owned())
}

#[must_use]
pub fn stat(pid: i32) -> Option<Stat> {
    parse_stat(&text(format!("/proc/{pid}/stat"))?)
}

/// The command may itself contain blanks and parentheses, so the last one counts.
fn parse_stat(text: &str) -> Option<Stat> {
    let (head, rest) = text.rsplit_once(')')?;
    let (pid, command) = head.split_once('(')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    // Field 3 of the manual page (state) is the first here.
    let number = |field: usize| -> Option<i64> { fields.get(field - 3)?.parse().ok() };
    let ticks = |field: usize| Some(u64::try_from(number(field)?).unwrap_or(0));
    let own_ticks = ticks(14)? + ticks(15)?;
    Some(Stat {
        pid: pid.trim().parse().ok()?,
        command: command.to_owned(),
        state: fields.first()?.chars().next()?,
        parent: i32::try_from(number(4)?).ok()?,
        group: i32::try_from(number(5)?).ok()?,
        terminal: u64::try_from(number(7)?).unwrap_or(0),
        ticks: own_ticks + ticks(16)? + ticks(17)?,
        own_ticks,
        started: ticks(22)?,
    })
}

/// Bytes a process has read and written, its waited-for children included.
#[must_use]
pub fn io_bytes(pid: i32) -> Option<u64> {
    let text = text(format!("/proc/{pid}/io"))?;
    let field = |name: &str| {
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok())
    };
    Some(field("rchar:")? + field("wchar:")?)
}

/// Thread ids of a process.
#[must_use]
pub fn tasks(pid: i32) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .take(PROC_TASKS_MAX)
        .collect()
}

/// Every process below `root`, nearest first, without `root` itself. Bounded.
#[must_use]
pub fn descendants(root: i32) -> Vec<i32> {
    let mut found: Vec<i32> = Vec::new();
    let mut looked = 0;
    let mut parent = Some(root);
    while let Some(pid) = parent {
        for task in tasks(pid) {
            let Some(children) = text(format!("/proc/{pid}/task/{task}/children")) else {
                if pid == root && looked == 0 && task == pid {
                    return by_parent(root);
                }
                continue;
            };
            found.extend(
                children.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()),
            );
        }
        if found.len() >= PROC_PROCESSES_MAX {
            found.truncate(PROC_PROCESSES_MAX);
        }
        parent = found.get(looked).copied();
        looked += 1;
    }
    found
}

/// For kernels without the `children` files: from the parents of all processes.
fn by_parent(root: i32) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let all: Vec<Stat> =
        entries.filter_map(|entry| stat(entry.ok()?.file_name().to_str()?.parse().ok()?)).collect();
    let mut found = vec![root];
    let mut looked = 0;
    while let Some(parent) = found.get(looked).copied() {
        found.extend(all.iter().filter(|stat| stat.parent == parent).map(|stat| stat.pid));
        found.truncate(PROC_PROCESSES_MAX);
        looked += 1;
    }
    found.remove(0);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_may_look_like_fields() {
        let line = "42 (a) b) S 7 8 9 34816 10 4194560 1 2 3 4 50 6 70 8 20 0 1 0 123456 999 1";
        let stat = parse_stat(line).unwrap();
        assert_eq!((stat.pid, stat.command.as_str(), stat.state), (42, "a) b", 'S'));
        assert_eq!((stat.parent, stat.group, stat.terminal), (7, 8, 34_816));
        assert_eq!((stat.own_ticks, stat.ticks, stat.started), (56, 134, 123_456));
        assert_eq!(parse_stat("42 (cut) S 1"), None);
        assert_eq!(parse_stat(""), None);
    }

    #[test]
    fn this_process_is_found_below_its_parent() {
        let own = i32::try_from(std::process::id()).unwrap();
        let parent = stat(own).unwrap().parent;
        assert!(descendants(parent).contains(&own));
        assert!(by_parent(parent).contains(&own));
        assert!(!descendants(own).contains(&own));
        assert!(io_bytes(own).unwrap() > 0);
    }
}
