//! What idle sessions cost: processor time and private memory of the service and its workers.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use crate::requests::{SESSIONS, full};

const FOR: Duration = Duration::from_secs(10);
/// The kernel's clock ticks a second, as `/proc/<pid>/stat` counts.
const TICKS: f64 = 100.0;

pub fn run() {
    let (service, _sessions) = full();
    let ours = family(service.pid());
    let before: u64 = ours.iter().map(|pid| ticks(*pid)).sum();
    std::thread::sleep(FOR);
    let after: u64 = ours.iter().map(|pid| ticks(*pid)).sum();
    let share = (after - before) as f64 / TICKS / FOR.as_secs_f64();
    println!("{:<52} {:.2} % of a core", format!("{SESSIONS} idle sessions"), share * 100.0);
    let private: u64 = ours.iter().map(|pid| private_kib(*pid)).sum();
    println!(
        "{:<52} {:.2} MiB, {} processes",
        "private memory a session, daemon and worker",
        private as f64 / 1024.0 / SESSIONS as f64,
        ours.len()
    );
}

/// The service and the workers it started; not the programs in the jails.
fn family(service: u32) -> BTreeSet<u32> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let binary = fs::read_link(format!("/proc/{service}/exe")).unwrap();
    let is_ours = |pid: &u32| {
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let exe = fs::read_link(format!("/proc/{pid}/exe")).ok();
        *pid == service
            || (exe.as_ref() == Some(&binary)
                && command.split(|byte| *byte == 0).any(|word| word == b"worker"))
    };
    pids.filter(is_ours).collect()
}

fn ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split(' ').collect();
    let field = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok());
    field(12).unwrap_or(0) + field(13).unwrap_or(0)
}

fn private_kib(pid: u32) -> u64 {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let private = rollup.lines().filter(|line| line.starts_with("Private_"));
    private.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum()
}
