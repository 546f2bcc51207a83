//! The `calls` table: one row for each call that was handed out or carries a key.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::messages::{IdempotencyKey, StoredResponse};
use crate::caller::{Caller, Owner};
use crate::store::StoreError;

/// Rows removed in one go.
pub(super) const PRUNE_MAX: i64 = 1_000;

/// A call as it is stored before or while it runs.
#[derive(Debug, Clone)]
pub(super) struct NewCall {
    pub(super) handle: String,
    pub(super) caller: Caller,
    pub(super) tool: String,
    pub(super) key: Option<IdempotencyKey>,
    pub(super) started_ms: i64,
}

/// Who has a key.
#[derive(Debug)]
pub(super) enum Claimed {
    /// It was free and is ours now.
    Ours,
    Theirs(Box<Known>),
}

/// What a key was used for. A retry is the same in all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) owner: Owner,
    pub(super) tool: String,
    pub(super) body_sha256: [u8; 32],
}

#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) owner: Owner,
    /// `None`: the call had no key.
    pub(super) asked: Option<Asked>,
    /// `None`: interrupted.
    pub(super) response: Option<StoredResponse>,
}

const COLUMNS: &str = "agent_id, session_key, tool, body_sha256, state, status, content_type, body";

/// Takes a key, unless a call in its 24 hours has it.
pub(super) fn claim(tx: &Connection, new: &NewCall) -> Result<Claimed, StoreError> {
    if let Some(key) = &new.key {
        tx.prepare_cached(
            "DELETE FROM calls WHERE token_id = ?1 AND key = ?2 AND keep_until_ms <= ?3",
        )?
        .execute(params![new.caller.token_id, key.key, new.started_ms])?;
        let theirs = tx
            .prepare_cached(&format!(
                "SELECT {COLUMNS} FROM calls WHERE token_id = ?1 AND key = ?2"
            ))?
            .query_row(params![new.caller.token_id, key.key], known)
            .optional()?;
        if let Some(theirs) = theirs {
            return Ok(Claimed::Theirs(Box::new(theirs)));
        }
    }
    insert(tx, new, "running")?;
    Ok(Claimed::Ours)
}

/// Marks a call as handed out; one without a key has no row yet.
pub(super) fn store_pending(tx: &Connection, new: &NewCall) -> Result<(), StoreError> {
    let changed = tx
        .prepare_cached("UPDATE calls SET state = 'pending' WHERE handle = ?1")?
        .execute([&new.handle])?;
    if changed == 0 {
        insert(tx, new, "pending")?;
    }
    Ok(())
}

fn insert(tx: &Connection, new: &NewCall, state: &str) -> Result<(), StoreError> {
    let (key, hash) = new.key.as_ref().map(|k| (k.key.as_str(), k.body_sha256)).unzip();
    tx.prepare_cached(
        "INSERT INTO calls (handle, token_id, agent_id, session_key, tool, key, body_sha256,
                            state, started_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        new.handle,
        new.caller.token_id,
        new.caller.owner.agent_id,
        new.caller.owner.session_key,
        new.tool,
        key,
        hash,
        state,
        new.started_ms
    ])?;
    Ok(())
}

pub(super) fn store_outcome(
    tx: &Connection,
    handle: &str,
    response: &StoredResponse,
    keep_until_ms: i64,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "UPDATE calls SET state = 'finished', status = ?2, content_type = ?3, body = ?4,
                          keep_until_ms = ?5
         WHERE handle = ?1",
    )?
    .execute(params![
        handle,
        response.status,
        response.content_type,
        response.body,
        keep_until_ms
    ])?;
    Ok(())
}

pub(super) fn store_interruption(
    tx: &Connection,
    handle: &str,
    keep_until_ms: i64,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "UPDATE calls SET state = 'interrupted', keep_until_ms = ?2 WHERE handle = ?1",
    )?
    .execute(params![handle, keep_until_ms])?;
    Ok(())
}

/// Undoes a claim whose tool was never started.
pub(super) fn remove(tx: &Connection, handle: &str) -> Result<(), StoreError> {
    tx.prepare_cached("DELETE FROM calls WHERE handle = ?1")?.execute([handle])?;
    Ok(())
}

pub(super) fn by_handle(
    tx: &Connection,
    handle: &str,
    now_ms: i64,
) -> Result<Option<Known>, StoreError> {
    Ok(tx
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM calls WHERE handle = ?1
             AND (keep_until_ms IS NULL OR keep_until_ms > ?2)"
        ))?
        .query_row(params![handle, now_ms], known)
        .optional()?)
}

fn known(row: &Row<'_>) -> rusqlite::Result<Known> {
    let state: String = row.get(4)?;
    let response = if state == "finished" {
        Some(StoredResponse { status: row.get(5)?, content_type: row.get(6)?, body: row.get(7)? })
    } else {
        None
    };
    let owner = Owner { agent_id: row.get(0)?, session_key: row.get(1)? };
    let (tool, hash): (String, Option<[u8; 32]>) = (row.get(2)?, row.get(3)?);
    let asked = hash.map(|body_sha256| Asked { owner: owner.clone(), tool, body_sha256 });
    Ok(Known { owner, asked, response })
}

/// A call that was handed out by an earlier life and will never finish.
#[derive(Debug, Clone)]
pub(super) struct Leftover {
    pub(super) handle: String,
    pub(super) owner: Owner,
    pub(super) tool: String,
    pub(super) started_ms: i64,
}

/// Marks everything unfinished as interrupted; returns what somebody waits for.
pub(super) fn interrupt_leftovers(
    tx: &Connection,
    keyed_until_ms: i64,
    unkeyed_until_ms: i64,
) -> Result<Vec<Leftover>, StoreError> {
    let mut pending = tx.prepare(
        "SELECT handle, agent_id, session_key, tool, started_ms FROM calls
         WHERE state = 'pending' ORDER BY started_ms",
    )?;
    let rows = pending.query_map([], |row| {
        Ok(Leftover {
            handle: row.get(0)?,
            owner: Owner { agent_id: row.get(1)?, session_key: row.get(2)? },
            tool: row.get(3)?,
            started_ms: row.get(4)?,
        })
    })?;
    let leftovers = rows.collect::<Result<_, _>>()?;
    tx.execute(
        "UPDATE calls SET state = 'interrupted',
                keep_until_ms = CASE WHEN key IS NULL THEN ?2 ELSE ?1 END
         WHERE state IN ('running', 'pending')",
        [keyed_until_ms, unkeyed_until_ms],
    )?;
    Ok(leftovers)
}

/// Removes expired rows; returns how many rows are left.
pub(super) fn prune(tx: &Connection, now_ms: i64) -> Result<u64, StoreError> {
    tx.prepare_cached(
        "DELETE FROM calls WHERE rowid IN (
             SELECT rowid FROM calls WHERE keep_until_ms <= ?1 LIMIT ?2)",
    )?
    .execute([now_ms, PRUNE_MAX])?;
    Ok(tx.prepare_cached("SELECT count(*) FROM calls")?.query_row([], |row| row.get(0))?)
}
