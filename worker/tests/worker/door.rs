//! The daemon's side against something that is no worker.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixListener;
use worker::protocol::{Phase, Push, Request};
use worker::{LinkError, attach};

use crate::support::{LONG, SESSION, shows, start, start_with};

/// One length-prefixed message of `{"Hello": {..}}`.
fn hello(session_id: &str, version: u32) -> Vec<u8> {
    let hello = worker::protocol::ToDaemon::Hello(worker::protocol::WorkerHello {
        version,
        session_id: session_id.to_owned(),
        worker_pid: 1,
        worker_start_ticks: 1,
        phase: Phase::Running { child_pid: 2 },
    });
    let body = rmp_serde::to_vec_named(&hello).unwrap();
    let mut message = u32::try_from(body.len()).unwrap().to_be_bytes().to_vec();
    message.extend(body);
    message
}

/// What attaching to a socket gives that answers with these bytes and goes on listening.
async fn attach_to(answer: Vec<u8>, deadline: Duration) -> Result<worker::Link, LinkError> {
    let dir = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(dir.path().join(format!("{SESSION}.sock"))).unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(&answer).await.unwrap();
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard).await;
    });
    attach(dir.path(), SESSION, deadline).await.map(|(link, _)| link)
}

#[tokio::test]
async fn only_a_worker_of_that_session_and_protocol_is_accepted() {
    assert!(attach_to(hello(SESSION, 1), LONG).await.is_ok());
    let other = attach_to(hello("ts_other", 1), LONG).await;
    assert!(matches!(other, Err(LinkError::WrongSession { ref theirs }) if theirs == "ts_other"));
    let newer = attach_to(hello(SESSION, 2), LONG).await;
    assert!(matches!(newer, Err(LinkError::Version { theirs: 2 })), "{newer:?}");
    assert!(newer.unwrap_err().hint().is_some());
    let junk = attach_to(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec(), LONG).await;
    assert!(matches!(junk, Err(LinkError::Protocol(_))), "{junk:?}");
    let silent = attach_to(Vec::new(), Duration::from_millis(50)).await;
    assert!(matches!(silent, Err(LinkError::Timeout)), "{silent:?}");
    let dir = tempfile::tempdir().unwrap();
    let nobody = attach(dir.path(), SESSION, LONG).await;
    assert!(matches!(nobody, Err(LinkError::Connect(_))));
}

#[tokio::test]
async fn junk_after_the_hello_ends_the_link_for_everyone() {
    let mut answer = hello(SESSION, 1);
    answer.extend([0, 0, 0, 1, 0xc1]);
    let mut link = attach_to(answer, LONG).await.unwrap();
    let request = Request::Observe { history_from: None, history_max: 0, with_tree: false };
    let reply = link.requests.request(request, LONG).await;
    assert!(matches!(reply, Err(LinkError::Closed)), "{reply:?}");
    assert!(link.pushes.recv().await.is_none() && link.requests.is_closed());
}

#[tokio::test]
async fn a_request_ends_at_its_deadline_whatever_the_worker_does() {
    let link = attach_to(hello(SESSION, 1), LONG).await.unwrap();
    let request = Request::Observe { history_from: None, history_max: 0, with_tree: false };
    let reply = link.requests.request(request, Duration::from_millis(50)).await;
    assert!(matches!(reply, Err(LinkError::Timeout)), "{reply:?}");
    assert!(!link.requests.is_closed());
}

#[tokio::test]
async fn a_socket_path_may_be_longer_than_an_address() {
    let dir = tempfile::tempdir().unwrap();
    let deep = dir.path().join("a-long-name-of-a-folder".repeat(8));
    std::fs::create_dir(&deep).unwrap();
    let socket_dir = deep.clone();
    let started = start_with("/bin/cat", &[], |spec| spec.socket_dir = socket_dir).await.unwrap();
    started.observe().await;
    let socket = deep.join(format!("{SESSION}.sock"));
    assert!(socket.as_os_str().len() > 108);
    let mode = std::os::unix::fs::PermissionsExt::mode(&socket.metadata().unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn a_session_has_one_worker() {
    let first = start("/bin/cat", &[]).await;
    let dir = first.dir.path().to_owned();
    let second = start_with("/bin/cat", &[], |spec| spec.socket_dir = dir.clone()).await;
    let Err(LinkError::Failed { message }) = second else { panic!("a second worker") };
    assert!(message.contains("has a worker already"), "{message}");
    first.observe().await;

    // What a dead one left behind is no obstacle.
    let worker = nix::unistd::Pid::from_raw(first.link.worker_pid);
    nix::sys::signal::kill(worker, nix::sys::signal::SIGKILL).unwrap();
    crate::support::gone(|| crate::support::lives(worker.as_raw())).await;
    assert!(dir.join(format!("{SESSION}.sock")).exists());
    assert!(start_with("/bin/cat", &[], |spec| spec.socket_dir = dir).await.is_ok());
}

#[tokio::test]
async fn an_update_that_is_never_closed_is_shown_all_the_same() {
    let script = "printf '\\033[?2026hhalf a picture'; exec cat";
    let mut program = start("/bin/sh", &["-c", script]).await;
    program.settled(|seen, _| shows(seen, "half a picture")).await;
}

#[tokio::test]
async fn a_slow_subscriber_is_told_what_it_lost() {
    let script = "read go; head -c 8000000 /dev/zero | tr '\\0' x; printf end; read stop";
    let mut program = start("/bin/sh", &["-c", script]).await;
    program.until(|seen| seen.facts.blocked_reader == Some(true)).await;
    program.ask(Request::SubscribeOutput { history_lines: 0 }).await;
    let before = program.observe().await.clock.output_bytes;
    program.write("go\n").await;
    // Nobody takes what is pushed, and everything else goes on.
    let after = program.until(|seen| shows(seen, "end")).await.clock.output_bytes;
    let (mut got, mut lost, mut last) = (0, 0, Vec::new());
    while !last.ends_with(b"end") {
        let (bytes, dropped) = program
            .push(|push| match push {
                Push::Output { bytes, dropped } => Some((bytes, dropped)),
                _ => None,
            })
            .await;
        got += bytes.len() as u64;
        lost += dropped;
        last = bytes;
    }
    assert_eq!(got + lost, after - before);
    assert!(lost > 0 && got < 5_000_000, "{got} {lost}");
}
