//! Who the program is, outside and inside.

use serde::{Deserialize, Serialize};

use crate::limits::{NAMESPACE_UID, SESSION_UID_COUNT, SESSION_UID_FIRST};
use crate::{Host, JailError, UidMode};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Identity {
    /// A host uid and gid of the session's own. What the operator gave it is shown through
    /// mounts that map the owner to it, so that files stay the service's on disk.
    Host { uid: u32, gid: u32 },
    /// `nobody` in a user namespace; outside it is the service's user.
    Namespace { uid: u32, gid: u32 },
    /// The service's own user.
    Daemon { uid: u32, gid: u32 },
}

impl Identity {
    pub(crate) fn choose(mode: UidMode, slot: u32, host: &Host) -> Result<Self, JailError> {
        match mode {
            UidMode::Daemon => Ok(Self::Daemon { uid: host.uid, gid: host.gid }),
            UidMode::Dedicated if host.uid != 0 => {
                Ok(Self::Namespace { uid: NAMESPACE_UID, gid: NAMESPACE_UID })
            }
            UidMode::Dedicated if !host.can_mount => Err(JailError::Unavailable {
                detail: "the service is root without CAP_SYS_ADMIN (a container?), so it cannot \
                         give a session a uid of its own"
                    .to_owned(),
                fix: "Run the service as an ordinary user, or give the container CAP_SYS_ADMIN."
                    .to_owned(),
            }),
            UidMode::Dedicated => {
                let id = SESSION_UID_FIRST + slot % SESSION_UID_COUNT;
                Ok(Self::Host { uid: id, gid: id })
            }
        }
    }

    /// uid and gid as the program sees them.
    #[must_use]
    pub fn inside(self) -> (u32, u32) {
        match self {
            Self::Host { uid, gid } | Self::Namespace { uid, gid } | Self::Daemon { uid, gid } => {
                (uid, gid)
            }
        }
    }

    /// `host`, `namespace` or `daemon`, as `/v1/posture` says it.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::Host { .. } => "host",
            Self::Namespace { .. } => "namespace",
            Self::Daemon { .. } => "daemon",
        }
    }

    pub(crate) fn user_name(self, host: &Host) -> &str {
        match self {
            Self::Host { .. } => "ttydrive",
            Self::Namespace { .. } => "nobody",
            Self::Daemon { .. } => &host.user,
        }
    }
}
