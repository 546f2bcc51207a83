//! Why something between daemon and worker did not happen.

use crate::codec::CodecError;
use crate::protocol::{PROTOCOL_VERSION, Refusal};

#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    #[error("the worker process could not be started: {0}")]
    Spawn(std::io::Error),
    #[error("the worker could not begin: {message}")]
    Failed { message: String },
    #[error("no connection to the worker: {0}")]
    Connect(std::io::Error),
    #[error("the worker did not answer in time")]
    Timeout,
    #[error("the worker is gone")]
    Closed,
    #[error("too many requests wait for the worker")]
    Busy,
    #[error("the worker speaks protocol {theirs}, this service {PROTOCOL_VERSION}")]
    Version { theirs: u32 },
    #[error("the socket belongs to session {theirs}")]
    WrongSession { theirs: String },
    #[error("the worker link broke: {0}")]
    Protocol(#[from] CodecError),
    #[error("the worker refused: {}", .0.message)]
    Refused(Refusal),
}

impl LinkError {
    /// What to do about it, where that is known here.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Spawn(error) if error.raw_os_error() == Some(nix::libc::EMFILE) => Some(
                "raise the service's limit of open files (LimitNOFILE) or end sessions".to_owned(),
            ),
            Self::Spawn(_) => Some(
                "check that the ttydrive binary is still where the service was started from"
                    .to_owned(),
            ),
            Self::Version { .. } => Some(
                "the session was started by another release; end it and start a new one".to_owned(),
            ),
            Self::Busy => Some("wait for earlier calls on this session to end".to_owned()),
            Self::Failed { .. }
            | Self::Connect(_)
            | Self::Timeout
            | Self::Closed
            | Self::WrongSession { .. }
            | Self::Protocol(_)
            | Self::Refused(_) => None,
        }
    }
}
