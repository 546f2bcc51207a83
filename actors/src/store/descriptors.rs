//! Session descriptors: what recovery needs to find a session's worker again.

use rusqlite::params;

use super::{Store, StoreError};
use crate::clock;

/// A stored descriptor. The JSON is the session's business; the version says which reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescriptorRow {
    pub session_id: String,
    pub version: u32,
    pub json: String,
}

impl Store {
    /// Saves or replaces a descriptor; on return it survives a power cut.
    ///
    /// # Errors
    /// The disk refused: the session must not be started.
    pub async fn descriptor_save(
        &self,
        session_id: &str,
        version: u32,
        json: String,
    ) -> Result<(), StoreError> {
        let session_id = session_id.to_owned();
        let now = clock::unix_ms();
        self.write(move |tx| {
            tx.prepare_cached(
                "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4) ON CONFLICT (session_id) DO UPDATE
                 SET version = ?2, descriptor = ?3, updated_ms = ?4",
            )?
            .execute(params![session_id, version, json, now])?;
            Ok(())
        })
        .await
    }

    /// # Errors
    /// The disk refused; the next recovery will then meet the session once more.
    pub async fn descriptor_remove(&self, session_id: &str) -> Result<(), StoreError> {
        let session_id = session_id.to_owned();
        self.write(move |tx| {
            tx.prepare_cached("DELETE FROM sessions WHERE session_id = ?1")?
                .execute([session_id])?;
            Ok(())
        })
        .await
    }

    /// All descriptors, oldest change first.
    ///
    /// # Errors
    /// The database cannot be read.
    pub async fn descriptors(&self) -> Result<Vec<DescriptorRow>, StoreError> {
        self.read(|tx| {
            let mut statement = tx.prepare_cached(
                "SELECT session_id, version, descriptor FROM sessions ORDER BY updated_ms, rowid",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(DescriptorRow {
                    session_id: row.get(0)?,
                    version: row.get(1)?,
                    json: row.get(2)?,
                })
            })?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        })
        .await
    }
}
