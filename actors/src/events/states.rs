//! The machine as a picture.

use std::sync::Arc;

use super::draft::Draft;
use super::machine::{Entry, Event, Machine};
use crate::states::{Arrow, MachineDoc, doc};
use crate::store::StoreError;

/// An event with its name.
type Step = (&'static str, fn() -> Event<()>);

pub(crate) fn states() -> MachineDoc {
    let paths: [&[Step]; 3] = [
        &[("append", append), ("written", written)],
        &[("append", append), ("write failed", failed), ("retry due", retry)],
        &[("append", append), ("write failed", failed), ("append", append)],
    ];
    let mut arrows: Vec<Arrow> = Vec::new();
    for path in paths {
        let mut machine = Machine::new(0);
        for (name, event) in path {
            let from = machine.state_name();
            machine.step(event());
            arrows.push((from, name, machine.state_name()));
        }
    }
    doc("event log", "idle", arrows, include_str!("machine.golden"))
}

fn append() -> Event<()> {
    let draft = Draft {
        kind: "",
        time_ms: 0,
        owner: None,
        session_id: None,
        fields: serde_json::Map::new(),
    };
    Event::Appended(Entry { draft: Arc::new(draft), reply: None })
}

fn written() -> Event<()> {
    Event::Written(vec![1])
}

fn failed() -> Event<()> {
    Event::WriteFailed(StoreError::DiskFull)
}

fn retry() -> Event<()> {
    Event::RetryDue
}
