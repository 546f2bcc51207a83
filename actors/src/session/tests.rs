//! The session's table, its life under random events, and what is new on a screen.

use std::fmt::Write;

use proptest::prelude::*;
use term::{Options, Size, Terminal};

use super::fresh::{self, Mark};
use super::inputs::echo_lines;
use super::machine::{Activity, Admission, Command, Effect, Event, State};
use super::states::{EVENTS, STATES};

#[test]
fn the_table() {
    let mut text = String::new();
    for state in STATES {
        for (_, event) in EVENTS {
            let (next, effects) = state.step(event);
            writeln!(text, "{state:?} + {event:?} -> {next:?} {effects:?}").unwrap();
        }
        for command in [Command::Type, Command::Resize, Command::Watch, Command::Kill] {
            writeln!(text, "{state:?} admits {command:?}: {:?}", state.admit(command)).unwrap();
        }
    }
    crate::golden::check("src/session/machine.golden", &text);
}

/// A model much simpler than the machine: is it over, and how often was that said?
#[derive(Default)]
struct Model {
    over: bool,
    ends_announced: usize,
    waiters_settled: usize,
}

fn check_invariants(model: &Model, state: State, effects: &[Effect]) -> Result<(), TestCaseError> {
    prop_assert_eq!(state.is_alive(), !model.over);
    prop_assert!(model.ends_announced <= 1, "the end is announced once");
    prop_assert_eq!(model.ends_announced, model.waiters_settled, "waiters are settled at the end");
    if model.over {
        prop_assert!(!effects.iter().any(|effect| matches!(effect, Effect::Signal(_))));
        prop_assert_eq!(state.admit(Command::Type), Admission::SessionExited);
        prop_assert_eq!(state.admit(Command::Kill), Admission::AlreadySo);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_session_ends_once(picks in prop::collection::vec(0..EVENTS.len(), 0..30)) {
        let mut state = State::Created;
        let mut model = Model::default();
        for pick in picks {
            let (_, event) = EVENTS[pick];
            let ends = matches!(event, Event::Ended(_) | Event::WorkerGone | Event::Broken);
            let (next, effects) = state.step(event);
            if ends && !model.over {
                model.over = true;
                model.ends_announced += effects.iter().filter(|e| **e == Effect::Announce).count();
            } else if model.over {
                prop_assert_eq!(next, state, "the end is the end");
            }
            model.waiters_settled +=
                effects.iter().filter(|e| **e == Effect::SettleWaiters).count();
            check_invariants(&model, next, &effects)?;
            state = next;
        }
    }

    /// Kill always leads to KILL, and that to an answer, as time passes.
    #[test]
    fn a_kill_is_answered(
        activity in 0..3_usize,
        signal in prop::sample::select(vec![1, 2, 9, 15]),
    ) {
        let activity = [Activity::Working, Activity::AwaitingInput, Activity::Stuck][activity];
        let state = State::Running { activity };
        let (mut state, mut seen) = state.step(Event::KillAsked { signal, until_ms: 10 });
        for now_ms in [10, 20, 30] {
            let passed = Event::TimePassed { now_ms, hard_until_ms: 20 };
            let (next, effects) = state.step(passed);
            seen.extend(effects);
            state = next;
        }
        prop_assert_eq!(seen.iter().filter(|e| **e == Effect::KillAll).count(), 1);
        prop_assert_eq!(seen.iter().filter(|e| **e == Effect::AnswerKills).count(), 1);
    }
}

/// A terminal that is written to and looked at, as a worker does it.
struct Screen(Terminal);

impl Screen {
    fn new(cols: u16, rows: u16) -> Self {
        Self(Terminal::new(Options { size: Size { cols, rows }, scrollback_lines: 100 }))
    }

    fn print(&mut self, bytes: &str) -> &mut Self {
        self.0.advance(bytes.as_bytes());
        self
    }

    fn mark(&mut self, typed: &str) -> Mark {
        let mut mark = Mark::at(&self.0.frame());
        mark.echo = echo_lines(typed);
        mark
    }

    fn since(&mut self, mark: &Mark) -> String {
        let frame = self.0.frame();
        let history = self.0.history(mark.history_total, 100);
        fresh::text(&frame, &history, mark.frame, std::slice::from_ref(mark))
    }
}

#[test]
fn old_text_and_the_echo_are_not_new() {
    let mut screen = Screen::new(40, 6);
    screen.print("done\r\n$ ");
    let mark = screen.mark("echo done");
    assert_eq!(screen.since(&mark).trim(), "", "nothing has come");
    screen.print("echo done");
    assert!(!screen.since(&mark).contains("done"), "the echo is the caller's own text");
    screen.print("\r\n");
    assert!(!screen.since(&mark).contains("done"));
    screen.print("done\r\n$ ");
    assert!(screen.since(&mark).contains("done"), "the same word as output is new");
}

#[test]
fn a_wrapped_echo_is_found_as_well() {
    let mut screen = Screen::new(20, 8);
    screen.print("prompt> ");
    let typed = "say the magic word sesame now";
    let mark = screen.mark(typed);
    screen.print(typed).print("\r\n");
    assert!(!screen.since(&mark).contains("sesame"), "{}", screen.since(&mark));
    screen.print("open sesame\r\n");
    assert!(screen.since(&mark).contains("open sesame"));
}

#[test]
fn lines_that_scrolled_off_since_are_looked_at() {
    let mut screen = Screen::new(40, 4);
    screen.print("old needle\r\n$ ");
    let mark = screen.mark("run");
    screen.print("run\r\nnew pin\r\n");
    for line in 0..20 {
        screen.print(&format!("line {line}\r\n"));
    }
    let new = screen.since(&mark);
    assert!(new.contains("new pin") && new.contains("line 19"), "{new}");
    assert!(!new.contains("old needle"));
}

#[test]
fn the_prompt_left_of_the_cursor_is_old_though_its_row_changes() {
    let mut screen = Screen::new(40, 4);
    screen.print("ready> ");
    let mark = screen.mark("go");
    screen.print("go");
    assert!(!screen.since(&mark).contains("ready"));
    let mut earlier = mark.clone();
    earlier.frame = 0;
    let frame = screen.0.frame();
    let new = fresh::text(&frame, &[], 0, &[mark]);
    assert!(new.contains("ready>") && !new.contains("go"), "for an earlier frame it is new: {new}");
}

#[test]
fn keys_hide_only_their_own_place() {
    let mut screen = Screen::new(40, 4);
    screen.print("> ");
    let mut mark = screen.mark("q");
    mark.keys = true;
    screen.print("q\r\nquit? q again\r\n");
    assert!(screen.since(&mark).contains("quit? q again"));
    assert_eq!(screen.since(&mark).matches('q').count(), 2, "{}", screen.since(&mark));
}
