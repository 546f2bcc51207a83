//! What the processes of a session have done since somebody last asked.
//!
//! Time and I/O of a child move to its parent when it is waited for, so the sum over the tree
//! only grows as long as nobody is lost; where it shrinks, nothing is claimed.

use std::collections::HashMap;

use super::proc::{self, Stat};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activity {
    pub cpu_ms: Option<u64>,
    pub io_bytes: Option<u64>,
    pub busy_child: Option<bool>,
}

/// Remembers the last look.
#[derive(Debug, Default)]
pub struct Sampler {
    last: Option<Sample>,
}

#[derive(Debug)]
struct Sample {
    ticks: u64,
    io_bytes: Option<u64>,
    /// Start and own ticks by process id.
    own: HashMap<i32, (u64, u64)>,
}

impl Sampler {
    /// `processes` are all below `root`, which waits for orphans; `foreground` is the leader
    /// whose children count as children of the foreground program.
    pub fn sample(&mut self, root: i32, processes: &[Stat], foreground: Option<i32>) -> Activity {
        let inherited = proc::stat(root).map_or(0, |own| own.ticks - own.own_ticks);
        let now = Sample {
            ticks: inherited + processes.iter().map(|stat| stat.ticks).sum::<u64>(),
            io_bytes: processes.iter().map(|stat| proc::io_bytes(stat.pid)).sum(),
            own: processes.iter().map(|s| (s.pid, (s.started, s.own_ticks))).collect(),
        };
        let busy_child = foreground.map(|leader| {
            below(processes, leader)
                .into_iter()
                .any(|stat| matches!(stat.state, 'R' | 'D') || self.has_run(stat))
        });
        let before = self.last.as_ref();
        let activity = Activity {
            cpu_ms: before
                .map(|last| now.ticks.saturating_sub(last.ticks).saturating_mul(ms_per_tick())),
            io_bytes: before.and_then(|last| Some(now.io_bytes?.saturating_sub(last.io_bytes?))),
            busy_child,
        };
        self.last = Some(now);
        activity
    }

    /// Whether a process used processor time since the last look.
    fn has_run(&self, stat: &Stat) -> bool {
        let Some(last) = &self.last else { return false };
        match last.own.get(&stat.pid) {
            Some((started, ticks)) if *started == stat.started => stat.own_ticks > *ticks,
            Some(_) | None => stat.own_ticks > 0,
        }
    }
}

/// The processes below one of them.
fn below(processes: &[Stat], leader: i32) -> Vec<&Stat> {
    let mut parents = vec![leader];
    let mut found = Vec::new();
    // Parents stand before their children in the list.
    for stat in processes {
        if parents.contains(&stat.parent) {
            parents.push(stat.pid);
            found.push(stat);
        }
    }
    found
}

/// `USER_HZ` is 100 on every architecture this runs on.
fn ms_per_tick() -> u64 {
    10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32, state: char, ticks: u64) -> Stat {
        Stat {
            pid,
            command: String::new(),
            state,
            parent,
            group: pid,
            terminal: 0,
            ticks,
            own_ticks: ticks,
            started: 1,
        }
    }

    #[test]
    fn time_is_counted_between_looks() {
        let mut sampler = Sampler::default();
        let first = sampler.sample(0, &[process(-5, 0, 'S', 10)], Some(-5));
        assert_eq!(first, Activity { cpu_ms: None, io_bytes: None, busy_child: Some(false) });
        let second = sampler.sample(0, &[process(-5, 0, 'S', 25)], Some(-5));
        assert_eq!(second.cpu_ms, Some(150));
        let third = sampler.sample(0, &[], None);
        assert_eq!((third.cpu_ms, third.busy_child), (Some(0), None));
    }

    #[test]
    fn a_child_is_busy_when_it_runs_or_has_run() {
        let tree = |state, ticks| {
            [process(-5, 0, 'S', 10), process(-6, -5, 'S', 0), process(-7, -6, state, ticks)]
        };
        let mut sampler = Sampler::default();
        let busy = |sampler: &mut Sampler, state, ticks, leader| {
            sampler.sample(0, &tree(state, ticks), Some(leader)).busy_child
        };
        assert_eq!(busy(&mut sampler, 'S', 3, -5), Some(false));
        assert_eq!(busy(&mut sampler, 'S', 3, -5), Some(false));
        assert_eq!(busy(&mut sampler, 'S', 4, -5), Some(true));
        assert_eq!(busy(&mut sampler, 'D', 4, -5), Some(true));
        assert_eq!(busy(&mut sampler, 'D', 4, -7), Some(false), "not a child of itself");
    }
}
