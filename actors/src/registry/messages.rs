//! What the registry accepts.

use std::sync::Arc;

use actix::{Addr, Message};
use tokio::sync::oneshot;

use crate::caller::{Caller, Owner};
use crate::error::Error;
use crate::session::{Card, SessionActor};
use crate::session_types::{Create, Created};
use crate::settings::Settings;

/// A session as the registry knows it.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) card: Arc<Card>,
    pub(crate) actor: Addr<SessionActor>,
}

/// From the facade: start a program. Runs beside the registry; answered when it runs.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct CreateSession {
    pub(crate) caller: Caller,
    pub(crate) create: Create,
    pub(crate) settings: Arc<Settings>,
    pub(crate) reply: oneshot::Sender<Result<Created, Error>>,
}

/// From a creation that has everything it needs: a place among the sessions, if there is one.
#[derive(Message)]
#[rtype(result = "Result<Place, Error>")]
pub(crate) struct Reserve {
    pub(crate) owner: Owner,
    pub(crate) allow_id: String,
    pub(crate) agent_max: usize,
    pub(crate) entry_max: Option<usize>,
}

/// A reserved place; given back with `Release` or filled with `Add`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) session_id: String,
    pub(crate) uid_slot: u32,
}

/// From a creation that failed.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Release {
    pub(crate) session_id: String,
}

/// From a creation or recovery: here it is.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Add {
    pub(crate) known: Known,
}

/// From the facade: this session, when the caller may see it.
#[derive(Message)]
#[rtype(result = "Option<Known>")]
pub(crate) struct Find {
    pub(crate) caller: Caller,
    pub(crate) session_id: String,
}

/// From the facade, reaper, heartbeat and drain: everything, oldest first.
#[derive(Message)]
#[rtype(result = "Vec<Known>")]
pub(crate) struct All;

/// From the reaper: a finished session nobody has looked at for long is forgotten.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Remove {
    pub(crate) session_id: String,
}
