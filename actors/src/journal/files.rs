//! Journals on disk.

use std::path::PathBuf;

use rusqlite::{Connection, params};

use super::{Journal, format};
use crate::clock;
use crate::store::{Store, StoreError, read_private, remove_durably, set_aside, write_private};

/// A full journal has some 10 KiB; anything much larger is not ours.
const FILE_BYTES_MAX: u64 = 256 * 1024;
/// How long the journal of a drive that was done is kept (contract).
const DONE_KEPT_MS: i64 = 7 * 24 * 3600 * 1000;
/// Files removed in one go.
const PRUNE_MAX: i64 = 100;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    #[error("`{name}` cannot be part of a file name")]
    BadName { name: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What was found for a session.
#[derive(Debug, Clone, PartialEq)]
pub enum Loaded {
    Journal(Box<Journal>),
    Missing,
    /// It was damaged and lies beside under this name now.
    SetAside {
        file: String,
        why: String,
    },
}

/// Cheap to clone, usable from any thread.
#[derive(Clone)]
pub struct Journals {
    store: Store,
}

impl Journals {
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// Replaces the journal. On return it survives a power cut.
    ///
    /// # Errors
    /// The disk refused; the old journal is still there.
    pub async fn save(&self, agent_id: &str, journal: &Journal) -> Result<(), JournalError> {
        let (dir, name) = self.place(agent_id, &journal.session_id)?;
        let json = format::to_json(journal);
        blocking(move || write_private(&dir, &name, json.as_bytes())).await
    }

    /// # Errors
    /// The disk refused. Damage is not an error: the file is set aside.
    pub async fn load(&self, agent_id: &str, session_id: &str) -> Result<Loaded, JournalError> {
        let (dir, name) = self.place(agent_id, session_id)?;
        let expected = session_id.to_owned();
        blocking(move || {
            let bytes = match read_private(&dir.join(&name), FILE_BYTES_MAX) {
                Ok(Some(bytes)) => bytes,
                Ok(None) => return Ok(Loaded::Missing),
                // Too long or unreadable: as damaged as any other nonsense.
                Err(StoreError::File { .. }) => Vec::new(),
                Err(error) => return Err(error),
            };
            let read = format::from_json(&bytes).and_then(|journal| {
                if journal.session_id == expected {
                    Ok(journal)
                } else {
                    Err(format!("it belongs to session {}", journal.session_id))
                }
            });
            match read {
                Ok(journal) => Ok(Loaded::Journal(Box::new(journal))),
                Err(why) => {
                    let file = set_aside(&dir, &name, clock::unix_ms())?;
                    tracing::error!(
                        session = expected,
                        file,
                        why,
                        "a damaged journal is set aside"
                    );
                    Ok(Loaded::SetAside { file, why })
                }
            }
        })
        .await
    }

    /// Notes that the drive was done: its journal goes in seven days.
    ///
    /// # Errors
    /// The disk refused.
    pub async fn done(&self, agent_id: &str, session_id: &str) -> Result<(), JournalError> {
        self.place(agent_id, session_id)?;
        let (agent, session) = (agent_id.to_owned(), session_id.to_owned());
        let at = clock::unix_ms().saturating_add(DONE_KEPT_MS);
        let noted = self.store.write(move |tx| {
            tx.execute(
                "INSERT OR REPLACE INTO journals_done VALUES (?1, ?2, ?3)",
                params![session, agent, at],
            )?;
            Ok(())
        });
        Ok(noted.await?)
    }

    /// Removes what is due at `now_ms`; returns how many. For a reconciler, every now and then.
    ///
    /// # Errors
    /// The disk refused; the rest goes next time.
    pub async fn prune(&self, now_ms: i64) -> Result<usize, JournalError> {
        let due = self.store.read(move |tx| due(tx, now_ms)).await?;
        let count = due.len();
        for (session, agent) in due {
            let (dir, name) = self.place(&agent, &session)?;
            blocking(move || remove_durably(&dir, &name)).await?;
            let gone = self.store.write(move |tx| {
                tx.execute("DELETE FROM journals_done WHERE session_id = ?1", [session])?;
                Ok(())
            });
            gone.await?;
        }
        Ok(count)
    }

    fn place(&self, agent_id: &str, session_id: &str) -> Result<(PathBuf, String), JournalError> {
        for name in [agent_id, session_id] {
            let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
            if name.is_empty() || name.starts_with('.') || !name.bytes().all(plain) {
                return Err(JournalError::BadName { name: name.to_owned() });
            }
        }
        let dir = self.store.data_dir().join("terminal-drive").join(agent_id).join("journals");
        Ok((dir, format!("{session_id}.json")))
    }
}

fn due(tx: &Connection, now_ms: i64) -> Result<Vec<(String, String)>, StoreError> {
    let mut statement = tx.prepare_cached(
        "SELECT session_id, agent_id FROM journals_done WHERE remove_at_ms <= ?1 LIMIT ?2",
    )?;
    let rows = statement.query_map([now_ms, PRUNE_MAX], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, JournalError> {
    Ok(tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::Stopped)??)
}
