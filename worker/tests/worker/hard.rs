//! Programs that do not behave.

use std::time::Duration;

use worker::LinkError;
use worker::protocol::{Phase, Push, RefusalKind, Reply, Request, WireExit};

use crate::support::{LONG, gone, lives, shows, start, start_with, text};

#[tokio::test]
async fn a_program_that_never_reads_takes_what_fits_and_no_more() {
    let mut program =
        start("/bin/sh", &["-c", "stty raw -echo; echo ready; exec sleep 1000"]).await;
    program.settled(|seen, _| shows(seen, "ready")).await;
    let request = Request::Write { bytes: vec![b'x'; 256 * 1024], deadline_ms: 300 };
    let reply = program.ask(request).await;
    let Reply::Written { bytes_written, complete } = reply else { panic!("{reply:?}") };
    assert!(!complete && bytes_written < 256 * 1024, "{bytes_written}");
    // Others are not held up, and what comes later is not taken either.
    program.observe().await;
    let request = Request::Write { bytes: b"y".to_vec(), deadline_ms: 50 };
    let reply = program.ask(request).await;
    assert!(matches!(reply, Reply::Written { bytes_written: 0, complete: false }), "{reply:?}");
}

#[tokio::test]
async fn a_large_text_arrives_whole_and_in_order() {
    let script = "stty raw -echo; echo ready; head -c 262144 | sha256sum; exec cat >/dev/null";
    let mut program = start("/bin/sh", &["-c", script]).await;
    program.settled(|seen, _| shows(seen, "ready")).await;
    let letters: String = ('a'..='z').cycle().take(131_072).collect();
    let digits: String = ('0'..='9').cycle().take(131_072).collect();
    let requests = program.link.requests.clone();
    let write = |text: String| {
        let requests = requests.clone();
        let request = Request::Write { bytes: text.into_bytes(), deadline_ms: 20_000 };
        async move { requests.request(request, LONG).await.unwrap() }
    };
    let (first, second) = tokio::join!(write(letters), write(digits));
    for reply in [first, second] {
        assert!(
            matches!(reply, Reply::Written { bytes_written: 131_072, complete: true }),
            "{reply:?}"
        );
    }
    // sha256sum of the two cycles, one after the other.
    let sum = "76e084f7a5b2d4871d9c5a4ce0751cf37df01f48662b777d29b46484c3e25c09";
    program.settled(|seen, _| shows(seen, sum)).await;
}

#[tokio::test]
async fn a_flood_keeps_nobody_waiting_and_is_all_counted() {
    let mut program =
        start("/bin/sh", &["-c", "head -c 100000000 /dev/zero | tr '\\0' x; echo; echo the end"])
            .await;
    let mut looks = 0;
    let (exit, last) = loop {
        tokio::select! {
            push = program.link.pushes.recv() => {
                if let Push::Exited { exit, observation } = push.unwrap() {
                    break (exit, observation);
                }
            }
            reply = program.link.requests.request(
                Request::Observe { history_from: None, history_max: 0, with_tree: false },
                Duration::from_secs(5),
            ) => {
                reply.unwrap();
                looks += 1;
            }
        }
    };
    assert_eq!(exit, WireExit::Code(0));
    assert!(looks > 10, "{looks}");
    assert_eq!(last.clock.output_bytes, 100_000_000 + 2 + "the end\r\n".len() as u64);
    assert!(text(&last.frame.to_frame()).ends_with("the end"));
    let tail = last.exit_tail.unwrap();
    assert!(tail.len() <= 8 * 1024 && tail.ends_with("the end"));
}

