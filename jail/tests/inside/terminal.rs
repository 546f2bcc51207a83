//! The PTY is the program's own controlling terminal.

use jail::ProgramExit;

use crate::for_both;
use crate::harness::{Place, Running, start};

for_both!(control_c_reaches_the_foreground_job_and_not_the_jail, |_| {
    let place = Place::new();
    let mut request = place.request("");
    request.program.args = ["--norc", "--noprofile", "-i"].map(str::to_owned).to_vec();
    let mut running = start(&request).unwrap();
    running.send("sleep 1000\n");
    wait_foreground(&running, "sleep");
    running.send("\u{3}");
    running.send("echo status-$?\n");
    running.expect("status-130");
    running.send("echo still-$((40+2)); exit 5\n");
    running.expect("still-42");
    assert_eq!(running.finish().exit, Some(ProgramExit::Code(5)));
});

/// Until the foreground group is led by a program of this name; the test's own time limit
/// bounds it.
fn wait_foreground(running: &Running, name: &str) {
    loop {
        let leader = nix::unistd::tcgetpgrp(&running.master).map_or(0, nix::unistd::Pid::as_raw);
        let comm = std::fs::read_to_string(format!("/proc/{leader}/comm")).unwrap_or_default();
        if comm.trim_end() == name {
            return;
        }
        std::thread::yield_now();
    }
}

for_both!(job_control_works, |_| {
    let place = Place::new();
    let mut request = place.request("");
    request.program.args = ["--norc", "--noprofile", "-i"].map(str::to_owned).to_vec();
    let mut running = start(&request).unwrap();
    running.send("cat\n");
    wait_foreground(&running, "cat");
    running.send("\u{1a}");
    running.expect("Stopped");
    running.send("jobs; echo in-$((1+1)); kill -9 %1; exit; exit\n");
    running.expect("in-2");
    running.finish();
    assert!(!running.output.contains("no job control"));
});

for_both!(a_resize_is_signalled, |_| {
    let place = Place::new();
    let script = "trap 'stty size; exit 0' WINCH; echo armed; while :; do read -r -t 1 x; done";
    let mut running = start(&place.request(script)).unwrap();
    running.expect("armed");
    let size = nix::libc::winsize { ws_row: 33, ws_col: 101, ws_xpixel: 0, ws_ypixel: 0 };
    #[allow(unsafe_code)]
    // SAFETY: the struct lives over the call.
    unsafe {
        use std::os::fd::AsRawFd;
        nix::libc::ioctl(running.master.as_raw_fd(), nix::libc::TIOCSWINSZ, &raw const size);
    }
    running.expect("33 101");
    assert_eq!(running.finish().exit, Some(ProgramExit::Code(0)));
});

for_both!(shells_start_with_a_terminal_of_their_own, |_| {
    let place = Place::new();
    for (shell, args) in [
        ("/usr/bin/zsh", ["-f", "-i"].as_slice()),
        ("/usr/bin/fish", &["--no-config", "-i"]),
        ("/bin/dash", &["-i"]),
    ] {
        let Ok(pinned) = jail::pin_program(std::path::Path::new(shell), None) else {
            println!("NOT TESTED: {shell} is not installed");
            continue;
        };
        let mut request = place.request("");
        (request.program.path, request.program.sha256) = (pinned.path, pinned.sha256);
        request.program.args = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut running = start(&request).unwrap();
        running.send("tty </dev/tty >/dev/null; printf 'has-%s\\n' 42; exit\r");
        running.expect("has-42");
        running.finish();
        for complaint in ["job control", "tcgetpgrp", "TTY for interactive", "can't access tty"] {
            assert!(!running.output.contains(complaint), "{shell}: {}", running.output);
        }
    }
});

for_both!(the_program_leads_its_own_session, |_| {
    let place = Place::new();
    let output = place.run("ps -o pid=,sid=,pgid=,tpgid= -p $$");
    let numbers: Vec<&str> = output.split_whitespace().collect();
    assert_eq!(numbers.get(..3), Some(["2", "2", "2"].as_slice()), "{output}");
});
