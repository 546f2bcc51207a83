//! The machine's table, and random histories against a model of a disk.

use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::Arc;

use proptest::prelude::*;

use crate::events::draft::Draft;
use crate::events::machine::{BATCH_MAX, Effect, Entry, Event, Machine, WAITING_MAX};
use crate::store::StoreError;

use super::numbered;

fn entry(number: usize, reply: Option<usize>) -> Entry<usize> {
    Entry { draft: Arc::new(Draft::new(numbered("a", number), 0)), reply }
}

fn number_of(draft: &Draft) -> usize {
    draft.fields["reason"].as_str().unwrap().parse().unwrap()
}

fn in_state(name: &str, waiting: bool) -> Machine<usize> {
    let mut machine = Machine::new(10);
    match name {
        "idle" => {}
        "writing" => {
            machine.step(Event::Appended(entry(0, None)));
            if waiting {
                machine.step(Event::Appended(entry(1, None)));
            }
        }
        _ => {
            machine.step(Event::Appended(entry(0, None)));
            machine.step(Event::WriteFailed(StoreError::DiskFull));
        }
    }
    assert_eq!(machine.state_name(), name);
    machine
}

#[test]
fn the_table() {
    let states = [("idle", false), ("writing", false), ("writing", true), ("resting", true)];
    type Make = fn() -> Event<usize>;
    let events: [(&str, Make); 5] = [
        ("appended", || Event::Appended(entry(5, None))),
        ("appended, answer wanted", || Event::Appended(entry(5, Some(1)))),
        ("written", || Event::Written(vec![11])),
        ("write failed", || Event::WriteFailed(StoreError::DiskFull)),
        ("retry due", || Event::RetryDue),
    ];
    let mut text = String::new();
    for (name, waiting) in states {
        for (event_name, event) in events {
            let mut machine = in_state(name, waiting);
            let effects: Vec<_> = machine.step(event()).iter().map(describe).collect();
            let more = if waiting { " (more waits)" } else { "" };
            writeln!(
                text,
                "{name}{more} + {event_name} -> {}: {}",
                machine.state_name(),
                if effects.is_empty() { "nothing".to_owned() } else { effects.join(", ") }
            )
            .unwrap();
        }
    }
    crate::golden::check("src/events/machine.golden", &text);
}

fn describe(effect: &Effect<usize>) -> String {
    match effect {
        Effect::Write(drafts) => format!("write {}", drafts.len()),
        Effect::Send(event) => format!("send {}", event.id),
        Effect::Answer(_, Ok(id)) => format!("answer {id}"),
        Effect::Answer(_, Err(error)) => format!("answer error {error}"),
        Effect::RetryAfter(pause) => format!("retry after {} ms", pause.as_millis()),
        Effect::Lost => "lost".to_owned(),
    }
}

#[test]
fn pauses_grow_to_a_bound_and_start_again_after_success() {
    let mut machine = Machine::new(0);
    machine.step(Event::Appended(entry(0, None)));
    let mut pauses = Vec::new();
    for _ in 0..9 {
        for effect in machine.step(Event::WriteFailed(StoreError::DiskFull)) {
            if let Effect::RetryAfter(pause) = effect {
                pauses.push(pause.as_millis());
            }
        }
        machine.step(Event::RetryDue);
    }
    assert_eq!(pauses, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
    machine.step(Event::Written(vec![1]));
    machine.step(Event::Appended(entry(1, None)));
    let effects = machine.step(Event::WriteFailed(StoreError::DiskFull));
    assert_eq!(describe(&effects[0]), "retry after 100 ms");
}

#[test]
fn the_waiting_room_is_bounded_and_the_answer_is_honest() {
    let mut machine = Machine::new(0);
    machine.step(Event::Appended(entry(0, None)));
    for n in 0..WAITING_MAX {
        assert_eq!(machine.step(Event::Appended(entry(n, None))), []);
    }
    assert_eq!(machine.step(Event::Appended(entry(1, None))), [Effect::Lost]);
    assert_eq!(
        machine.step(Event::Appended(entry(1, Some(3)))),
        [Effect::Answer(3, Err(StoreError::Overloaded))]
    );
}

#[derive(Debug, Clone)]
enum Op {
    Append { answer: bool },
    DiskDone,
    DiskFails,
    Retry,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => any::<bool>().prop_map(|answer| Op::Append { answer }),
        3 => Just(Op::DiskDone),
        1 => Just(Op::DiskFails),
        1 => Just(Op::Retry),
    ]
}

