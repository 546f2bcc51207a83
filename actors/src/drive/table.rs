//! The `drives` table: which sessions are promoted, so that a restart knows.

use rusqlite::{Connection, params};

use crate::caller::Owner;
use crate::settings::{DriveMode, DriveSettings, NotifyMode, ReadMode};
use crate::store::StoreError;
use std::time::Duration;

/// A promoted drive as it is stored.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) session_id: String,
    pub(super) allow_id: String,
    pub(super) owner: Owner,
    pub(super) promoted_ms: i64,
    pub(super) cost_usd_max: Option<f64>,
    pub(super) notify: NotifyMode,
    /// Between two signs of life; 0: none.
    pub(super) heartbeat_ms: i64,
}

pub(super) fn save(tx: &Connection, row: &Row) -> Result<(), StoreError> {
    tx.execute(
        "INSERT OR REPLACE INTO drives
             (session_id, allow_id, agent_id, session_key, promoted_ms, cost_usd_max, notify,
              heartbeat_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            row.session_id,
            row.allow_id,
            row.owner.agent_id,
            row.owner.session_key,
            row.promoted_ms,
            row.cost_usd_max,
            word(row.notify),
            row.heartbeat_ms
        ],
    )?;
    // A session that was done and got a new task needs its journal again.
    tx.execute("DELETE FROM journals_done WHERE session_id = ?1", [&row.session_id])?;
    Ok(())
}

pub(super) fn remove(tx: &Connection, session_id: &str) -> Result<(), StoreError> {
    tx.execute("DELETE FROM drives WHERE session_id = ?1", [session_id])?;
    Ok(())
}

pub(super) fn all(tx: &Connection) -> Result<Vec<Row>, StoreError> {
    let mut statement = tx.prepare(
        "SELECT session_id, allow_id, agent_id, session_key, promoted_ms, cost_usd_max, notify,
                heartbeat_ms
         FROM drives ORDER BY promoted_ms",
    )?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let notify: String = row.get(6)?;
        found.push(Row {
            session_id: row.get(0)?,
            allow_id: row.get(1)?,
            owner: Owner { agent_id: row.get(2)?, session_key: row.get(3)? },
            promoted_ms: row.get(4)?,
            cost_usd_max: row.get(5)?,
            notify: [NotifyMode::Terminal, NotifyMode::All, NotifyMode::None]
                .into_iter()
                .find(|mode| word(*mode) == notify)
                .ok_or(StoreError::BadRow(format!("drive notify {notify}")))?,
            heartbeat_ms: row.get(7)?,
        });
    }
    Ok(found)
}

fn word(mode: NotifyMode) -> &'static str {
    match mode {
        NotifyMode::Terminal => "terminal",
        NotifyMode::All => "all",
        NotifyMode::None => "none",
    }
}

impl Row {
    /// Settings for a drive that is promoted already: mode and durability have been decided.
    pub(super) fn settings(&self) -> DriveSettings {
        DriveSettings {
            mode: DriveMode::Auto,
            read_mode: ReadMode::Digest,
            durable: true,
            heartbeat: Duration::ZERO,
            cost_usd_max: self.cost_usd_max,
            notify: self.notify,
            heartbeat_notify: Duration::from_millis(self.heartbeat_ms.unsigned_abs()),
        }
    }
}
