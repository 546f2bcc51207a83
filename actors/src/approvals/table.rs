//! The `approvals` table.

use rusqlite::{Connection, params};

use super::messages::ApprovalRequest;
use crate::caller::Owner;
use crate::store::StoreError;

/// How long resolved approvals can be looked up.
const RESOLVED_KEPT_MS: i64 = 30 * 24 * 3600 * 1000;

pub(super) fn insert(
    tx: &Connection,
    id: &str,
    request: &ApprovalRequest,
    now_ms: i64,
    expires_ms: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO approvals (id, agent_id, session_key, session_id, kind, fingerprint, summary,
                                state, created_ms, expires_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'pending', ?8, ?9)",
        params![
            id,
            request.owner.agent_id,
            request.owner.session_key,
            request.session_id,
            request.kind.as_str(),
            request.fingerprint.0,
            request.summary.to_string(),
            now_ms,
            expires_ms
        ],
    )?;
    tx.execute(
        "DELETE FROM approvals WHERE state <> 'pending' AND resolved_ms < ?1",
        [now_ms - RESOLVED_KEPT_MS],
    )?;
    Ok(())
}

pub(super) struct Resolution {
    pub(super) state: &'static str,
    pub(super) now_ms: i64,
    pub(super) by: Option<String>,
    pub(super) note: Option<String>,
}

pub(super) fn resolve(tx: &Connection, id: &str, how: &Resolution) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE approvals SET state = ?2, resolved_ms = ?3, resolved_by = ?4, note = ?5
         WHERE id = ?1 AND state = 'pending'",
        params![id, how.state, how.now_ms, how.by, how.note],
    )?;
    Ok(())
}

/// A pending approval of an earlier life.
pub(super) struct Leftover {
    pub(super) id: String,
    pub(super) owner: Owner,
    pub(super) session_id: Option<String>,
    pub(super) kind: String,
}

/// Marks everything pending as expired and says what that was.
pub(super) fn expire_leftovers(tx: &Connection, now_ms: i64) -> Result<Vec<Leftover>, StoreError> {
    let mut statement = tx.prepare(
        "UPDATE approvals SET state = 'expired', resolved_ms = ?1 WHERE state = 'pending'
         RETURNING id, agent_id, session_key, session_id, kind",
    )?;
    let rows = statement.query_map([now_ms], |row| {
        Ok(Leftover {
            id: row.get(0)?,
            owner: Owner { agent_id: row.get(1)?, session_key: row.get(2)? },
            session_id: row.get(3)?,
            kind: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
