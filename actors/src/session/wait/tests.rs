//! The wait's table, and that it ends once and for a reason that was asked for.

use std::fmt::Write;

use proptest::prelude::*;

use super::{Conditions, Effect, Event, Seen, State};
use crate::session::states::{WAIT_EVENTS, WAIT_STATES};
use crate::session_types::WaitReason;

#[test]
fn the_table() {
    let mut text = String::new();
    for state in WAIT_STATES {
        for (_, event) in WAIT_EVENTS {
            let (next, effects) = state.step(event);
            writeln!(text, "{state:?} + {event:?} -> {next:?} {effects:?}").unwrap();
        }
    }
    crate::golden::check("src/session/wait/machine.golden", &text);
}

#[test]
fn it_says_when_to_look_again() {
    let idle = |idle_ms| Conditions { idle_ms, text: false, state: false, deadline_ms: 9 };
    assert_eq!(State::Armed(idle(Some(120))).look_in_ms(Some(20)), Some(100));
    assert_eq!(State::Armed(idle(Some(120))).look_in_ms(Some(500)), Some(1), "overdue");
    assert_eq!(State::Armed(idle(Some(120))).look_in_ms(None), None, "inside an update");
    assert_eq!(State::Armed(idle(None)).look_in_ms(Some(0)), None);
    assert_eq!(State::Over(WaitReason::Idle).deadline_ms(), None);
}

prop_compose! {
    fn seen()(now_ms in 0..2_000_i64, text: bool, state: bool, exited: bool,
              still_ms in prop::option::of(0..400_i64)) -> Seen {
        Seen { now_ms, text, state, exited, still_ms }
    }
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        seen().prop_map(Event::Seen),
        (0..2_000_i64).prop_map(|now_ms| Event::TimePassed { now_ms }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn answered_once_and_only_for_what_was_asked(
        text: bool, state: bool, idle_ms in prop::option::of(1..400_i64),
        events in prop::collection::vec(event(), 0..20),
    ) {
        let wanted = Conditions { idle_ms, text, state, deadline_ms: 1_000 };
        let mut machine = State::Armed(wanted);
        let mut answers = Vec::new();
        for event in events {
            let (next, effects) = machine.step(event);
            for Effect::Answer(reason) in effects {
                // The shadow: what this one event can have meant.
                let fits = match (reason, event) {
                    (WaitReason::Text, Event::Seen(seen)) => text && seen.text,
                    (WaitReason::State, Event::Seen(seen)) => state && seen.state,
                    (WaitReason::Exit, Event::Seen(seen)) => seen.exited,
                    (WaitReason::Idle, Event::Seen(seen)) => {
                        !seen.exited && idle_ms.zip(seen.still_ms).is_some_and(|(w, s)| s >= w)
                    }
                    (WaitReason::Timeout, Event::TimePassed { now_ms }) => now_ms >= 1_000,
                    _ => false,
                };
                prop_assert!(fits, "{reason:?} after {event:?}");
                answers.push(reason);
            }
            machine = next;
        }
        prop_assert!(answers.len() <= 1);
        prop_assert_eq!(answers.is_empty(), matches!(machine, State::Armed(_)));
    }
}
