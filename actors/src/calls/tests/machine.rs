//! The table, and what holds over random histories.

use std::fmt::Write;

use proptest::prelude::*;

use crate::calls::machine::{Effect, Event, Keyed, State};

const EVENTS: [Event; 5] = [
    Event::HandedOut,
    Event::Finished { now_ms: 1_000 },
    Event::Abandoned { now_ms: 1_000 },
    Event::TimePassed { now_ms: 4_999 },
    Event::TimePassed { now_ms: 5_000 },
];

#[test]
fn the_table() {
    let states =
        [State::Running, State::Pending, State::Finished { keep_until_ms: 5_000 }, State::Gone];
    let mut text = String::new();
    for keyed in [Keyed::No, Keyed::Yes] {
        for state in states {
            for event in EVENTS {
                let (next, effects) = state.step(keyed, event);
                let name = if keyed == Keyed::Yes { "keyed" } else { "plain" };
                writeln!(text, "{name} {state:?} + {event:?} -> {next:?} {effects:?}").unwrap();
            }
        }
    }
    crate::golden::check("src/calls/machine.golden", &text);
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::HandedOut),
        (0_i64..10_000_000).prop_map(|now_ms| Event::Finished { now_ms }),
        (0_i64..10_000_000).prop_map(|now_ms| Event::Abandoned { now_ms }),
        (0_i64..200_000_000).prop_map(|now_ms| Event::TimePassed { now_ms }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// One ending, one answer to the waiters, one report and only for a call that was handed
    /// out; a key's ending is always stored; nothing is forgotten before it was answered.
    #[test]
    fn one_ending(keyed in any::<bool>(), events in prop::collection::vec(event(), 0..30)) {
        let kind = if keyed { Keyed::Yes } else { Keyed::No };
        let mut state = State::Running;
        let (mut answers, mut reports, mut endings, mut handed_out) = (0, 0, 0, false);
        for event in events {
            let before = state;
            let (next, effects) = state.step(kind, event);
            handed_out |= next == State::Pending;
            for effect in &effects {
                match effect {
                    Effect::AnswerWaiters => answers += 1,
                    Effect::ReportCompletion => {
                        prop_assert!(handed_out);
                        reports += 1;
                    }
                    Effect::StoreOutcome { keep_until_ms }
                    | Effect::StoreInterruption { keep_until_ms } => {
                        endings += 1;
                        let now_ms = match event {
                            Event::Finished { now_ms } | Event::Abandoned { now_ms } => now_ms,
                            Event::HandedOut | Event::TimePassed { .. } => {
                                panic!("an ending by {event:?}")
                            }
                        };
                        let hours = if keyed { 24 } else { 1 };
                        prop_assert_eq!(keep_until_ms - now_ms, hours * 3_600_000);
                    }
                    Effect::Forget => prop_assert_eq!(next, State::Gone),
                    Effect::StorePending => prop_assert_eq!(next, State::Pending),
                }
            }
            let ended = before != next && matches!(next, State::Finished { .. } | State::Gone)
                && matches!(before, State::Running | State::Pending);
            if ended && (keyed || handed_out) {
                prop_assert_eq!(endings, 1);
                prop_assert_eq!(answers, 1);
                prop_assert_eq!(reports == 1, handed_out);
            }
            state = next;
        }
        prop_assert!(answers <= 1 && reports <= 1 && endings <= 1);
    }
}
