//! Who may have one more session, and whom that costs its place. Pure.
//!
//! ```text
//! reserve: room ───────────────────────────▶ accepted
//!          full, a finished one is there ──▶ accepted, that one is forgotten
//!          full ───────────────────────────▶ refused, the limit named
//! ```

/// A session, as far as places go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) session_id: String,
    pub(crate) agent_id: String,
    pub(crate) allow_id: String,
    /// Still being created counts as alive.
    pub(crate) alive: bool,
    pub(crate) last_activity_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// `worker.maxSessions`
    pub(crate) agent: usize,
    /// `limits.maxSessions` of the allow entry.
    pub(crate) entry: Option<usize>,
    pub(crate) service: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    Agent(usize),
    Entry(usize),
    Service(usize),
}

impl Limit {
    /// As the operator wrote it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Agent(_) => "worker.maxSessions",
            Self::Entry(_) => "limits.maxSessions",
            Self::Service(_) => "the service's own limit of sessions",
        }
    }

    pub(crate) fn value(self) -> usize {
        match self {
            Self::Agent(value) | Self::Entry(value) | Self::Service(value) => value,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Forget these first, least recently active first, each for its limit.
    Accept {
        evict: Vec<(String, Limit)>,
    },
    Refuse(Limit),
}

/// One more session of this agent with this allow entry.
pub(crate) fn admit(taken: &[Taken], agent_id: &str, allow_id: &str, limits: Limits) -> Decision {
    let mut left: Vec<&Taken> = taken.iter().collect();
    let mut evict = Vec::new();
    let rules = [
        limits.entry.map(Limit::Entry),
        Some(Limit::Agent(limits.agent)),
        Some(Limit::Service(limits.service)),
    ];
    for limit in rules.into_iter().flatten() {
        let counts = |session: &Taken| match limit {
            Limit::Entry(_) => session.agent_id == agent_id && session.allow_id == allow_id,
            Limit::Agent(_) => session.agent_id == agent_id,
            Limit::Service(_) => true,
        };
        while left.iter().filter(|session| counts(session)).count() >= limit.value() {
            let oldest = left
                .iter()
                .enumerate()
                .filter(|(_, session)| counts(session) && !session.alive)
                .min_by_key(|(_, session)| session.last_activity_ms)
                .map(|(index, _)| index);
            let Some(index) = oldest else { return Decision::Refuse(limit) };
            evict.push((left.remove(index).session_id.clone(), limit));
        }
    }
    Decision::Accept { evict }
}
