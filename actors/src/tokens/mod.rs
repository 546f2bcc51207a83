//! Who may call: bearer tokens of 32 random bytes, of which only the SHA-256 is kept.
//!
//! `create`, `list` and `revoke` work on the data dir, with or without a running daemon. The
//! daemon asks `Tokens`, which answers from memory and looks at a generation number in the
//! database whenever its knowledge is older than a quarter of a second: a revoked token is
//! refused within that time, a new one works at once.
//!
//! A secret is shown once, is never logged and never stored. Comparison is in constant time.
//! What it does not do: decide what a role may do.

mod cache;
mod commands;
mod error;
mod first_start;
mod rows;
mod secret;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::caller::{Origin, Role};

pub use cache::Tokens;
pub use commands::{create, list, revoke};
pub use error::{AuthError, TokenError};
pub use first_start::{ADMIN_TOKEN_FILE, ensure_admin_token};

/// What a token is made for.
#[derive(Debug, Clone)]
pub struct NewToken {
    pub role: Role,
    pub agent_id: String,
    pub origin: Origin,
    pub name: Option<String>,
    /// `None`: valid until revoked.
    pub ttl: Option<Duration>,
}

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenInfo {
    /// `tok_<16 hex>`
    pub id: String,
    pub role: Role,
    pub agent_id: String,
    pub origin: Origin,
    pub name: Option<String>,
    /// RFC 3339, as all times here.
    pub created_at: String,
    pub expires_at: Option<String>,
    pub last_used_at: Option<String>,
}

/// Whom a bearer token stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub token_id: String,
    pub role: Role,
    pub agent_id: String,
    pub origin: Origin,
}
