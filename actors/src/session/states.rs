//! The machines of a session as pictures and tables.

use policy::Exit;

use super::machine::{Activity, Event, LostReason, State};
use super::{send, wait};
use crate::session_types::WaitReason;
use crate::states::{Arrow, MachineDoc, doc};

const NOW: i64 = 1_000;

/// Every state, with plain data in it.
pub(crate) const STATES: [State; 8] = [
    State::Created,
    State::Running { activity: Activity::Working },
    State::Running { activity: Activity::AwaitingInput },
    State::Running { activity: Activity::Stuck },
    State::Ending { until_ms: NOW, hard: false },
    State::Ending { until_ms: NOW, hard: true },
    State::Exited { exit: Exit::Code(0) },
    State::Lost { reason: LostReason::Worker },
];

/// Every event, with its name in pictures.
pub(crate) const EVENTS: [(&str, Event); 12] = [
    ("started", Event::Started),
    ("works", Event::Perceived(Activity::Working)),
    ("prompts", Event::Perceived(Activity::AwaitingInput)),
    ("hangs", Event::Perceived(Activity::Stuck)),
    ("kill", Event::KillAsked { signal: 15, until_ms: NOW + 2_000 }),
    ("kill -9", Event::KillAsked { signal: 9, until_ms: NOW + 5_000 }),
    ("not yet time", Event::TimePassed { now_ms: NOW - 1, hard_until_ms: NOW + 5_000 }),
    ("time is up", Event::TimePassed { now_ms: NOW, hard_until_ms: NOW + 5_000 }),
    ("program ended", Event::Ended(Exit::Code(7))),
    ("all gone", Event::AllGone),
    ("worker gone", Event::WorkerGone),
    ("step panicked", Event::Broken),
];

pub(crate) fn states() -> Vec<MachineDoc> {
    vec![session(), sending(), waiting()]
}

fn short(name: &'static str) -> &'static str {
    // Mermaid takes no colon in a name.
    match name {
        "running: working" => "working",
        "running: awaiting-input" => "awaiting_input",
        "running: stuck" => "stuck",
        other => other,
    }
}

fn session() -> MachineDoc {
    let arrows = STATES.into_iter().flat_map(|state| {
        EVENTS.into_iter().map(move |(name, event)| -> Arrow {
            (short(state.name()), name, short(state.step(event).0.name()))
        })
    });
    doc("session", "created", arrows, include_str!("machine.golden"))
}

/// The plan of the printed tables.
pub(crate) const PLAN: send::Plan = send::Plan {
    submit: true,
    settle_ms: 120,
    typed_settle_ms: 120,
    deadline_ms: 15_000,
    check_ms_max: 300,
    typed_ms_max: 2_000,
    effect_ms_max: 3_000,
};

pub(crate) const SEND_STATES: [send::State; 7] = [
    send::State::Checking { since_ms: NOW },
    send::State::Typing,
    send::State::Settling { since_ms: NOW, written: 5 },
    send::State::Submitting { written: 5 },
    send::State::Confirming { since_ms: NOW, written: 6, effect_at_ms: None },
    send::State::Confirming { since_ms: NOW, written: 6, effect_at_ms: Some(NOW) },
    send::State::Done,
];

const fn seen(still_ms: i64, refusal: Option<send::Refusal>, effect: bool) -> send::Event {
    send::Event::Seen(send::Seen {
        now_ms: NOW + 10,
        still_ms: Some(still_ms),
        refusal,
        effect,
        queued: false,
    })
}

pub(crate) const SEND_EVENTS: [(&str, send::Event); 10] = [
    ("still", seen(200, None, false)),
    ("moving", seen(0, None, false)),
    ("dialog seen", seen(200, Some(send::Refusal::DialogOpen), false)),
    ("changed, still", seen(200, None, true)),
    ("changed, moving", seen(0, None, true)),
    (
        "queued",
        send::Event::Seen(send::Seen {
            now_ms: NOW + 10,
            still_ms: Some(200),
            refusal: None,
            effect: true,
            queued: true,
        }),
    ),
    ("all taken", send::Event::Written { now_ms: NOW, bytes: 5, complete: true }),
    ("part taken", send::Event::Written { now_ms: NOW, bytes: 2, complete: false }),
    ("deadline", send::Event::TimePassed { now_ms: 15_000 }),
    ("program ended", send::Event::Ended),
];

/// How it ended, for pictures: the answer instead of `done`.
fn send_target(state: send::State, event: send::Event) -> &'static str {
    use crate::session_types::Outcome;
    let (next, effects) = state.step(&PLAN, event);
    let end = effects.iter().find_map(|effect| match effect {
        send::Effect::Refuse(_) => Some("refused"),
        send::Effect::Answer { outcome, .. } => Some(match outcome {
            Outcome::Delivered => "delivered",
            Outcome::Submitted => "submitted",
            Outcome::Queued => "queued",
            Outcome::Stalled => "stalled",
        }),
        send::Effect::WriteInput | send::Effect::WriteEnter => None,
    });
    end.unwrap_or_else(|| next.name())
}

fn sending() -> MachineDoc {
    let running = SEND_STATES.into_iter().filter(|state| *state != send::State::Done);
    let arrows = running.flat_map(|state| {
        SEND_EVENTS
            .into_iter()
            .map(move |(name, event)| -> Arrow { (state.name(), name, send_target(state, event)) })
    });
    doc("send", "checking", arrows, include_str!("send/machine.golden"))
}

/// Everything armed.
pub(crate) const ARMED: wait::Conditions =
    wait::Conditions { idle_ms: Some(120), text: true, state: true, deadline_ms: NOW };

pub(crate) const WAIT_STATES: [wait::State; 6] = [
    wait::State::Armed(ARMED),
    wait::State::Over(WaitReason::Text),
    wait::State::Over(WaitReason::State),
    wait::State::Over(WaitReason::Exit),
    wait::State::Over(WaitReason::Idle),
    wait::State::Over(WaitReason::Timeout),
];

const fn look(text: bool, state: bool, exited: bool, still_ms: Option<i64>) -> wait::Event {
    wait::Event::Seen(wait::Seen { now_ms: NOW - 1, text, state, exited, still_ms })
}

pub(crate) const WAIT_EVENTS: [(&str, wait::Event); 8] = [
    ("nothing yet", look(false, false, false, Some(119))),
    ("text seen", look(true, true, true, Some(120))),
    ("state seen", look(false, true, true, Some(120))),
    ("program ended", look(false, false, true, Some(120))),
    ("still", look(false, false, false, Some(120))),
    ("inside an update", look(false, false, false, None)),
    ("not yet time", wait::Event::TimePassed { now_ms: NOW - 1 }),
    ("time is up", wait::Event::TimePassed { now_ms: NOW }),
];

fn waiting() -> MachineDoc {
    let arrows = WAIT_STATES.into_iter().flat_map(|state| {
        WAIT_EVENTS
            .into_iter()
            .map(move |(name, event)| -> Arrow { (state.name(), name, state.step(event).0.name()) })
    });
    doc("wait", "armed", arrows, include_str!("wait/machine.golden"))
}
