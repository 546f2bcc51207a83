//! The `audit` table.

use rusqlite::{Connection, Row, named_params, params};

use super::entry::{AuditFilter, AuditRecord, Stamped};
use crate::clock;
use crate::store::StoreError;

const LIMIT_DEFAULT: u32 = 100;
pub(super) const LIMIT_MAX: u32 = 1_000;
/// Records kept: some 300 MiB, months of a busy service.
const KEPT_MAX: i64 = 1_000_000;
/// Rows removed in one go.
const PRUNE_MAX: i64 = 5_000;

pub(super) fn insert(tx: &Connection, entries: &[Stamped]) -> Result<(), StoreError> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO audit (time_ms, action, agent_id, session_key, role, token_id, session_id,
                            outcome, request_id, payload, details)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for Stamped { time_ms, entry } in entries {
        let details = serde_json::to_string(&entry.details)
            .map_err(|e| StoreError::BadRow(format!("audit details: {e}")))?;
        insert.execute(params![
            time_ms,
            entry.action.as_str(),
            entry.owner.as_ref().map(|owner| &owner.agent_id),
            entry.owner.as_ref().map(|owner| &owner.session_key),
            entry.role.map(crate::caller::Role::as_str),
            entry.token_id,
            entry.session_id,
            entry.outcome.as_str(),
            entry.request_id,
            entry.payload.as_ref().map(policy::SafeText::as_str),
            details
        ])?;
    }
    Ok(())
}

pub(super) fn query(tx: &Connection, filter: &AuditFilter) -> Result<Vec<AuditRecord>, StoreError> {
    let limit = filter.limit.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX);
    // The latest when nothing says where to begin.
    let order = if filter.since_ms.is_some() { "ASC" } else { "DESC" };
    let mut statement = tx.prepare_cached(&format!(
        "SELECT id, time_ms, action, agent_id, session_key, role, token_id, session_id, outcome,
                request_id, payload, details
         FROM audit
         WHERE (:session IS NULL OR session_id = :session)
           AND (:since IS NULL OR time_ms >= :since)
         ORDER BY id {order} LIMIT :limit"
    ))?;
    let mut rows = statement.query(named_params! {
        ":session": filter.session_id, ":since": filter.since_ms, ":limit": limit,
    })?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(record(row)?);
    }
    if filter.since_ms.is_none() {
        records.reverse();
    }
    Ok(records)
}

fn record(row: &Row<'_>) -> Result<AuditRecord, StoreError> {
    let details: String = row.get(11)?;
    Ok(AuditRecord {
        id: row.get(0)?,
        time: clock::rfc3339(row.get(1)?),
        action: row.get(2)?,
        agent_id: row.get(3)?,
        session_key: row.get(4)?,
        role: row.get(5)?,
        token_id: row.get(6)?,
        session_id: row.get(7)?,
        outcome: row.get(8)?,
        request_id: row.get(9)?,
        payload: row.get(10)?,
        details: serde_json::from_str(&details)
            .map_err(|e| StoreError::BadRow(format!("audit details: {e}")))?,
    })
}

/// Removes what is over the limit, oldest first, a bounded number of rows.
pub(super) fn prune(tx: &Connection) -> Result<(), StoreError> {
    tx.prepare_cached(
        "DELETE FROM audit WHERE id IN (
             SELECT id FROM audit
             WHERE id <= (SELECT coalesce(max(id), 0) FROM audit) - ?1 ORDER BY id LIMIT ?2)",
    )?
    .execute([KEPT_MAX, PRUNE_MAX])?;
    Ok(())
}
