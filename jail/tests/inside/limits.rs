//! cgroup limits hold, and a limit that cannot be set is a refusal.

use std::path::Path;

use jail::{Cgroups, ProgramExit, ResourceLimits};

use crate::harness::{Place, Service, finish, start};

fn available(controller: &str) -> bool {
    let missing = Cgroups::probe().missing().contains(&controller);
    if missing {
        println!("NOT TESTED: no writable {controller} cgroup on this machine");
    }
    !missing && Service::Root.enter()
}

#[test]
fn a_fork_bomb_stays_within_its_pids() {
    if !available("pids") {
        return;
    }
    let place = Place::new();
    let script = "n=0; while [ $n -lt 200 ] && sleep 1000 & do n=$((n+1)); \
                  [ $n -ge 200 ] && break; done 2>/dev/null; echo; \
                  echo \"=> $(ls -d /proc/[0-9]* | wc -l)\"";
    let script = format!("{{ {script}; }} 2>/dev/null; true");
    let mut request = place.request(&script);
    request.limits = ResourceLimits { pids: Some(20), ..ResourceLimits::default() };
    let mut running = start(&request).unwrap();
    // A shell that cannot fork retries for seconds; what counts is how many there ever are.
    let init = running.started.init_pid.unwrap();
    let cgroup = cgroup_of(init, "pids");
    let max = std::fs::read_to_string(cgroup.join("pids.max")).unwrap();
    assert_eq!(max.trim(), "22");
    let events = cgroup.join("pids.events");
    let hits = |text: String| text.trim().trim_start_matches("max ").parse::<u64>().unwrap_or(0);
    while std::fs::read_to_string(&events).map_or(0, hits) == 0 {
        std::thread::yield_now();
    }
    let current = std::fs::read_to_string(cgroup.join("pids.current")).unwrap();
    assert!(current.trim().parse::<u32>().unwrap() <= 22, "{current}");
    running.started.kill_tree();
    running.finish();
    drop(running);
    assert!(!cgroup.exists(), "{} is left behind", cgroup.display());
}

#[test]
fn the_cgroup_goes_when_the_outermost_process_is_killed() {
    if !available("pids") {
        return;
    }
    let place = Place::new();
    let mut request = place.request("for i in 1 2 3 4 5; do sleep 1000 & done; echo ready; wait");
    request.limits = ResourceLimits { pids: Some(20), ..ResourceLimits::default() };
    let mut running = start(&request).unwrap();
    running.expect("ready");
    let cgroup = cgroup_of(running.started.init_pid.unwrap(), "pids");
    assert!(cgroup.exists());
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    drop(running);
    assert!(!cgroup.exists(), "{} is left behind", cgroup.display());
}

#[test]
fn a_memory_hog_is_killed_and_reported() {
    if !available("memory") {
        return;
    }
    let place = Place::new();
    let script = "exec /usr/bin/python3 -c 'b = bytearray(512 << 20); print(len(b))'";
    let mut request = place.request(script);
    request.limits = ResourceLimits { memory_bytes: Some(96 << 20), ..ResourceLimits::default() };
    let outcome = finish(&request);
    assert_eq!(outcome.exit, Some(ProgramExit::Signal(9)), "{}", outcome.output);
    request.limits.memory_bytes = Some(2 << 30);
    assert_eq!(finish(&request).exit, Some(ProgramExit::Code(0)));
}

#[test]
fn a_limit_that_cannot_be_set_is_a_refusal() {
    if !Service::User.enter() || Cgroups::probe().missing().is_empty() {
        println!("NOT TESTED: every cgroup may be written here");
        return;
    }
    let place = Place::new();
    let mut request = place.request("echo ran");
    request.limits = ResourceLimits { cpu_percent: Some(50), ..ResourceLimits::default() };
    let error = start(&request).map(drop).unwrap_err();
    assert!(error.to_string().contains("limits.cpuPercent"), "{error}");
    assert_eq!(error.code(), "sandbox_unavailable");
}

fn cgroup_of(pid: i32, controller: &str) -> std::path::PathBuf {
    let text = std::fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap();
    let line = |wanted: &str| {
        text.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let list = fields.next()?;
            let path = fields.next()?.trim_start_matches('/').to_owned();
            list.split(',').any(|word| word == wanted).then_some(path)
        })
    };
    match line(controller) {
        Some(path) => Path::new("/sys/fs/cgroup").join(controller).join(path),
        None => Path::new("/sys/fs/cgroup").join(line("").unwrap()),
    }
}
