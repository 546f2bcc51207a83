//! The machine as a picture.

use super::machine::{Attention, Ending, Event, State};
use crate::events::EscalationReason;
use crate::settings::DriveMode;
use crate::states::{MachineDoc, doc};

pub(super) const STATES: [State; 7] = [
    State::Attached { tasked: false },
    State::Attached { tasked: true },
    State::Promoted { attention: Attention::Working },
    State::Promoted { attention: Attention::Parked },
    State::Reattaching,
    State::Done,
    State::Failed,
];

pub(super) const EVENTS: [(&str, Event); 16] = [
    ("sent", Event::Sent),
    ("typed", Event::Typed),
    ("wait complete", Event::Waited { complete: true, producing: false }),
    ("wait over, producing", Event::Waited { complete: false, producing: true }),
    ("wait over, quiet", Event::Waited { complete: false, producing: false }),
    ("owner's wait matched", Event::OwnerMatched),
    ("prompt seen", Event::PromptSeen(EscalationReason::NoSafeMatch)),
    ("escalated", Event::Escalated(EscalationReason::NoSafeMatch)),
    ("exit 0", Event::Exited(Ending::Clean)),
    ("other exit", Event::Exited(Ending::Other)),
    ("lost", Event::Lost),
    ("evicted", Event::Evicted),
    ("cost exceeded", Event::CostExceeded),
    ("restarted", Event::Restarted),
    ("found", Event::Found),
    ("not found", Event::NotFound),
];

pub(crate) fn states() -> MachineDoc {
    let arrows = STATES.into_iter().flat_map(|state| {
        EVENTS.into_iter().map(move |(name, event)| {
            (state.name(), name, state.step(DriveMode::Auto, event).0.name())
        })
    });
    doc("drive", "attached", arrows, include_str!("machine.golden"))
}

impl State {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Attached { tasked: false } => "attached",
            Self::Attached { tasked: true } => "tasked",
            Self::Promoted { attention: Attention::Working } => "working",
            Self::Promoted { attention: Attention::Parked } => "parked",
            Self::Reattaching => "reattaching",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}
