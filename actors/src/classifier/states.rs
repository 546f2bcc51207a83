//! The machine as a picture.

use super::machine::{Event, State};
use crate::states::{Arrow, MachineDoc, doc};

pub(super) const STATES: [State; 4] = [State::Working, State::Awaiting, State::Stuck, State::Ended];

pub(super) const EVENTS: [(&str, Event); 5] = [
    ("works", Event::Works),
    ("prompts anew", Event::Awaits { renewed: true }),
    ("still prompts", Event::Awaits { renewed: false }),
    ("hangs", Event::Hangs),
    ("ended", Event::Ended),
];

pub(crate) fn states() -> MachineDoc {
    let arrows = STATES.into_iter().flat_map(|state| {
        EVENTS
            .into_iter()
            .map(move |(name, event)| -> Arrow { (state.name(), name, state.step(event).0.name()) })
    });
    doc("attention", "working", arrows, include_str!("machine.golden"))
}
