use worker::protocol::{Phase, Push, Reply, Request, WireExit};

use crate::support::{gone, lives, shows, start, start_with, text};

#[tokio::test]
async fn a_shell_prompts_runs_and_ends() {
    let mut shell = start("/bin/bash", &["--norc"]).await;
    assert!(matches!(shell.phase, Phase::Running { .. }), "{:?}", shell.phase);
    let seen = shell.settled(|seen, _| shows(seen, "prompt>")).await;
    assert_eq!(seen.facts.blocked_reader, Some(true), "{:?}", seen.facts);
    assert_eq!(seen.facts.foreground_command.as_deref(), Some("bash"));
    assert_eq!(seen.facts.canonical, Some(false));

    assert_eq!(shell.write("echo $((6 * 7))\r").await, (16, true));
    shell.settled(|seen, _| shows(seen, "\n42\nprompt>")).await;
    shell.write("exit 7\r").await;
    let (exit, last) = shell.exited().await;
    assert_eq!(exit, WireExit::Code(7));
    assert_eq!(last.facts.exit, Some(WireExit::Code(7)));
    assert!(last.exit_tail.as_deref().is_some_and(|tail| tail.contains("42")), "{last:?}");

    assert!(matches!(shell.ask(Request::Shutdown).await, Reply::Done));
    gone(|| shell.dir.path().join("ts_0123456789abcdef.sock").exists()).await;
}

#[tokio::test]
async fn a_signal_is_told_from_a_code() {
    let mut program = start("/bin/sh", &["-c", "kill -SEGV $$"]).await;
    assert_eq!(program.exited().await.0, WireExit::Signal(11));
}

#[tokio::test]
async fn all_output_of_a_program_that_ends_at_once_is_there() {
    let mut program = start("/bin/sh", &["-c", "seq 1 500; exit 3"]).await;
    let (exit, last) = program.exited().await;
    assert_eq!(exit, WireExit::Code(3));
    let tail = last.exit_tail.unwrap();
    let wanted: Vec<String> = (1..=500).map(|n| n.to_string()).collect();
    assert_eq!(tail, wanted.join("\n"));
    assert!(text(&last.frame.to_frame()).ends_with("500"));
}

#[tokio::test]
async fn a_program_that_cannot_be_executed_is_a_failed_spawn() {
    let failed = start_with("/bin/true", &[], |spec| {
        *spec.plan.pointer_mut("/program/sha256").unwrap() = "00".repeat(32).into();
    });
    let failed = failed.await.unwrap();
    let Phase::SpawnFailed { kind, message, hint } = failed.phase else {
        panic!("{:?}", failed.phase)
    };
    assert_eq!(kind, "permission_denied");
    assert!(message.contains("true") && !hint.is_empty(), "{message} {hint}");
}

#[tokio::test]
async fn a_password_prompt_is_told_by_its_mode() {
    let mut program =
        start("/bin/bash", &["-c", "read -s -p 'Password: ' x; echo got ${#x}"]).await;
    let seen = program.settled(|seen, _| shows(seen, "Password:")).await;
    assert_eq!((seen.facts.canonical, seen.facts.echo), (Some(true), Some(false)));
    assert_eq!(seen.facts.blocked_reader, Some(true));
    program.write("secret\n").await;
    let (_, last) = program.exited().await;
    assert_eq!(last.exit_tail.as_deref(), Some("Password: got 6"));
}

#[tokio::test]
async fn the_program_dies_with_its_daemon_unless_durable() {
    let program = start("/bin/sleep", &["1000"]).await;
    let Phase::Running { child_pid } = program.phase else { panic!("{:?}", program.phase) };
    drop(program.link);
    gone(|| lives(child_pid)).await;
    gone(|| program.dir.path().join("ts_0123456789abcdef.sock").exists()).await;
}

#[tokio::test]
async fn a_durable_session_is_found_again() {
    let program = start_with("/bin/bash", &["--norc"], |spec| spec.durable = true).await.unwrap();
    let Phase::Running { child_pid } = program.phase else { panic!("{:?}", program.phase) };
    program.write("echo before\r").await;
    program.until(|seen| shows(seen, "\nbefore")).await;
    drop(program.link);
    let (link, hello) =
        worker::attach(program.dir.path(), &program.session_id, crate::support::LONG)
            .await
            .unwrap();
    assert!(matches!(hello.phase, Phase::Running { child_pid: again } if again == child_pid));
    let mut again = crate::support::Worker {
        link,
        phase: hello.phase,
        dir: program.dir,
        session_id: program.session_id,
    };
    again
        .push(|push| match push {
            Push::Settled(seen) => shows(&seen, "before").then_some(()),
            _ => None,
        })
        .await;
    again.ask(Request::Shutdown).await;
    gone(|| lives(child_pid)).await;
}
