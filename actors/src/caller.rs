//! Who asks. Stamped by the server from the token and headers, never a tool parameter.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Calls tools, sees only its own sessions.
    Agent,
    /// Reads everything, changes nothing.
    Viewer,
    Admin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    Interactive,
    Unattended,
}

/// Owner of a session: somebody else's session looks exactly like a missing one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner {
    pub agent_id: String,
    pub session_key: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub owner: Owner,
    pub role: Role,
    pub origin: Origin,
    /// Row id of the token; keys idempotency and audit.
    pub token_id: String,
}

impl Caller {
    /// Admin and viewer see all sessions; an agent only its own.
    #[must_use]
    pub fn may_see(&self, owner: &Owner) -> bool {
        match self.role {
            Role::Viewer | Role::Admin => true,
            Role::Agent => self.owner == *owner,
        }
    }
}

impl Role {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Viewer => "viewer",
            Self::Admin => "admin",
        }
    }

    /// The inverse of `as_str`.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Agent, Self::Viewer, Self::Admin].into_iter().find(|role| role.as_str() == word)
    }
}

impl Origin {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Unattended => "unattended",
        }
    }

    /// The inverse of `as_str`.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Interactive, Self::Unattended].into_iter().find(|origin| origin.as_str() == word)
    }
}
