//! The table, and: once per entry.

use std::fmt::Write;

use proptest::prelude::*;

use super::machine::{Effect, Event, State};
use super::states::{EVENTS, STATES};

#[test]
fn the_table() {
    let mut text = String::new();
    for state in STATES {
        for (_, event) in EVENTS {
            let (next, effect) = state.step(event);
            writeln!(text, "{state:?} + {event:?} -> {next:?} {effect:?}").unwrap();
        }
    }
    crate::golden::check("src/classifier/machine.golden", &text);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Between two calls for input lies work, a hang, or a renewed prompt; the same for hangs.
    #[test]
    fn once_per_entry(picks in prop::collection::vec(0..EVENTS.len(), 0..40)) {
        let mut state = State::Working;
        let (mut prompt_told, mut hang_told) = (false, false);
        for pick in picks {
            let (_, event) = EVENTS[pick];
            let ended = state == State::Ended;
            let (next, effect) = state.step(event);
            match event {
                Event::Works => (prompt_told, hang_told) = (false, false),
                Event::Awaits { renewed } => {
                    prop_assert_eq!(
                        effect == Some(Effect::InputNeeded),
                        !ended && (renewed || !prompt_told)
                    );
                    (prompt_told, hang_told) = (true, false);
                }
                Event::Hangs => {
                    prop_assert_eq!(effect == Some(Effect::Stuck), !ended && !hang_told);
                    (prompt_told, hang_told) = (false, true);
                }
                Event::Ended => prop_assert_eq!(effect, None),
            }
            state = next;
        }
    }
}
