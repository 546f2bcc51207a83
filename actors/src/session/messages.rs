//! Everything a session actor accepts.

use actix::Message;
use tokio::sync::oneshot;

use super::view::View;
use crate::session_types::{KillReply, KillSignal};

/// From a send or a human: bytes went to the program. Moves the anchor of `forState` and
/// re-arms attention. No reply.
#[derive(Message)]
#[rtype(result = "()")]
pub struct InputSent {
    /// A whole interaction, such as one tool call; parts of one count once.
    pub counts: bool,
}

/// From a send or the heartbeat: look at the program now and classify what is there.
/// Answered with the view after it; costs a round trip to the worker.
#[derive(Message)]
#[rtype(result = "()")]
pub struct LookNow {
    pub with_tree: bool,
    pub reply: Option<oneshot::Sender<View>>,
}

/// From the kill tool, the reaper and the drain. Answered when everything the session
/// started is gone.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Kill {
    pub signal: KillSignal,
    pub reply: Option<oneshot::Sender<KillReply>>,
}

/// From every tool call on the session: counts against `maxRequestsPerSession`. No anchor
/// moves.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Requested;

/// From the drain: let go of the worker and leave the program running.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Detach;
