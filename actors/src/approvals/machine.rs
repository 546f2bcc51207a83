//! One approval. Pure; drawn in the module above.

/// What an admin says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    Approve,
    Deny,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Pending {
        expires_ms: i64,
    },
    /// Valid for one request; whoever waits takes it at once.
    Granted {
        expires_ms: i64,
    },
    Denied,
    Expired,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Decided(Decision),
    /// Somebody with the same request came (or was still waiting).
    Used,
    TimePassed {
        now_ms: i64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Tell the waiters and the event log.
    Announce,
    /// Nothing refers to it any more.
    Forget,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    Accept,
    /// Decided already; the name of the state is for the message.
    Resolved(&'static str),
}

impl State {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Pending { .. } => "pending",
            Self::Granted { .. } => "granted",
            Self::Denied => "denied",
            Self::Expired => "expired",
        }
    }

    /// May somebody decide it at this moment?
    pub(super) fn admit(self, now_ms: i64) -> Admission {
        match self {
            Self::Pending { expires_ms } if now_ms < expires_ms => Admission::Accept,
            Self::Pending { .. } => Admission::Resolved("expired"),
            Self::Granted { .. } | Self::Denied | Self::Expired => {
                Admission::Resolved(self.as_str())
            }
        }
    }

    pub(super) fn step(self, event: Event) -> (Self, Vec<Effect>) {
        match (self, event) {
            (Self::Pending { expires_ms }, Event::Decided(Decision::Approve)) => {
                (Self::Granted { expires_ms }, vec![Effect::Announce])
            }
            (Self::Pending { .. }, Event::Decided(Decision::Deny)) => {
                (Self::Denied, vec![Effect::Announce, Effect::Forget])
            }
            (Self::Pending { expires_ms }, Event::TimePassed { now_ms })
                if now_ms >= expires_ms =>
            {
                (Self::Expired, vec![Effect::Announce, Effect::Forget])
            }
            (Self::Granted { expires_ms }, Event::TimePassed { now_ms })
                if now_ms >= expires_ms =>
            {
                // It was announced as granted; that nobody used it is no news.
                (Self::Expired, vec![Effect::Forget])
            }
            (Self::Granted { .. }, Event::Used) => (self, vec![Effect::Forget]),
            (Self::Pending { .. } | Self::Granted { .. }, Event::TimePassed { .. })
            | (Self::Pending { .. }, Event::Used)
            | (Self::Granted { .. }, Event::Decided(_))
            | (
                Self::Denied | Self::Expired,
                Event::Decided(_) | Event::Used | Event::TimePassed { .. },
            ) => (self, Vec::new()),
        }
    }
}
