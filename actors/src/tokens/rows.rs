//! Rows of the `tokens` table.

use rusqlite::{Connection, Row, params};

use super::secret::Hash;
use super::{Identity, NewToken, TokenError, TokenInfo};
use crate::caller::{Origin, Role};
use crate::clock;
use crate::store::StoreError;

pub(super) fn insert(
    tx: &Connection,
    id: &str,
    hash: &Hash,
    new: &NewToken,
    now_ms: i64,
) -> Result<TokenInfo, TokenError> {
    let ttl_ms = new.ttl.map(|ttl| i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX));
    let expires_ms = ttl_ms.map(|ttl| now_ms.saturating_add(ttl));
    tx.execute(
        "INSERT INTO tokens (id, hash, role, agent_id, origin, name, created_ms, expires_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            id,
            hash,
            new.role.as_str(),
            new.agent_id,
            new.origin.as_str(),
            new.name.as_deref().unwrap_or_default(),
            now_ms,
            expires_ms
        ],
    )?;
    Ok(TokenInfo {
        id: id.to_owned(),
        role: new.role,
        agent_id: new.agent_id.clone(),
        origin: new.origin,
        name: new.name.clone(),
        created_at: clock::rfc3339(now_ms),
        expires_at: expires_ms.map(clock::rfc3339),
        last_used_at: None,
    })
}

/// All tokens that were not revoked, oldest first.
pub(super) fn list(tx: &Connection) -> Result<Vec<TokenInfo>, StoreError> {
    let mut statement = tx.prepare(
        "SELECT id, role, agent_id, origin, name, created_ms, expires_ms, last_used_ms
         FROM tokens WHERE revoked_ms IS NULL ORDER BY created_ms, rowid",
    )?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(4)?;
        let time = |column: usize| -> Result<Option<String>, StoreError> {
            Ok(row.get::<_, Option<i64>>(column)?.map(clock::rfc3339))
        };
        found.push(TokenInfo {
            id: row.get(0)?,
            role: role(row, 1)?,
            agent_id: row.get(2)?,
            origin: origin(row, 3)?,
            name: (!name.is_empty()).then_some(name),
            created_at: time(5)?.unwrap_or_default(),
            expires_at: time(6)?,
            last_used_at: time(7)?,
        });
    }
    Ok(found)
}

/// A token as the cache needs it.
pub(super) struct Known {
    pub(super) hash: Hash,
    pub(super) identity: Identity,
    pub(super) expires_ms: Option<i64>,
}

pub(super) fn known(tx: &Connection) -> Result<Vec<Known>, StoreError> {
    let mut statement = tx.prepare(
        "SELECT id, hash, role, agent_id, origin, expires_ms
         FROM tokens WHERE revoked_ms IS NULL",
    )?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(Known {
            hash: row.get(1)?,
            identity: Identity {
                token_id: row.get(0)?,
                role: role(row, 2)?,
                agent_id: row.get(3)?,
                origin: origin(row, 4)?,
            },
            expires_ms: row.get(5)?,
        });
    }
    Ok(found)
}

pub(super) fn generation(tx: &Connection) -> Result<i64, StoreError> {
    Ok(tx
        .prepare_cached("SELECT value FROM counters WHERE name = 'tokens_generation'")?
        .query_row([], |row| row.get(0))?)
}

fn role(row: &Row<'_>, column: usize) -> Result<Role, StoreError> {
    let word: String = row.get(column)?;
    Role::from_word(&word).ok_or(StoreError::BadRow(format!("token role {word}")))
}

fn origin(row: &Row<'_>, column: usize) -> Result<Origin, StoreError> {
    let word: String = row.get(column)?;
    Origin::from_word(&word).ok_or(StoreError::BadRow(format!("token origin {word}")))
}
