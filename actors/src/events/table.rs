//! The `events` table: append, page, prune.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::draft::{Draft, StoredEvent};
use super::filter::Filter;
use crate::caller::Owner;
use crate::clock;
use crate::notify::{self, Route};
use crate::store::StoreError;

/// Events kept at most, and for how long (contract).
pub(super) const KEPT_MAX: i64 = 100_000;
pub(super) const KEPT_MS: i64 = 7 * 24 * 3600 * 1000;
/// Rows looked at for one page: bounds how long one subscriber holds the reader.
const SCAN_MAX: i64 = 5_000;
/// Events of one page, held in memory per replaying subscriber.
pub(super) const PAGE_MAX: usize = 256;
/// Rows removed in one go: bounds how long pruning holds the writer.
const PRUNE_MAX: i64 = 5_000;

/// Stores events and what of them goes to webhooks, all or nothing.
pub(super) fn append(
    tx: &Connection,
    drafts: &[Arc<Draft>],
    routes: &[Route],
) -> Result<Vec<i64>, StoreError> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO events (time_ms, type, agent_id, session_key, session_id, fields)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut ids = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let fields = serde_json::to_string(&draft.fields)
            .map_err(|e| StoreError::BadRow(format!("event fields: {e}")))?;
        let owner = draft.owner.as_ref();
        let id = insert.insert(params![
            draft.time_ms,
            draft.kind,
            owner.map(|o| &o.agent_id),
            owner.map(|o| &o.session_key),
            draft.session_id,
            fields
        ])?;
        if !routes.is_empty() {
            let event = draft.stored_as(id);
            for route in routes.iter().filter(|route| route.takes(&event)) {
                notify::insert(tx, &route.url, &event, draft.time_ms)?;
            }
        }
        ids.push(id);
    }
    Ok(ids)
}

/// The last id ever given, also when its event is long gone.
pub(super) fn last_id(tx: &Connection) -> Result<i64, StoreError> {
    let seen = tx
        .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'events'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(seen.unwrap_or(0))
}

/// What a replaying subscriber gets next.
#[derive(Debug)]
pub(super) enum Page {
    Events {
        events: Vec<StoredEvent>,
        /// Everything up to here has been looked at.
        through: i64,
        /// Whether this was all there is.
        end: bool,
    },
    /// Events after the cursor are gone (or the cursor is not of this log).
    TooOld { last_id: i64 },
}

pub(super) fn page(
    connection: &Connection,
    after: i64,
    filter: &Filter,
) -> Result<Page, StoreError> {
    // One snapshot: pruning between the two questions would hide a gap.
    let tx = connection.unchecked_transaction()?;
    let last = last_id(&tx)?;
    let oldest: Option<i64> =
        tx.prepare_cached("SELECT min(id) FROM events")?.query_row([], |row| row.get(0))?;
    let gone_through = oldest.map_or(last, |id| id - 1);
    if after < gone_through || after > last {
        return Ok(Page::TooOld { last_id: last });
    }
    let mut statement = tx.prepare_cached(
        "SELECT id, time_ms, type, agent_id, session_key, session_id, fields
         FROM events WHERE id > ?1 ORDER BY id LIMIT ?2",
    )?;
    let mut rows = statement.query([after, SCAN_MAX])?;
    let (mut events, mut through, mut scanned) = (Vec::new(), after, 0);
    while let Some(row) = rows.next()? {
        through = row.get(0)?;
        scanned += 1;
        if let Some(event) = read_row(row, filter)? {
            events.push(event);
            if events.len() == PAGE_MAX {
                return Ok(Page::Events { events, through, end: false });
            }
        }
    }
    Ok(Page::Events { events, through, end: scanned < SCAN_MAX })
}

fn read_row(row: &Row<'_>, filter: &Filter) -> Result<Option<StoredEvent>, StoreError> {
    let agent_id: Option<String> = row.get(3)?;
    let session_key: Option<String> = row.get(4)?;
    let owner =
        agent_id.zip(session_key).map(|(agent_id, session_key)| Owner { agent_id, session_key });
    let kind: String = row.get(2)?;
    let session_id: Option<String> = row.get(5)?;
    if !filter.matches(&kind, owner.as_ref(), session_id.as_deref()) {
        return Ok(None);
    }
    let fields = row.get_ref(6)?.as_str().map_err(|e| StoreError::BadRow(e.to_string()))?;
    Ok(Some(StoredEvent {
        id: row.get(0)?,
        kind,
        time: clock::rfc3339(row.get(1)?),
        owner,
        session_id,
        fields: serde_json::from_str(fields)
            .map_err(|e| StoreError::BadRow(format!("event fields: {e}")))?,
    }))
}

/// Removes what is over the limits, oldest first; `true` when there may be more to remove.
pub(super) fn prune(tx: &Connection, now_ms: i64) -> Result<bool, StoreError> {
    let last = last_id(tx)?;
    // Only a run from the oldest on: a clock that jumped must not tear holes.
    let keep_from: Option<i64> = tx
        .prepare_cached(
            "SELECT min(id) FROM (SELECT id, time_ms FROM events ORDER BY id LIMIT ?1)
             WHERE time_ms >= ?2 AND id > ?3",
        )?
        .query_row([PRUNE_MAX, now_ms - KEPT_MS, last - KEPT_MAX], |row| row.get(0))?;
    let removed = match keep_from {
        Some(id) => tx.prepare_cached("DELETE FROM events WHERE id < ?1")?.execute([id])?,
        None => tx
            .prepare_cached(
                "DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT ?1)",
            )?
            .execute([PRUNE_MAX])?,
    };
    Ok(removed > 0 && keep_from.is_none())
}
