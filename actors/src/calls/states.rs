//! The machine as a picture.

use super::machine::{Event, Keyed, State};
use crate::states::{MachineDoc, doc};

const KEPT_UNTIL: i64 = 1;

pub(crate) fn states() -> MachineDoc {
    let all = [
        State::Running,
        State::Pending,
        State::Finished { keep_until_ms: KEPT_UNTIL },
        State::Gone,
    ];
    let events = [
        ("handed out", Event::HandedOut),
        ("finished", Event::Finished { now_ms: 0 }),
        ("abandoned", Event::Abandoned { now_ms: 0 }),
        ("time passed", Event::TimePassed { now_ms: KEPT_UNTIL }),
    ];
    let arrows = all.into_iter().flat_map(|state| {
        events.into_iter().flat_map(move |(name, event)| {
            [Keyed::Yes, Keyed::No]
                .map(|keyed| (state.name(), name, state.step(keyed, event).0.name()))
        })
    });
    doc("call", State::Running.name(), arrows, include_str!("machine.golden"))
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Pending => "pending",
            Self::Finished { .. } => "finished",
            Self::Gone => "gone",
        }
    }
}
