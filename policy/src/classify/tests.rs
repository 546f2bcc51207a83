use std::sync::Arc;

use profiles::Profiles;
use proptest::prelude::*;
use term::{Options, Size, Terminal};

use super::*;
use crate::observation::{Exit, ProgramReport, TreeActivity, TtyMode};

const LINE_MODE: TtyMode = TtyMode { canonical: true, echo: true, signals: true };
const RAW: TtyMode = TtyMode { canonical: false, echo: false, signals: false };

fn observe(text: &str, facts: Facts) -> Observation {
    let size = Size { cols: 80, rows: 24 };
    let mut terminal = Terminal::new(Options { size, scrollback_lines: 0 });
    terminal.advance(text.replace('\n', "\r\n").as_bytes());
    Observation { frame: terminal.frame(), facts }
}

fn settled() -> Facts {
    Facts { settled: true, unchanged_for: Duration::from_secs(1), ..Facts::default() }
}

fn history(quiet_secs: u64) -> History {
    History { no_change_for: Duration::from_secs(quiet_secs), stuck_after: Duration::from_secs(30) }
}

fn verdict(text: &str, facts: Facts, quiet_secs: u64) -> (State, Reason, Option<Kind>) {
    let found = classify(&observe(text, facts), &history(quiet_secs), None);
    assert!(!found.evidence.is_empty());
    (found.state, found.reason, found.kind)
}

fn report(state: ProgramState, kind: Option<&str>) -> Option<ProgramReport> {
    Some(ProgramReport { state, kind: kind.map(str::to_owned), age: Duration::from_secs(1) })
}

const SPINNER: &str = "⠙ Thinking…\n────────────────\n❯ \n────────────────\x1b[3;3H";
const ENDED: &str = "done\n────────────────\n❯ \n────────────────\n  footer\x1b[3;3H";
const DIALOG: &str =
    "Do you want to proceed?\n❯ 1. Yes\n  2. No\n\nEsc to cancel\x1b[?25l\x1b[2;1H";

#[test]
fn exit_and_output_come_before_the_screen() {
    let gone = Facts { exit: Some(Exit::Code(7)), ..settled() };
    assert_eq!(verdict(DIALOG, gone, 0), (State::Exited, Reason::PtyExit, None));
    let busy = Facts { settled: false, ..settled() };
    assert_eq!(verdict("$ ", busy, 0), (State::Working, Reason::UnsettledOutput, None));
}

#[test]
fn a_reader_without_echo_is_a_password_whatever_is_written() {
    let hidden = TtyMode { echo: false, ..LINE_MODE };
    let facts = Facts { tty: Some(hidden), blocked_reader: Some(true), ..settled() };
    let expected = (State::AwaitingInput, Reason::PasswordPrompt, Some(Kind::Password));
    assert_eq!(verdict("Say it: ", facts.clone(), 0), expected);
    let nobody = Facts { blocked_reader: Some(false), ..facts };
    assert_eq!(verdict("Working", nobody, 0).0, State::Working);
}

#[test]
fn the_word_of_the_program_beats_the_screen_until_it_is_stale() {
    let works = Facts { program: report(ProgramState::Working, None), ..settled() };
    let expected = (State::Working, Reason::ProgramStatus, None);
    assert_eq!(verdict(DIALOG, works.clone(), 29), expected);
    assert_eq!(verdict(DIALOG, works, 31).0, State::AwaitingInput);
    let asks = Facts { program: report(ProgramState::Blocked, Some("permission")), ..settled() };
    let expected = (State::AwaitingInput, Reason::ProgramStatus, Some(Kind::Permission));
    assert_eq!(verdict("text\n\n", asks, 0), expected);
}

#[test]
fn a_spinner_works_and_left_over_it_is_stuck_or_busy() {
    let expected = (State::Working, Reason::WorkingLine, None);
    assert_eq!(verdict(SPINNER, settled(), 5), expected);
    assert_eq!(verdict(SPINNER, settled(), 31), (State::Stuck, Reason::NoProgress, None));
    let cpu = TreeActivity { cpu: Duration::from_secs(1), ..TreeActivity::default() };
    let busy = Facts { activity: Some(cpu), ..settled() };
    assert_eq!(verdict(SPINNER, busy, 31), (State::Working, Reason::BusyQuiet, None));
    assert_eq!(verdict(ENDED, settled(), 5).2, Some(Kind::Composer));
}

