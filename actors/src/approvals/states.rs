//! The machine as a picture.

use super::machine::{Decision, Event, State};
use crate::states::{MachineDoc, doc};

const EXPIRES: i64 = 1;

pub(crate) fn states() -> MachineDoc {
    let all = [
        State::Pending { expires_ms: EXPIRES },
        State::Granted { expires_ms: EXPIRES },
        State::Denied,
        State::Expired,
    ];
    let events = [
        ("approve", Event::Decided(Decision::Approve)),
        ("deny", Event::Decided(Decision::Deny)),
        ("used", Event::Used),
        ("time passed", Event::TimePassed { now_ms: EXPIRES }),
    ];
    let arrows = all.into_iter().flat_map(|state| {
        events
            .into_iter()
            .map(move |(name, event)| (state.as_str(), name, state.step(event).0.as_str()))
    });
    doc("approval", "pending", arrows, include_str!("machine.golden"))
}
