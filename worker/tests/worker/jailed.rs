//! The same from outside of a real jail: its own PID namespace, another uid.

use worker::protocol::{Phase, Reply, Request, WireExit};

use crate::support::{Confined::Jailed, gone, lives, shows, start_in, text};

#[tokio::test]
async fn a_shell_in_a_jail_is_seen_through() {
    let mut shell = start_in(Jailed, "/bin/bash", &["--norc"]).await;
    let Phase::Running { child_pid } = shell.phase else { panic!("{:?}", shell.phase) };
    let seen = shell.settled(|seen, _| shows(seen, "prompt>")).await;
    assert_eq!(seen.facts.blocked_reader, Some(true), "{:?}", seen.facts);
    assert_eq!(seen.facts.foreground_command.as_deref(), Some("bash"));
    assert_eq!(seen.facts.foreground_pid, Some(child_pid), "in our numbers, not the jail's");

    shell.write("sleep 1000\r").await;
    let seen = shell.until(|seen| seen.facts.foreground_command.as_deref() == Some("sleep")).await;
    assert_eq!(seen.facts.blocked_reader, Some(false));
    shell.write("\u{3}").await;
    shell.until(|seen| seen.facts.blocked_reader == Some(true)).await;
    shell.write("exit 7\r").await;
    assert_eq!(shell.exited().await.0, WireExit::Code(7));
}

#[tokio::test]
async fn a_line_program_that_made_no_group_is_the_foreground() {
    let program = start_in(Jailed, "/bin/cat", &[]).await;
    let Phase::Running { child_pid } = program.phase else { panic!("{:?}", program.phase) };
    let seen = program.until(|seen| seen.facts.blocked_reader == Some(true)).await;
    assert_eq!(seen.facts.foreground_command.as_deref(), Some("cat"));
    assert_eq!(seen.facts.foreground_pid, Some(child_pid));
    // The signal is for the program, not for the jail around it.
    program.ask(Request::Signal { signal: 15, whole_tree: false }).await;
    let mut program = program;
    assert_eq!(program.exited().await.0, WireExit::Signal(15));
}

#[tokio::test]
async fn work_in_a_jail_shows_in_the_tree() {
    let script = "echo begun; (while :; do :; done) & wait";
    let mut shell = start_in(Jailed, "/bin/sh", &["-c", script]).await;
    shell.settled(|seen, _| shows(seen, "begun")).await;
    let seen = shell.until(|seen| seen.facts.tree_cpu_ms.is_some_and(|ms| ms > 0)).await;
    assert_eq!(seen.facts.busy_child, Some(true));
    assert!(seen.facts.tree_io_bytes.is_some());
}

#[tokio::test]
async fn a_password_prompt_in_a_jail() {
    let script = "read -s -p 'Password: ' x; echo got ${#x}";
    let mut program = start_in(Jailed, "/bin/bash", &["-c", script]).await;
    let seen = program.settled(|seen, _| shows(seen, "Password:")).await;
    assert_eq!((seen.facts.canonical, seen.facts.echo), (Some(true), Some(false)));
    assert_eq!(seen.facts.blocked_reader, Some(true));
    program.write("secret\n").await;
    let (_, last) = program.exited().await;
    assert_eq!(last.exit_tail.as_deref(), Some("Password: got 6"));
}

#[tokio::test]
async fn how_a_jailed_program_ended_is_its_own_word() {
    for (script, wanted) in [
        ("exit 3", WireExit::Code(3)),
        ("exit 139", WireExit::Code(139)),
        ("kill -SEGV $$", WireExit::Signal(11)),
    ] {
        let mut program = start_in(Jailed, "/bin/sh", &["-c", script]).await;
        assert_eq!(program.exited().await.0, wanted, "{script}");
    }
}

#[tokio::test]
async fn a_kill_empties_the_jail() {
    let script = "setsid sh -c 'trap \"\" TERM HUP; echo stray; while :; do sleep 1; done' & \
                  trap '' TERM; while :; do sleep 1; done";
    let mut program = start_in(Jailed, "/bin/sh", &["-c", script]).await;
    let Phase::Running { child_pid } = program.phase else { panic!("{:?}", program.phase) };
    program.settled(|seen, _| shows(seen, "stray")).await;
    let reply = program.ask(Request::Signal { signal: 9, whole_tree: true }).await;
    assert!(
        matches!(reply, Reply::Signalled { alive: false, exit: Some(WireExit::Signal(9)) }),
        "{reply:?}"
    );
    assert!(!lives(child_pid));
}

#[tokio::test]
async fn a_killed_worker_ends_its_jail() {
    let program = start_in(Jailed, "/bin/sh", &["-c", "trap '' HUP; sleep 1000; true"]).await;
    let Phase::Running { child_pid } = program.phase else { panic!("{:?}", program.phase) };
    let worker = nix::unistd::Pid::from_raw(program.link.worker_pid);
    nix::sys::signal::kill(worker, nix::sys::signal::SIGKILL).unwrap();
    gone(|| lives(child_pid)).await;
}

#[tokio::test]
async fn all_output_of_a_jailed_program_that_ends_at_once_is_there() {
    let mut program = start_in(Jailed, "/bin/sh", &["-c", "seq 1 500; exit 3"]).await;
    let (exit, last) = program.exited().await;
    assert_eq!(exit, WireExit::Code(3));
    let wanted: Vec<String> = (1..=500).map(|n| n.to_string()).collect();
    assert_eq!(last.exit_tail.unwrap(), wanted.join("\n"));
    assert!(text(&last.frame.to_frame()).ends_with("500"));
}
