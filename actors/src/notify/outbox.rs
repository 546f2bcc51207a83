//! The `outbox` table: deliveries that have not been taken yet.

use rusqlite::{Connection, Row, params};

use crate::events::StoredEvent;
use crate::store::StoreError;

/// Deliveries that wait for one receiver: a day of one every nine seconds.
const PER_URL_MAX: i64 = 10_000;
/// Deliveries handed to one receiver in one go, before the others are looked at again.
pub(super) const BATCH_MAX: i64 = 32;

/// A delivery on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) id: i64,
    pub(super) url: String,
    pub(super) event_id: i64,
    pub(super) kind: String,
    pub(super) body: String,
    pub(super) created_ms: i64,
    pub(super) attempts: u32,
}

/// In the transaction of the event itself.
pub(crate) fn insert(
    tx: &Connection,
    url: &str,
    event: &StoredEvent,
    now_ms: i64,
) -> Result<(), StoreError> {
    let waiting: i64 = tx
        .prepare_cached("SELECT count(*) FROM outbox WHERE url = ?1")?
        .query_row([url], |row| row.get(0))?;
    if waiting >= PER_URL_MAX {
        tracing::error!(url, event = event.id, "a delivery is lost: the outbox is full");
        return Ok(());
    }
    tx.prepare_cached(
        "INSERT INTO outbox (url, event_id, type, body, created_ms, next_ms, attempts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5, 0)",
    )?
    .execute(params![url, event.id, event.kind, event.to_json().to_string(), now_ms])?;
    Ok(())
}

/// What is due at this receiver, oldest first. Nothing while its oldest is not due: order is
/// part of the promise.
pub(super) fn due(tx: &Connection, url: &str, now_ms: i64) -> Result<Vec<Letter>, StoreError> {
    let mut statement = tx.prepare_cached(
        "SELECT id, url, event_id, type, body, created_ms, attempts FROM outbox
         WHERE url = ?1 AND (SELECT next_ms FROM outbox WHERE url = ?1 ORDER BY id LIMIT 1) <= ?2
         ORDER BY id LIMIT ?3",
    )?;
    let rows = statement.query_map(params![url, now_ms, BATCH_MAX], letter)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn letter(row: &Row<'_>) -> rusqlite::Result<Letter> {
    Ok(Letter {
        id: row.get(0)?,
        url: row.get(1)?,
        event_id: row.get(2)?,
        kind: row.get(3)?,
        body: row.get(4)?,
        created_ms: row.get(5)?,
        attempts: row.get(6)?,
    })
}

/// When the next delivery to one of these receivers is due; `None`: nothing waits.
pub(super) fn next_due(tx: &Connection, urls: &[String]) -> Result<Option<i64>, StoreError> {
    let mut statement =
        tx.prepare_cached("SELECT next_ms FROM outbox WHERE url = ?1 ORDER BY id LIMIT 1")?;
    let mut earliest: Option<i64> = None;
    for url in urls {
        let mut rows = statement.query([url])?;
        if let Some(row) = rows.next()? {
            let due: i64 = row.get(0)?;
            earliest = Some(earliest.map_or(due, |known| known.min(due)));
        }
    }
    Ok(earliest)
}

pub(super) fn remove(tx: &Connection, id: i64) -> Result<(), StoreError> {
    tx.prepare_cached("DELETE FROM outbox WHERE id = ?1")?.execute([id])?;
    Ok(())
}

pub(super) fn postpone(tx: &Connection, id: i64, until_ms: i64) -> Result<(), StoreError> {
    tx.prepare_cached("UPDATE outbox SET attempts = attempts + 1, next_ms = ?2 WHERE id = ?1")?
        .execute([id, until_ms])?;
    Ok(())
}

/// Drops what is addressed to receivers that are no longer configured; returns how many.
pub(super) fn keep_only(tx: &Connection, urls: &[String]) -> Result<usize, StoreError> {
    let mut statement = tx.prepare("SELECT DISTINCT url FROM outbox")?;
    let known: Vec<String> =
        statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut dropped = 0;
    for url in known.iter().filter(|url| !urls.contains(url)) {
        dropped += tx.execute("DELETE FROM outbox WHERE url = ?1", [url])?;
    }
    Ok(dropped)
}
