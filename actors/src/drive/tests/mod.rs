//! Drives: the machine over random histories, and the actor with log, journals and store.

mod actor;

use std::fmt::Write;

use proptest::prelude::*;

use super::machine::{Effect, Ending, Event, State, Why};
use super::states::{EVENTS, STATES};
use crate::settings::DriveMode;

#[test]
fn the_table() {
    let mut text = String::new();
    for mode in [DriveMode::Auto, DriveMode::Detached, DriveMode::Attached] {
        for state in STATES {
            for (name, event) in EVENTS {
                let (next, effects) = state.step(mode, event);
                // Only promotion depends on the mode.
                if mode == DriveMode::Auto || next != state.step(DriveMode::Auto, event).0 {
                    writeln!(
                        text,
                        "{mode:?}: {} + {name} -> {} {effects:?}",
                        state.name(),
                        next.name()
                    )
                    .unwrap();
                }
            }
        }
    }
    crate::golden::check("src/drive/machine.golden", &text);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Nothing is fabricated: every notification has its cause, every promotion one ending.
    #[test]
    fn nothing_is_fabricated(
        picks in prop::collection::vec(0..EVENTS.len(), 0..60),
        mode in prop::sample::select(vec![
            DriveMode::Auto, DriveMode::Attached, DriveMode::Detached,
        ]),
    ) {
        let mut state = State::Attached { tasked: false };
        let (mut tasked, mut promotions, mut endings) = (false, 0, 0);
        for pick in picks {
            let event = EVENTS[pick].1;
            tasked |= event == Event::Sent;
            let (next, effects) = state.step(mode, event);
            for effect in effects {
                match effect {
                    Effect::Promote => {
                        prop_assert!(tasked && mode != DriveMode::Attached);
                        prop_assert_eq!(promotions, endings, "promoted twice");
                        promotions += 1;
                    }
                    Effect::NotifyDone => {
                        let owner = event == Event::OwnerMatched;
                        prop_assert!(owner || event == Event::Exited(Ending::Clean));
                        endings += 1;
                    }
                    Effect::NotifyFailed(why) => {
                        let cause = match why {
                            Why::ExitCode => event == Event::Exited(Ending::Other),
                            Why::SessionGone => matches!(event, Event::Lost | Event::NotFound),
                            Why::Cap => event == Event::Evicted,
                            Why::Spend => event == Event::CostExceeded,
                        };
                        prop_assert!(cause, "{why:?} by {event:?}");
                        endings += 1;
                    }
                    Effect::NotifyNeedsYou(_) => {
                        prop_assert!(matches!(event, Event::Escalated(_) | Event::CostExceeded));
                        prop_assert!(state.name() == "working" || event == Event::CostExceeded);
                    }
                    Effect::StopSession => prop_assert_eq!(event, Event::CostExceeded),
                    Effect::AnnounceReattached => prop_assert_eq!(event, Event::Found),
                    Effect::Escalate(_) | Effect::SaveJournal | Effect::JournalDone => {
                        prop_assert!(promotions > 0);
                    }
                }
            }
            prop_assert!(endings <= promotions);
            state = next;
        }
    }
}
