//! Signals to the program and the end of everything it started.
//!
//! In a jail everything ends with the first process of its PID namespace. Without one, and for
//! whatever stands between, this process is the reaper of all orphans below it, so nothing can
//! step out of its tree: kill what is there, look again, until nothing is.

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use crate::process::facts::proc;

/// To the program itself and, when another program is in the foreground, to that group too.
pub fn program(signal: Signal, program: i32, foreground: Option<i32>, worker: i32) {
    let _ = kill(Pid::from_raw(program), signal);
    let group = foreground.filter(|group| proc::stat(program).is_none_or(|s| s.group != *group));
    // Only a group that really is below this worker: numbers can be used again.
    if let Some(group) = group
        && proc::descendants(worker)
            .into_iter()
            .any(|pid| proc::stat(pid).is_some_and(|stat| stat.group == group))
    {
        let _ = killpg(Pid::from_raw(group), signal);
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