#[tokio::test]
async fn a_kill_reaches_what_stepped_out_of_the_session() {
    let script = "setsid sh -c 'echo pid=$$; trap \"\" TERM HUP; while :; do sleep 1; done' & \
                  trap '' TERM; while :; do sleep 1; done";
    let mut program = start("/bin/sh", &["-c", script]).await;
    let Phase::Running { child_pid } = program.phase else { panic!("{:?}", program.phase) };
    let seen = program.settled(|seen, _| shows(seen, "pid=")).await;
    let screen = text(&seen.frame.to_frame());
    let stray: i32 = screen.trim().strip_prefix("pid=").unwrap().parse().unwrap();

    let term = Request::Signal { signal: 15, whole_tree: false };
    let reply = program.ask(term).await;
    assert!(matches!(reply, Reply::Signalled { alive: true, exit: None }), "{reply:?}");
    let reply = program.ask(Request::Signal { signal: 9, whole_tree: true }).await;
    let killed = Some(WireExit::Signal(9));
    assert!(
        matches!(&reply, Reply::Signalled { alive: false, exit } if *exit == killed),
        "{reply:?}"
    );
    assert!(!lives(child_pid) && !lives(stray));
    // Killing the dead is no error.
    let reply = program.ask(Request::Signal { signal: 15, whole_tree: false }).await;
    assert!(matches!(&reply, Reply::Signalled { alive: false, exit } if *exit == killed));
    let refused = program.link.requests.request(Request::Resize { cols: 10, rows: 10 }, LONG).await;
    assert!(
        matches!(&refused, Err(LinkError::Refused(why)) if why.kind == RefusalKind::NotRunning)
    );
}

#[tokio::test]
async fn a_child_left_in_the_background_ends_with_the_program() {
    let mut program = start("/bin/bash", &["-c", "sleep 1000 & echo pid=$!; exit 4"]).await;
    let (exit, last) = program.exited().await;
    assert_eq!(exit, WireExit::Code(4));
    let stray: i32 = last.exit_tail.unwrap().trim().strip_prefix("pid=").unwrap().parse().unwrap();
    gone(|| lives(stray)).await;
}

#[tokio::test]
async fn a_killed_worker_closes_the_link_and_takes_its_program_along() {
    let mut program = start("/bin/sleep", &["1000"]).await;
    let Phase::Running { child_pid } = program.phase else { panic!("{:?}", program.phase) };
    let worker = nix::unistd::Pid::from_raw(program.link.worker_pid);
    nix::sys::signal::kill(worker, nix::sys::signal::SIGKILL).unwrap();
    let end = async { while program.link.pushes.recv().await.is_some() {} };
    tokio::time::timeout(LONG, end).await.unwrap();
    let request = Request::Observe { history_from: None, history_max: 0, with_tree: false };
    let answer = program.link.requests.request(request, LONG).await;
    assert!(matches!(answer, Err(LinkError::Closed)), "{answer:?}");
    gone(|| lives(child_pid)).await;
}

#[tokio::test]
async fn the_newest_daemon_is_the_one_that_is_heard() {
    let mut first = start("/bin/cat", &[]).await;
    let (second, _) = worker::attach(first.dir.path(), &first.session_id, LONG).await.unwrap();
    let end = async { while first.link.pushes.recv().await.is_some() {} };
    tokio::time::timeout(LONG, end).await.unwrap();
    let request = Request::Observe { history_from: None, history_max: 0, with_tree: false };
    assert!(matches!(
        first.link.requests.request(request.clone(), LONG).await,
        Err(LinkError::Closed)
    ));
    assert!(second.requests.request(request, LONG).await.is_ok());
}

#[tokio::test]
async fn nonsense_on_the_socket_costs_only_that_connection() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let program = start("/bin/cat", &[]).await;
    let socket = program.dir.path().join(format!("{}.sock", program.session_id));
    for nonsense in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0, 0, 0, 1, 0xc1], &[255; 64]] {
        let mut stream = tokio::net::UnixStream::connect(&socket).await.unwrap();
        stream.write_all(nonsense).await.unwrap();
        let mut answer = Vec::new();
        let end = tokio::time::timeout(LONG, stream.read_to_end(&mut answer)).await;
        // A reset is an end too.
        let _ = end.unwrap();
        assert!(answer.is_empty());
    }
    program.observe().await;
}

