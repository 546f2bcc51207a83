//! The send's table, and that no outcome is claimed without its proof.

use std::fmt::Write;

use proptest::prelude::*;

use super::{Effect, Event, Plan, Refusal, Seen, State};
use crate::session::states::{PLAN, SEND_EVENTS, SEND_STATES};
use crate::session_types::Outcome;

#[test]
fn the_table() {
    let mut text = String::new();
    for submit in [true, false] {
        let plan = Plan { submit, ..PLAN };
        writeln!(text, "submit: {submit}").unwrap();
        for state in SEND_STATES {
            for (_, event) in SEND_EVENTS {
                let (next, effects) = state.step(&plan, event);
                writeln!(text, "{state:?} + {event:?} -> {next:?} {effects:?}").unwrap();
            }
        }
    }
    crate::golden::check("src/session/send/machine.golden", &text);
}

fn refusal() -> impl Strategy<Value = Option<Refusal>> {
    prop_oneof![
        6 => Just(None),
        1 => Just(Some(Refusal::DialogOpen)),
        1 => Just(Some(Refusal::ForeignDraft)),
    ]
}

prop_compose! {
    fn seen()(now_ms in 0..20_000_i64, still_ms in prop::option::of(0..400_i64),
              refusal in refusal(), effect: bool, queued: bool) -> Seen {
        Seen { now_ms, still_ms, refusal, effect, queued }
    }
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        5 => seen().prop_map(Event::Seen),
        3 => (0..20_000_i64, 0..10_u64, any::<bool>())
            .prop_map(|(now_ms, bytes, complete)| Event::Written { now_ms, bytes, complete }),
        1 => (0..20_000_i64).prop_map(|now_ms| Event::TimePassed { now_ms }),
        1 => Just(Event::Ended),
    ]
}

/// What has really happened, told apart from what the machine remembers.
#[derive(Default)]
struct Shadow {
    text_written: bool,
    enter_written: bool,
    effect: bool,
    bytes: u64,
    answers: usize,
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_outcome_without_its_proof(
        submit: bool,
        events in prop::collection::vec(event(), 0..40),
    ) {
        let plan = Plan { submit, ..PLAN };
        let mut state = State::Checking { since_ms: 0 };
        let mut shadow = Shadow::default();
        for event in events {
            let waits_for_write = matches!(state, State::Typing | State::Submitting { .. });
            if let Event::Written { bytes, .. } = event && waits_for_write {
                shadow.bytes += bytes;
            }
            if matches!(state, State::Confirming { .. }) {
                shadow.effect |=
                    matches!(event, Event::Seen(Seen { effect: true, .. }) | Event::Ended);
            }
            let (next, effects) = state.step(&plan, event);
            for effect in effects {
                match effect {
                    Effect::WriteInput => {
                        let clear = matches!(event, Event::Seen(Seen { refusal: None, .. }));
                        prop_assert!(clear, "nothing is typed into a dialog");
                        prop_assert!(!shadow.text_written);
                        shadow.text_written = true;
                    }
                    Effect::WriteEnter => {
                        prop_assert!(submit && shadow.text_written && !shadow.enter_written);
                        shadow.enter_written = true;
                    }
                    Effect::Refuse(_) => {
                        prop_assert!(!shadow.text_written, "refused means nothing written");
                        shadow.answers += 1;
                    }
                    Effect::Answer { outcome, written, stall } => {
                        shadow.answers += 1;
                        prop_assert_eq!(written, shadow.bytes, "bytesWritten is honest");
                        prop_assert_eq!(stall.is_some(), outcome == Outcome::Stalled);
                        if matches!(outcome, Outcome::Submitted | Outcome::Queued) {
                            prop_assert!(shadow.enter_written && shadow.effect);
                        }
                    }
                }
            }
            state = next;
            prop_assert_eq!(shadow.answers, usize::from(state == State::Done));
        }
    }

    /// Output that comes all the time does not put off the look for the effect of Enter.
    #[test]
    fn a_flood_does_not_put_off_the_look(pushes in prop::collection::vec(1..50_i64, 100)) {
        let state = State::Confirming { since_ms: 0, written: 1, effect_at_ms: None };
        let mut now_ms = 0;
        let mut due = i64::MAX;
        for pause in pushes {
            now_ms += pause;
            due = due.min(now_ms + state.look_in_ms(&PLAN, now_ms, Some(0), 0).unwrap_or(i64::MAX));
            if now_ms >= due {
                break;
            }
        }
        prop_assert!(now_ms <= 700, "looked at {due}, now {now_ms}");
    }

    /// Whatever is on the screen, looks at the asked times and the deadline end it.
    #[test]
    fn it_always_ends(still in prop::option::of(0..400_i64), effect: bool, submit: bool) {
        let plan = Plan { submit, ..PLAN };
        let (mut state, mut now_ms, mut looked_ms) = (State::Checking { since_ms: 0 }, 0, 0);
        for _ in 0..20_000 {
            if state == State::Done {
                break;
            }
            state = match state.look_in_ms(&plan, now_ms, still, looked_ms) {
                Some(wait) => {
                    prop_assert!(wait >= 1);
                    now_ms += wait;
                    looked_ms = now_ms;
                    let seen =
                        Seen { now_ms, still_ms: still, refusal: None, effect, queued: false };
                    let (next, _) = state.step(&plan, Event::Seen(seen));
                    next.step(&plan, Event::TimePassed { now_ms }).0
                }
                None => state.step(&plan, Event::Written { now_ms, bytes: 1, complete: true }).0,
            };
        }
        prop_assert_eq!(state, State::Done);
        prop_assert!(now_ms <= plan.deadline_ms + 1);
    }
}
