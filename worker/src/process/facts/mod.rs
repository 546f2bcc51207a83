//! Facts about the program that a screen cannot fake.

mod blocked;
pub mod proc;
mod tree;

pub use tree::{Activity, Sampler};

use crate::process::pty::Pty;
use crate::protocol::WireFacts;

/// What the kernel knows about the program, now.
///
/// `root` is the process below which the program's are: the first of its PID namespace, or
/// this worker. `tree` is given when the activity of the process tree is to be measured too.
#[must_use]
pub fn of_kernel(pty: &Pty, root: i32, tree: Option<&mut Sampler>) -> WireFacts {
    let mode = pty.mode();
    let foreground = pty.foreground();
    let processes: Vec<proc::Stat> =
        proc::descendants(root).into_iter().filter_map(proc::stat).collect();
    let leader = foreground.and_then(|group| {
        let in_group = || processes.iter().filter(move |stat| stat.group == group);
        in_group().find(|stat| stat.pid == group).or_else(|| in_group().next())
    });
    let blocked = match (foreground, pty.identity()) {
        (Some(group), Some(tty)) => blocked::blocked_reader(&processes, group, tty),
        _ => None,
    };
    let activity = tree.map_or(Activity::default(), |sampler| {
        sampler.sample(root, &processes, leader.map(|stat| stat.pid))
    });
    WireFacts {
        canonical: mode.map(|mode| mode.canonical),
        echo: mode.map(|mode| mode.echo),
        tty_signals: mode.map(|mode| mode.signals),
        blocked_reader: blocked,
        unread_input: pty.unread_input(),
        foreground_pid: leader.map(|stat| stat.pid),
        foreground_command: leader
            .map(|stat| stat.command.chars().filter(|c| !c.is_control()).collect()),
        tree_cpu_ms: activity.cpu_ms,
        tree_io_bytes: activity.io_bytes,
        busy_child: activity.busy_child,
        ..WireFacts::default()
    }
}
