//! The printed (state × event) table of the machine, for the reader of a diff.

use std::fmt::Write;
use std::time::Duration;

use super::machine::{Event, Machine, State};
use super::{Answer, Decision, Escalation, Prompt, PromptId, Source};

fn states(id: PromptId, answer: &Answer) -> Vec<State> {
    let answer = || answer.clone();
    vec![
        State::Idle,
        State::Seen { id, answer: answer() },
        State::Rechecking { id, answer: answer() },
        State::Answering { id, answer: answer() },
        State::Confirming { id, answer: answer() },
        State::Answered { id },
        State::Escalated { id, reason: Escalation::NoSafeMatch },
    ]
}

fn events(id: PromptId, other: PromptId, answer: &Answer) -> Vec<(&'static str, Event)> {
    let now = Duration::from_secs(100);
    let safe = Prompt { id, decision: Decision::Answer(answer.clone()) };
    let unsafe_one = Prompt { id, decision: Decision::Escalate(Escalation::Destructive) };
    let changed = Prompt { id: other, decision: Decision::Answer(answer.clone()) };
    let shown = |prompt: &Prompt| Event::PromptShown { prompt: prompt.clone(), now };
    let rechecked = |prompt: Option<&Prompt>| Event::Rechecked { prompt: prompt.cloned(), now };
    vec![
        ("a safe prompt is shown", shown(&safe)),
        ("an unsafe prompt is shown", shown(&unsafe_one)),
        ("another safe prompt is shown", shown(&changed)),
        ("the prompt is gone", Event::PromptGone),
        ("a turn is granted", Event::TurnGranted),
        ("the second look agrees", rechecked(Some(&safe))),
        ("the second look differs", rechecked(Some(&changed))),
        ("the second look finds none", rechecked(None)),
        ("the keys were taken", Event::Written { complete: true }),
        ("the keys were not taken", Event::Written { complete: false }),
        ("a look finds the prompt", Event::Looked { prompt: Some(id) }),
        ("a look finds another", Event::Looked { prompt: Some(other) }),
        ("the time to go is over", Event::ConfirmTimedOut),
    ]
}

/// The name of a state without what it carries.
fn name(state: &State) -> String {
    let debug = format!("{state:?}");
    debug.split([' ', '{']).next().unwrap_or_default().to_owned()
}

#[test]
fn the_table_is_as_printed() {
    let (id, other) = (PromptId::of("Continue? [Y/n]"), PromptId::of("Go on? [Y/n]"));
    let answer = Answer { source: Source::Hint(0), keys: vec!["Enter".to_owned()] };
    let mut text = String::new();
    for state in states(id, &answer) {
        for (what, event) in events(id, other, &answer) {
            let mut machine = Machine::in_state(state.clone());
            let effects = machine.step(event);
            let effects: Vec<String> = effects.iter().map(|effect| format!("{effect:?}")).collect();
            let (from, to) = (name(&state), name(machine.state()));
            writeln!(text, "{from} + {what} -> {to} [{}]", effects.join(", ")).unwrap();
        }
    }
    let expected = include_str!("machine.golden");
    assert!(
        text == expected,
        "machine.golden differs; if the change is meant, it becomes:\n{text}"
    );
}
