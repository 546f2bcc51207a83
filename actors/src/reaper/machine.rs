//! What has outlived its time. Pure: a view of everything in, actions out; run it again and
//! nothing more happens than has to.

use crate::events::{Cap, EvictionReason};

/// A session as the reaper sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) session_id: String,
    pub(crate) alive: bool,
    /// Its actor answers.
    pub(crate) connected: bool,
    /// Works, or its processes do something.
    pub(crate) busy: bool,
    pub(crate) unattended: bool,
    pub(crate) tasked: bool,
    pub(crate) age_ms: u64,
    pub(crate) quiet_ms: u64,
    /// Zero: never.
    pub(crate) idle_ttl_ms: u64,
    pub(crate) wall_clock_max_ms: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    /// End it and say which cap it was.
    Evict { session_id: String, reason: EvictionReason, limit: Cap },
    /// It has ended long ago, or its actor is gone.
    Forget { session_id: String },
}

pub(crate) fn reconcile(sessions: &[View]) -> Vec<Action> {
    sessions.iter().filter_map(action).collect()
}

fn action(session: &View) -> Option<Action> {
    let session_id = session.session_id.clone();
    let evict =
        |reason, limit| Some(Action::Evict { session_id: session_id.clone(), reason, limit });
    if !session.connected {
        return Some(Action::Forget { session_id });
    }
    let idle = session.idle_ttl_ms > 0 && session.quiet_ms >= session.idle_ttl_ms;
    if !session.alive {
        return idle.then_some(Action::Forget { session_id });
    }
    if let Some(max) = session.wall_clock_max_ms
        && session.age_ms >= max
    {
        let limit = Cap { name: "wall_clock", value: max, unit: "ms" };
        return evict(EvictionReason::WallClock, limit);
    }
    let limit = Cap { name: "idle_ttl", value: session.idle_ttl_ms, unit: "ms" };
    if !idle || session.busy {
        None
    } else if session.unattended && !session.tasked {
        evict(EvictionReason::NeverTasked, limit)
    } else {
        evict(EvictionReason::Idle, limit)
    }
}