#[tokio::test]
async fn output_follows_a_snapshot_without_gap_or_overlap() {
    let mut program = start("/bin/cat", &[]).await;
    program.write("before\n").await;
    program.until(|seen| shows(seen, "before\nbefore")).await;
    let reply = program.ask(Request::SubscribeOutput { history_lines: 10 }).await;
    let Reply::Subscribed { snapshot, cols: 80, rows: 24 } = reply else { panic!("{reply:?}") };
    program.write("after\n").await;
    let mut copy = term::Terminal::new(term::Options {
        size: term::Size { cols: 80, rows: 24 },
        scrollback_lines: 0,
    });
    copy.advance(&snapshot);
    let wanted = "before\nbefore\nafter\nafter";
    while text(&copy.frame()) != wanted {
        let (bytes, dropped) = program
            .push(|push| match push {
                Push::Output { bytes, dropped } => Some((bytes, dropped)),
                _ => None,
            })
            .await;
        assert_eq!(dropped, 0);
        copy.advance(&bytes);
    }
}

#[tokio::test]
async fn queries_are_answered_at_once() {
    let script = "stty raw -echo; printf '\\033[c\\033[6n'; head -c 3 >/dev/null; \
                  printf answered; exec sleep 1000";
    let mut program = start("/bin/sh", &["-c", script]).await;
    program.settled(|seen, _| shows(seen, "answered")).await;
}

#[tokio::test]
async fn nothing_of_the_daemon_is_inherited() {
    let leak = std::fs::File::open("/dev/zero").unwrap();
    nix::fcntl::fcntl(&leak, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::empty())).unwrap();
    let script = "ls -l /proc/self/fd /proc/$PPID/fd; tr '\\0' '\\n' </proc/$PPID/environ; env";
    let mut program = start_with("/bin/sh", &["-c", script], |spec| spec.rows = 60).await.unwrap();
    let (_, last) = program.exited().await;
    let screen = text(&last.frame.to_frame());
    assert!(screen.contains("/dev/pts/"), "{screen}");
    assert!(!screen.contains("/dev/zero"), "{screen}");
    assert!(!screen.contains("CARGO"), "{screen}");
    drop(leak);
}

#[tokio::test]
async fn a_resize_reaches_program_and_picture() {
    let script = "trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done";
    let mut program = start("/bin/bash", &["-c", script]).await;
    program.settled(|seen, _| shows(seen, "ready")).await;
    let reply = program.ask(Request::Resize { cols: 132, rows: 43 }).await;
    assert!(matches!(reply, Reply::Resized { cols: 132, rows: 43 }), "{reply:?}");
    let seen = program.settled(|seen, _| shows(seen, "43 132")).await;
    assert_eq!((seen.frame.cols, seen.frame.rows.len()), (132, 43));
    let refused = program.link.requests.request(Request::Resize { cols: 0, rows: 9 }, LONG).await;
    assert!(matches!(refused, Err(LinkError::Refused(_))));
}

#[tokio::test]
async fn nothing_is_left_in_the_daemon_when_sessions_are_over() {
    let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let children = || {
        let own = std::process::id();
        let path = format!("/proc/{own}/task/{own}/children");
        std::fs::read_to_string(path).unwrap().split_whitespace().count()
    };
    // The first one makes the runtime open what it keeps.
    let first = start("/bin/cat", &[]).await;
    first.ask(Request::Shutdown).await;
    drop(first);
    gone(|| children() > 0).await;
    let before = open();
    for round in 0..20 {
        let mut program = start("/bin/sh", &["-c", &format!("echo {round}; exit {round}")]).await;
        assert!(!matches!(program.phase, Phase::SpawnFailed { .. }), "{:?}", program.phase);
        let (exit, last) = program.exited().await;
        assert_eq!(exit, WireExit::Code(round));
        assert_eq!(last.exit_tail, Some(round.to_string()));
        program.ask(Request::Shutdown).await;
    }
    gone(|| children() > 0 || open() > before).await;
}

#[tokio::test]
async fn the_program_gets_an_ordinary_umask() {
    let mut program = start("/bin/sh", &["-c", "umask"]).await;
    assert_eq!(program.exited().await.1.exit_tail.as_deref(), Some("0022"));
}
