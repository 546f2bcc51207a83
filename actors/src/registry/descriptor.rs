//! What is written down of a session before it starts, so that a later service finds it again.
//! Old samples must load for ever: new fields are optional.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::caller::{Origin, Owner};
use crate::session::Card;
use crate::settings::Backend;

pub(crate) const VERSION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Descriptor {
    pub(crate) session_id: String,
    pub(crate) agent_id: String,
    pub(crate) session_key: String,
    pub(crate) origin: String,
    pub(crate) allow_id: String,
    pub(crate) sha256: String,
    pub(crate) name: String,
    pub(crate) project: Option<String>,
    pub(crate) cwd: PathBuf,
    pub(crate) created_ms: i64,
    pub(crate) cols: u16,
    pub(crate) rows: u16,
    pub(crate) tmux: bool,
    pub(crate) durable: bool,
    pub(crate) uid_slot: u32,
}

impl Descriptor {
    pub(crate) fn of(card: &Card) -> Self {
        let now = card.now();
        Self {
            session_id: card.id.clone(),
            agent_id: card.owner.agent_id.clone(),
            session_key: card.owner.session_key.clone(),
            origin: card.origin.as_str().to_owned(),
            allow_id: card.entry.id.clone(),
            sha256: card.entry.sha256.clone(),
            name: card.name.clone(),
            project: card.project.clone(),
            cwd: card.cwd.clone(),
            created_ms: card.created_ms,
            cols: now.cols,
            rows: now.rows,
            tmux: card.backend == Backend::Tmux,
            durable: card.durable,
            uid_slot: card.uid_slot,
        }
    }

    pub(crate) fn owner(&self) -> Owner {
        Owner { agent_id: self.agent_id.clone(), session_key: self.session_key.clone() }
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin::from_word(&self.origin).unwrap_or(Origin::Interactive)
    }

    pub(crate) fn backend(&self) -> Backend {
        if self.tmux { Backend::Tmux } else { Backend::Spawn }
    }
}

#[cfg(test)]
mod tests {
    use super::Descriptor;

    #[test]
    fn the_first_version_loads() {
        let json = r#"{"sessionId":"ts_1","agentId":"a","sessionKey":"main","origin":"unattended",
            "allowId":"bash","sha256":"00","name":"bash","project":null,"cwd":"/w",
            "createdMs":5,"cols":80,"rows":24,"tmux":false,"durable":true,"uidSlot":3}"#;
        let read: Descriptor = serde_json::from_str(json).unwrap();
        assert_eq!((read.uid_slot, read.origin().as_str()), (3, "unattended"));
        assert_eq!(read.owner().session_key, "main");
    }
}
