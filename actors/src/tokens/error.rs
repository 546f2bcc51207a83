//! What can go wrong with tokens.

use crate::store::StoreError;

/// Making, listing or revoking failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("{what} {why}")]
    Invalid { what: &'static str, why: &'static str },
    #[error("there is no token {id}")]
    NotFound { id: String },
    #[error("no random bytes: {0}")]
    Random(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TokenError {
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound { .. } => {
                Some("`ttydrive token list` shows the ids; check --data-dir".to_owned())
            }
            Self::Store(error) => error.hint().map(str::to_owned),
            Self::Invalid { .. } | Self::Random(_) => None,
        }
    }
}

impl From<rusqlite::Error> for TokenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

/// A bearer was refused, or could not be looked up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthError {
    /// Unknown, revoked and expired tokens look alike.
    #[error("the token is not valid")]
    Refused,
    #[error(transparent)]
    Store(#[from] StoreError),
}
