//! Everything a session accepts. Each call is answered exactly once through its `reply`; a
//! dropped `reply` (the caller went away) changes nothing about what was begun.

use actix::Message;
use tokio::sync::oneshot;

use crate::caller::Caller;
use crate::error::Error;
use crate::events::{Cap, EvictionReason};
use crate::session_types::{
    KillReply, KillSignal, LiveStream, Read, ReadReply, SendKey, SendReply, SendText, StatusReply,
    Wait, WaitReply,
};

pub(crate) type Answer<T> = oneshot::Sender<Result<T, Error>>;

/// From the facade: one of the tools. All but `Kill` count against the entry's requests.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) enum Call {
    /// A fresh look; moves no clock.
    Read {
        caller: Caller,
        read: Read,
        reply: Answer<ReadReply>,
    },
    /// Queued behind earlier sends; resets the idle clock.
    SendText {
        caller: Caller,
        send: SendText,
        reply: Answer<SendReply>,
    },
    SendKey {
        caller: Caller,
        send: SendKey,
        reply: Answer<SendReply>,
    },
    /// Held by the session until it is over; blocks nothing.
    Wait {
        caller: Caller,
        wait: Wait,
        reply: Answer<WaitReply>,
    },
    Status {
        reply: Answer<StatusReply>,
    },
    Resize {
        caller: Caller,
        cols: u16,
        rows: u16,
        reply: Answer<()>,
    },
    /// Answered when everything is gone.
    Kill {
        caller: Option<Caller>,
        signal: KillSignal,
        reply: Answer<KillReply>,
    },
    Live {
        reply: Answer<LiveStream>,
    },
}

/// From the reaper: a cap was reached; the session ends and says which.
#[derive(Message, Debug, Clone, Copy)]
#[rtype(result = "()")]
pub(crate) struct Evict {
    pub(crate) reason: EvictionReason,
    pub(crate) limit: Cap,
}

/// From the heartbeat: is the worker there? Costs one look.
#[derive(Message, Debug, Clone, Copy)]
#[rtype(result = "()")]
pub(crate) struct Heartbeat;

/// From the registry: nobody will ask again; and from the drain, before the event log closes.
/// A live durable program is left running.
#[derive(Message, Debug, Clone, Copy)]
#[rtype(result = "()")]
pub(crate) struct Forget;
