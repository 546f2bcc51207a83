use worker::protocol::{Phase, WireExit};

use crate::support::{shows, start};

const TAKES_PYTHON: &str = "/usr/bin/python3";

#[tokio::test]
async fn a_line_reader_is_blocked_on_the_terminal() {
    let program = start("/bin/cat", &[]).await;
    let seen = program.until(|seen| seen.facts.blocked_reader == Some(true)).await;
    assert_eq!((seen.facts.canonical, seen.facts.echo), (Some(true), Some(true)));
    assert_eq!(seen.facts.foreground_command.as_deref(), Some("cat"));
}

#[tokio::test]
async fn a_sleeper_is_not() {
    let mut program = start("/bin/sh", &["-c", "echo begun; sleep 1000; true"]).await;
    let seen = program.settled(|seen, _| shows(seen, "begun")).await;
    assert_eq!(seen.facts.blocked_reader, Some(false));
}

#[tokio::test]
async fn what_nobody_reads_is_told() {
    let mut program = start("/bin/sh", &["-c", "echo begun; sleep 1000; true"]).await;
    let seen = program.settled(|seen, _| shows(seen, "begun")).await;
    assert_eq!(seen.facts.unread_input, Some(false));
    assert_eq!(program.write("a line\n").await, (7, true), "the kernel has it");
    program.until(|seen| seen.facts.unread_input == Some(true)).await;

    let program = start("/bin/cat", &[]).await;
    program.write("a line\n").await;
    let seen = program.until(|seen| shows(seen, "a line\na line")).await;
    assert_eq!(seen.facts.unread_input, Some(false));
}

#[tokio::test]
async fn a_command_of_a_shell_takes_the_foreground_and_gives_it_back() {
    let mut shell = start("/bin/bash", &["--norc"]).await;
    shell.settled(|seen, _| shows(seen, "prompt>")).await;
    shell.write("sleep 1000\r").await;
    let seen = shell.until(|seen| seen.facts.foreground_command.as_deref() == Some("sleep")).await;
    assert_eq!(seen.facts.blocked_reader, Some(false));
    shell.write("\u{3}").await;
    let seen = shell.until(|seen| seen.facts.foreground_command.as_deref() == Some("bash")).await;
    assert!(seen.facts.foreground_pid.is_some());
    shell.until(|seen| seen.facts.blocked_reader == Some(true)).await;
}

#[tokio::test]
async fn waiting_with_a_timeout_or_for_somebody_else_is_not_reading() {
    let wait = |how: &str| {
        format!(
            "import select, os, socket, sys\nr, w = os.pipe()\na, b = socket.socketpair()\n\
             print('ready', flush=True)\n{how}"
        )
    };
    for (how, wanted) in [
        ("select.select([0], [], [])", true),
        ("select.select([0], [], [], 1000)", false),
        ("select.select([0, r], [], [])", true),
        ("p = select.poll(); p.register(0, 1); p.poll()", true),
        ("p = select.poll(); p.register(0, 1); p.poll(900000)", false),
        ("p = select.epoll(); p.register(0, 1); p.register(a, 1); p.poll()", true),
        ("os.close(w) if os.fork() else os.read(r, 1); select.select([0, r], [], [])", false),
        ("select.select([a], [], [])", false),
    ] {
        let mut program = start(TAKES_PYTHON, &["-c", &wait(how)]).await;
        if let Phase::SpawnFailed { message, .. } = &program.phase {
            panic!("these tests need {TAKES_PYTHON}: {message}");
        }
        let seen = program.settled(|seen, _| shows(seen, "ready")).await;
        assert_eq!(seen.facts.blocked_reader, Some(wanted), "{how}");
    }
}

#[tokio::test]
async fn work_without_output_shows_in_the_tree() {
    let mut shell = start("/bin/sh", &["-c", "echo begun; (while :; do :; done) & wait"]).await;
    shell.settled(|seen, _| shows(seen, "begun")).await;
    let seen = shell.until(|seen| seen.facts.tree_cpu_ms.is_some_and(|ms| ms > 0)).await;
    assert_eq!(seen.facts.busy_child, Some(true));
    assert_eq!(seen.facts.blocked_reader, Some(false));
}

#[tokio::test]
async fn an_idle_tree_is_idle() {
    let mut shell = start("/bin/sh", &["-c", "echo begun; sleep 1000 & wait"]).await;
    shell.settled(|seen, _| shows(seen, "begun")).await;
    // The look before this one is the base line.
    let seen = shell.observe().await;
    assert_eq!(seen.facts.tree_cpu_ms, Some(0));
    assert_eq!(seen.facts.tree_io_bytes, Some(0));
    assert_eq!(seen.facts.busy_child, Some(false));
}

#[tokio::test]
async fn the_programs_own_words_are_kept() {
    let script = concat!(
        "printf '\\033]133;A\\007$ \\033]133;B\\007",
        "\\033]7501;state=blocked:kind=permission\\033\\\\",
        "\\033[?2004h\\033]9;4;1;50\\007'; exec cat",
    );
    let mut program = start("/bin/sh", &["-c", script]).await;
    let seen = program.settled(|seen, _| shows(seen, "$")).await;
    let facts = seen.facts;
    assert_eq!(facts.shell_mark, Some(worker::protocol::WireShellMark::InputStart));
    assert_eq!(facts.bracketed_paste, Some(true));
    assert_eq!(facts.program_state, Some(worker::protocol::WireProgramState::Blocked));
    assert_eq!(facts.program_kind.as_deref(), Some("permission"));
    assert!(facts.progress_age_ms.is_some());
    assert_eq!(facts.exit, None::<WireExit>);
}
