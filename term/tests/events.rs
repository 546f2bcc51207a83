//! What programs tell besides what they draw.

mod common;

use common::{after, rows, terminal};
use term::{ProgramState, ProgramStatus, Progress, ShellMark, TermEvent};

fn events(bytes: &str) -> Vec<TermEvent> {
    let mut terminal = after(40, 3, bytes);
    assert!(rows(&mut terminal).is_empty(), "{bytes:?} drew something");
    terminal.take_events()
}

fn status(state: ProgramState) -> ProgramStatus {
    ProgramStatus { state, kind: None, message: None, app: None, id: None }
}

#[test]
fn titles() {
    let title = |text: &str| vec![TermEvent::Title(text.into())];
    assert_eq!(events("\x1b]0;both\x07"), title("both"));
    assert_eq!(events("\x1b]2;window\x1b\\"), title("window"));
    assert_eq!(events("\x1bkscreen\x1b\\"), title("screen"));
    assert_eq!(events("\x1b]1;icon\x07"), []);
    assert_eq!(events("\x1b]2;a;b\x07"), title("a;b"));
    assert_eq!(events("\x1b]2;naïve 日本\x07"), title("naïve 日本"));
    assert_eq!(events("\x1b]2;same\x07\x1b]2;same\x07"), title("same"));
    assert_eq!(events("\x1b]2;cut\x18"), []);
    let mut terminal = after(40, 3, "\x1b]2;one\x07\x1b[22t\x1b]2;two\x07\x1b[23t");
    assert_eq!(&*terminal.frame().title, "one");
    // A control character in a title would reach whoever prints it.
    assert_eq!(events("\x1b]2;a\nb\u{9b}c\x07"), title("abc"));
}

#[test]
fn bells_and_notifications() {
    assert_eq!(events("\x07\x07"), [TermEvent::Bell, TermEvent::Bell]);
    assert_eq!(events("\x1b]9;build done\x07"), [TermEvent::Notification("build done".into())]);
    assert_eq!(events("\x1b]9;9;/home/me\x07"), [], "a folder is no notification");
}

#[test]
fn progress() {
    let cases: &[(&str, Option<Option<Progress>>)] = &[
        ("4;0", Some(None)),
        ("4;0;50", Some(None)),
        ("4;1;50", Some(Some(Progress::Percent(50)))),
        ("4;1;200", Some(Some(Progress::Percent(100)))),
        ("4;1", Some(Some(Progress::Percent(0)))),
        ("4;2;30", Some(Some(Progress::Error(30)))),
        ("4;3", Some(Some(Progress::Indeterminate))),
        ("4;4;10", Some(Some(Progress::Paused(10)))),
        ("4;9", None),
    ];
    for (body, expected) in cases {
        let expected: Vec<TermEvent> = expected.iter().map(|p| TermEvent::Progress(*p)).collect();
        assert_eq!(events(&format!("\x1b]9;{body}\x07")), expected, "{body}");
    }
}

#[test]
fn shell_marks() {
    let cases: &[(&str, ShellMark)] = &[
        ("A", ShellMark::PromptStart),
        ("A;aid=1", ShellMark::PromptStart),
        ("B", ShellMark::CommandStart),
        ("C", ShellMark::OutputStart),
        ("D", ShellMark::Done { exit: None }),
        ("D;0", ShellMark::Done { exit: Some(0) }),
        ("D;130;aid=1", ShellMark::Done { exit: Some(130) }),
    ];
    for (body, mark) in cases {
        let expected = [TermEvent::ShellMark(*mark)];
        assert_eq!(events(&format!("\x1b]133;{body}\x07")), expected, "{body}");
    }
    assert_eq!(events("\x1b]133;Z\x07"), []);
}

#[test]
fn clipboard_writes_tell_their_size_and_reads_tell_nothing() {
    assert_eq!(events("\x1b]52;c;aGVsbG8=\x07"), [TermEvent::ClipboardWrite { bytes: 5 }]);
    assert_eq!(events("\x1b]52;c;?\x07"), []);
    let mut terminal = after(40, 3, "\x1b]52;c;?\x07");
    assert!(terminal.take_replies().is_empty());
}

#[test]
fn program_status() {
    let read = |body: &str| -> Option<ProgramStatus> {
        match events(&format!("\x1b]7501;{body}\x1b\\")).pop() {
            Some(TermEvent::ProgramStatus(status)) => Some(status),
            Some(other) => panic!("{other:?}"),
            None => None,
        }
    };
    for (name, state) in [
        ("idle", ProgramState::Idle),
        ("working", ProgramState::Working),
        ("blocked", ProgramState::Blocked),
        ("done", ProgramState::Done),
        ("error", ProgramState::Error),
        ("clear", ProgramState::Cleared),
    ] {
        assert_eq!(read(&format!("state={name}")), Some(status(state)), "{name}");
    }
    assert_eq!(
        read("state=blocked:kind=permission:app=codex:id=a/b:msg=UnVuIGl0Pw=="),
        Some(ProgramStatus {
            kind: Some("permission".into()),
            message: Some("Run it?".into()),
            app: Some("codex".into()),
            id: Some("a/b".into()),
            ..status(ProgramState::Blocked)
        })
    );
    // A kind belongs to blocked; unknown keys and broken pairs are skipped; the last one wins.
    assert_eq!(read("state=working:kind=permission"), Some(status(ProgramState::Working)));
    assert_eq!(read("x=1:nonsense:=:state=idle"), Some(status(ProgramState::Idle)));
    assert_eq!(read("state=idle:state=done"), Some(status(ProgramState::Done)));
    // Padding may be missing.
    assert_eq!(
        read("state=idle:msg=UnVuIGl0Pw").and_then(|status| status.message).as_deref(),
        Some("Run it?")
    );
    for refused in [
        "",
        "kind=permission",
        "state=sleeping",
        "state=idle:msg=*",
        "state=idle:msg=A",
        "state=idle:msg=G1s=", // ESC [
        "state=idle:msg=/w==", // not UTF-8
    ] {
        let expected = (refused == "state=idle:msg=*").then(|| status(ProgramState::Idle));
        assert_eq!(read(refused), expected, "{refused:?}");
    }
    assert_eq!(read(&format!("state=idle:x={}", "a".repeat(5_000))), None);
}

#[test]
fn events_are_bounded_and_the_newest_stay() {
    let mut terminal = terminal(40, 3);
    for n in 0..5_000 {
        terminal.advance(format!("\x1b]2;{n}\x07").as_bytes());
    }
    let events = terminal.take_events();
    assert_eq!(events.len(), 1_024);
    assert_eq!(events.last(), Some(&TermEvent::Title("4999".into())));
    assert!(terminal.take_events().is_empty());
}
