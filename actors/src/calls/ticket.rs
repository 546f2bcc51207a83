//! The right to finish one call.

use actix::Addr;

use super::actor::CallsActor;
use super::messages::Abandon;

/// Held by whoever runs the tool. Dropped unfinished, the call is abandoned: that is how a
/// lost connection or a panicking task becomes known.
pub struct CallTicket {
    handle: String,
    actor: Option<Addr<CallsActor>>,
}

impl CallTicket {
    pub(super) fn new(handle: String, actor: Addr<CallsActor>) -> Self {
        Self { handle, actor: Some(actor) }
    }

    /// `call_<hex>`; collectable once it was handed out.
    #[must_use]
    pub fn handle(&self) -> &str {
        &self.handle
    }

    pub(super) fn spend(mut self) -> String {
        self.actor = None;
        self.handle.clone()
    }
}

impl Drop for CallTicket {
    fn drop(&mut self) {
        if let Some(actor) = self.actor.take()
            && actor.try_send(Abandon { handle: self.handle.clone() }).is_err()
        {
            // The entry stays open until the restart marks it as interrupted.
            tracing::warn!("an abandoned call could not be reported");
        }
    }
}

impl std::fmt::Debug for CallTicket {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "CallTicket({})", self.handle)
    }
}