#[test]
fn prompts_by_marks_readers_and_the_parked_cursor() {
    let marked = Facts { shell_mark: Some(ShellMark::InputStart), ..settled() };
    let prompt = Some(Kind::Prompt);
    assert_eq!(verdict("$ ", marked, 0), (State::AwaitingInput, Reason::ShellPrompt, prompt));
    let reads = Facts { blocked_reader: Some(true), tty: Some(LINE_MODE), ..settled() };
    let expected = (State::AwaitingInput, Reason::TtyRead, prompt);
    assert_eq!(verdict("Name: ", reads, 0), expected);
    let raw = Facts { tty: Some(RAW), ..settled() };
    let expected = (State::AwaitingInput, Reason::SettledCursorParked, prompt);
    assert_eq!(verdict("> ", raw, 0), expected);
}

#[test]
fn in_line_mode_nobody_waits_who_does_not_read() {
    let nobody = Facts { blocked_reader: Some(false), tty: Some(LINE_MODE), ..settled() };
    for text in ["Downloading", "Continue? [y/N] ", "$ ", "1) a\n2) b\n#? "] {
        assert_eq!(verdict(text, nobody.clone(), 0).0, State::Working, "{text}");
        assert_eq!(verdict(text, nobody.clone(), 31).0, State::Stuck, "{text}");
    }
}

#[test]
fn a_running_command_is_work_and_then_stuck() {
    let runs = Facts { shell_mark: Some(ShellMark::OutputStart), ..settled() };
    let expected = (State::Working, Reason::CommandRunning, None);
    assert_eq!(verdict("$ sleep 100\n", runs.clone(), 0), expected);
    assert_eq!(verdict("$ sleep 100\n", runs, 31).0, State::Stuck);
    let progress = Facts { progress_age: Some(Duration::from_secs(1)), ..settled() };
    assert_eq!(verdict("a\n\n", progress, 0).1, Reason::ProgressOsc);
}

#[test]
fn quoted_dialogs_and_lists_are_no_dialogs() {
    for text in [
        "Do you want to proceed?\n> 1. Yes\n  2. No\nEsc to cancel\n$ ",
        "Plan:\n1. first\n2. second\n\n$ ",
        "┌────────┐\n│ table  │\n└────────┘\n$ ",
        "it asks (y/n) then\n$ ",
    ] {
        let (state, _, kind) = verdict(text, settled(), 0);
        assert_eq!((state, kind), (State::AwaitingInput, Some(Kind::Prompt)), "{text}");
    }
    let dialog = verdict(DIALOG, settled(), 0);
    assert_eq!(dialog, (State::AwaitingInput, Reason::DialogDetected, Some(Kind::Permission)));
}

fn any_facts() -> impl Strategy<Value = Facts> {
    let tty =
        prop::option::of((any::<bool>(), any::<bool>()).prop_map(|(canonical, echo)| TtyMode {
            canonical,
            echo,
            signals: canonical,
        }));
    let mark = prop::option::of(prop_oneof![
        Just(ShellMark::PromptStart),
        Just(ShellMark::OutputStart),
        Just(ShellMark::Done { exit: None }),
    ]);
    let reader = prop::option::of(any::<bool>());
    let paste = prop::option::of(any::<bool>());
    (tty, mark, reader, paste, any::<bool>()).prop_map(|(tty, mark, reader, paste, settled)| {
        Facts {
            settled,
            tty,
            shell_mark: mark,
            blocked_reader: reader,
            bracketed_paste: paste,
            ..Facts::default()
        }
    })
}

proptest! {
    /// Total: any screen, any facts, with and without each profile; the same twice; a kind
    /// exactly when input is awaited.
    #[test]
    fn every_observation_has_one_verdict(
        bytes in prop::collection::vec(any::<u8>(), 0..1_200),
        facts in any_facts(),
        quiet in 0_u64..60,
        cols in 1_u16..100,
        rows in 1_u16..30,
    ) {
        let mut terminal =
            Terminal::new(Options { size: Size { cols, rows }, scrollback_lines: 0 });
        terminal.advance(&bytes);
        let observation = Observation { frame: Arc::clone(&terminal.frame()), facts };
        let profiles = Profiles::builtin().expect("built-in profiles");
        let ids: Vec<&str> = profiles.ids().collect();
        let each = ids.iter().map(|id| profiles.get(id));
        for profile in std::iter::once(None).chain(each) {
            let found = classify(&observation, &history(quiet), profile);
            prop_assert_eq!(found.kind.is_some(), found.state == State::AwaitingInput);
            prop_assert_eq!(&found, &classify(&observation, &history(quiet), profile));
            if !observation.facts.settled {
                prop_assert_eq!(found.state, State::Working);
            }
        }
    }
}
