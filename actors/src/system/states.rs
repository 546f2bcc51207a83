//! The machine as a picture.

use super::machine::{Event, Readiness};
use crate::states::{Arrow, MachineDoc, doc};

const STATES: [Readiness; 5] = [
    Readiness::Booting,
    Readiness::Recovering,
    Readiness::Ready,
    Readiness::Draining,
    Readiness::Stopped,
];

const EVENTS: [(&str, Event); 4] = [
    ("opened", Event::Opened),
    ("recovered", Event::Recovered),
    ("drain asked", Event::DrainAsked),
    ("drained", Event::Drained),
];

pub(crate) fn states() -> MachineDoc {
    let arrows = STATES.into_iter().flat_map(|state| {
        EVENTS
            .into_iter()
            .map(move |(name, event)| -> Arrow { (state.name(), name, state.step(event).name()) })
    });
    doc("service", "booting", arrows, include_str!("machine.golden"))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    #[test]
    fn the_table() {
        let mut text = String::new();
        for state in STATES {
            for (_, event) in EVENTS {
                writeln!(text, "{state:?} + {event:?} -> {:?}", state.step(event)).unwrap();
            }
        }
        crate::golden::check("src/system/machine.golden", &text);
    }
}
