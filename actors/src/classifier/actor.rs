//! Runs one attention machine per session and tells its edges to the event log.

use std::collections::HashMap;

use actix::{Actor, Addr, Context, Handler};
use policy::{Classification, Kind};

use super::machine::{Effect, Event, State};
use super::messages::{Perceived, Sight};
use crate::events::{Emit, Event as Fact, Events, StuckReason};
use crate::limits::SERVICE_INBOX;

pub(crate) struct ClassifierActor {
    events: Events,
    /// Ended sessions are not in here.
    sessions: HashMap<String, State>,
}

impl ClassifierActor {
    pub(crate) fn begin(events: Events) -> Addr<Self> {
        Self::create(|ctx| {
            ctx.set_mailbox_capacity(SERVICE_INBOX);
            Self { events, sessions: HashMap::new() }
        })
    }

    fn tell(&self, perceived: Perceived, verdict: &Classification, effect: Effect) {
        let event = match effect {
            Effect::InputNeeded => Fact::InputNeeded {
                state: verdict.state,
                kind: verdict.kind.unwrap_or(Kind::Unknown),
                reason: verdict.reason,
                confidence: verdict.confidence,
            },
            Effect::Stuck => Fact::Stuck {
                no_progress: perceived.no_progress,
                reason: StuckReason::Classified(verdict.reason),
                confidence: verdict.confidence,
            },
        };
        self.events.emit(Emit {
            owner: Some(perceived.owner),
            session_id: Some(perceived.session_id),
            event,
        });
    }
}

impl Actor for ClassifierActor {
    type Context = Context<Self>;
}

impl Handler<Perceived> for ClassifierActor {
    type Result = ();

    fn handle(&mut self, mut perceived: Perceived, _: &mut Self::Context) {
        let event = match perceived.sight {
            Sight::Works => Event::Works,
            Sight::Awaits { renewed } => Event::Awaits { renewed },
            Sight::Hangs => Event::Hangs,
            Sight::Ended => Event::Ended,
        };
        let state = self.sessions.get(&perceived.session_id).copied().unwrap_or(State::Working);
        let (next, effect) = state.step(event);
        match next {
            State::Ended => {
                self.sessions.remove(&perceived.session_id);
            }
            State::Working | State::Awaiting | State::Stuck => {
                self.sessions.insert(perceived.session_id.clone(), next);
            }
        }
        if let (Some(effect), Some(verdict)) = (effect, perceived.verdict.take()) {
            self.tell(perceived, &verdict, effect);
        }
    }
}
