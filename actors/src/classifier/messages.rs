//! What the classifier accepts.

use std::time::Duration;

use actix::Message;
use policy::Classification;

use crate::caller::Owner;

/// What a look showed, as far as attention is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    Works,
    /// `renewed`: since it was told last, input came or the screen became another.
    Awaits {
        renewed: bool,
    },
    Hangs,
    Ended,
}

/// From a session, after each settled look. No reply; costs at most one event.
#[derive(Message, Debug, Clone)]
#[rtype(result = "()")]
pub(crate) struct Perceived {
    pub(crate) session_id: String,
    pub(crate) owner: Owner,
    pub(crate) sight: Sight,
    /// `None` at the end.
    pub(crate) verdict: Option<Classification>,
    pub(crate) no_progress: Duration,
}
