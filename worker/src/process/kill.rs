//! Signals to the program and the end of everything it started.
//!
//! In a jail everything ends with the first process of its PID namespace. Without one, and for
//! whatever stands between, this process is the reaper of all orphans below it, so nothing can
//! step out of its tree: kill what is there, look again, until nothing is.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::process::facts::proc;

/// To the program itself and, when another program is in the foreground, to that group too.
///
/// `root` is the process below which only the program's are: the group of a program that made
/// none of its own contains the jail's first processes, which must not be hit.
pub fn program(signal: Signal, program: i32, foreground: Option<i32>, root: i32) {
    let group = foreground.filter(|group| proc::stat(program).is_none_or(|s| s.group != *group));
    let in_foreground = |pid: &i32| {
        *pid != program && proc::stat(*pid).is_some_and(|stat| Some(stat.group) == group)
    };
    let others = proc::descendants(root).into_iter().filter(in_foreground);
    for pid in std::iter::once(program).chain(others) {
        let _ = kill(Pid::from_raw(pid), signal);
    }
}

/// One round; returns how many processes are still there.
#[must_use]
pub fn everything(worker: i32, init: Option<i32>) -> usize {
    let below = proc::descendants(worker);
    if let Some(init) = init.filter(|init| below.contains(init)) {
        let _ = kill(Pid::from_raw(init), Signal::SIGKILL);
    }
    for pid in &below {
        let _ = kill(Pid::from_raw(*pid), Signal::SIGKILL);
    }
    below.len()
}