/// What a log must do, without batches or states: an ordered list of what is owed.
#[derive(Default)]
struct Model {
    owed: VecDeque<(usize, Option<usize>)>,
    in_flight: Option<Vec<usize>>,
    next_id: i64,
    sent: Vec<usize>,
    answered: Vec<usize>,
    appended: usize,
}

impl Model {
    fn check(&mut self, effects: Vec<Effect<usize>>, failing: bool) {
        for effect in effects {
            match effect {
                Effect::Write(drafts) => {
                    assert!(self.in_flight.is_none(), "two batches at once");
                    assert!(!drafts.is_empty() && drafts.len() <= BATCH_MAX);
                    let batch: Vec<_> = drafts.iter().map(|d| number_of(d)).collect();
                    let first: Vec<_> =
                        self.owed.iter().take(batch.len()).map(|(n, _)| *n).collect();
                    assert_eq!(batch, first, "out of order");
                    self.in_flight = Some(batch);
                }
                Effect::Send(event) => {
                    assert!(!failing, "sent without a commit");
                    let (number, _) = *self.owed.front().unwrap();
                    self.next_id += 1;
                    assert_eq!(event.id, self.next_id);
                    assert_eq!(super::number(&event), number);
                    self.sent.push(number);
                    if self.owed.front().unwrap().1.is_none() {
                        self.owed.pop_front();
                    }
                }
                Effect::Answer(reply, result) => {
                    assert_eq!(result.is_err(), failing);
                    assert!(!self.answered.contains(&reply), "answered twice");
                    self.answered.push(reply);
                    self.owed.retain(|(_, waiting)| *waiting != Some(reply));
                }
                Effect::RetryAfter(_) => assert!(failing),
                Effect::Lost => panic!("far from the bound"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn everything_is_sent_once_in_order_after_its_commit(
        ops in prop::collection::vec(op(), 0..120),
    ) {
        let mut machine = Machine::new(0);
        let mut model = Model::default();
        // At the end the disk works: nothing may stay behind.
        let end = std::iter::repeat_n([Op::Retry, Op::DiskDone], ops.len() + 1).flatten();
        for op in ops.into_iter().chain(end) {
            match op {
                Op::Append { answer } => {
                    let number = model.appended;
                    model.appended += 1;
                    let reply = answer.then_some(number);
                    model.owed.push_back((number, reply));
                    let effects = machine.step(Event::Appended(entry(number, reply)));
                    model.check(effects, false);
                }
                Op::DiskDone => if let Some(batch) = model.in_flight.take() {
                    let ids = (1..=batch.len()).map(|n| model.next_id + n as i64).collect();
                    let effects = machine.step(Event::Written(ids));
                    model.check(effects, false);
                    prop_assert_eq!(machine.last_sent(), model.next_id);
                },
                Op::DiskFails => if model.in_flight.take().is_some() {
                    let effects = machine.step(Event::WriteFailed(StoreError::DiskFull));
                    model.check(effects, true);
                },
                Op::Retry => {
                    let effects = machine.step(Event::RetryDue);
                    model.check(effects, false);
                }
            }
        }
        prop_assert_eq!(model.owed.len(), 0);
        prop_assert_eq!(machine.state_name(), "idle");
        let mut once = model.sent.clone();
        once.dedup();
        prop_assert_eq!(once.len(), model.sent.len());
    }
}
