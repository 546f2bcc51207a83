//! What the command line does with tokens. Blocking, on the data dir itself.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior, params};

use super::{NewToken, TokenError, TokenInfo, rows, secret};
use crate::clock;
use crate::store::open_beside_daemon;

/// All live tokens are held in memory by the daemon.
const TOKENS_MAX: i64 = 10_000;
/// Agent ids and names appear in lists, events and file names.
const AGENT_ID_BYTES_MAX: usize = 64;
const NAME_BYTES_MAX: usize = 128;
/// How long a dead token is still in the table, for whoever reads the audit.
const DEAD_KEPT_MS: i64 = 30 * 24 * 3600 * 1000;

/// Makes a token. The second value is the secret, and this is the only time it is seen.
///
/// # Errors
/// Invalid wishes, or the data dir cannot be written.
pub fn create(data_dir: &Path, new: NewToken) -> Result<(TokenInfo, String), TokenError> {
    check(&new)?;
    let secret = secret::make()?;
    let info = insert_secret(data_dir, &secret, &new)?;
    Ok((info, secret))
}

pub(super) fn insert_secret(
    data_dir: &Path,
    secret: &str,
    new: &NewToken,
) -> Result<TokenInfo, TokenError> {
    let invalid = TokenError::Invalid { what: "the token", why: "is not 32 bytes of base64url" };
    let hash = secret::hash(secret).ok_or(invalid)?;
    let id = secret::make_id()?;
    let now = clock::unix_ms();
    let mut connection = open_beside_daemon(data_dir)?;
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute(
        "DELETE FROM tokens WHERE revoked_ms < ?1 OR expires_ms < ?1",
        [now.saturating_sub(DEAD_KEPT_MS)],
    )?;
    let live: i64 =
        tx.query_row("SELECT count(*) FROM tokens WHERE revoked_ms IS NULL", [], |r| r.get(0))?;
    if live >= TOKENS_MAX {
        return Err(TokenError::Invalid {
            what: "the number of tokens",
            why: "has reached its limit of 10,000; revoke some first",
        });
    }
    let info = rows::insert(&tx, &id, &hash, new, now)?;
    audit(&tx, "token.create", &id, new.agent_id.as_str(), now)?;
    tx.commit()?;
    Ok(info)
}

/// All tokens that were not revoked. Their secrets are not known here.
///
/// # Errors
/// The data dir cannot be read.
pub fn list(data_dir: &Path) -> Result<Vec<TokenInfo>, TokenError> {
    Ok(rows::list(&open_beside_daemon(data_dir)?)?)
}

/// Makes a token invalid; a running daemon refuses it within half a second.
///
/// # Errors
/// There is no such token (any more), or the data dir cannot be written.
pub fn revoke(data_dir: &Path, id: &str) -> Result<(), TokenError> {
    let mut connection = open_beside_daemon(data_dir)?;
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let now = clock::unix_ms();
    let changed = tx.execute(
        "UPDATE tokens SET revoked_ms = ?2 WHERE id = ?1 AND revoked_ms IS NULL",
        params![id, now],
    )?;
    if changed == 0 {
        return Err(TokenError::NotFound { id: id.to_owned() });
    }
    let agent: String =
        tx.query_row("SELECT agent_id FROM tokens WHERE id = ?1", [id], |r| r.get(0))?;
    audit(&tx, "token.revoke", id, &agent, now)?;
    tx.commit()?;
    Ok(())
}

/// In the same transaction: no token comes or goes without a trace.
fn audit(tx: &Connection, action: &str, id: &str, agent: &str, now: i64) -> Result<(), TokenError> {
    tx.execute(
        "INSERT INTO audit (time_ms, action, agent_id, token_id, outcome, details)
         VALUES (?1, ?2, ?3, ?4, 'ok', '{\"by\":\"command_line\"}')",
        params![now, action, agent, id],
    )?;
    Ok(())
}

fn check(new: &NewToken) -> Result<(), TokenError> {
    let id = new.agent_id.as_bytes();
    let plain = id.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    if id.is_empty() || id.len() > AGENT_ID_BYTES_MAX || !plain || id.starts_with(b".") {
        return Err(TokenError::Invalid {
            what: "the agent id",
            why: "must be 1 to 64 letters, digits, `_`, `-` or `.`, not starting with a dot",
        });
    }
    let name = new.name.as_deref().unwrap_or_default();
    if name.len() > NAME_BYTES_MAX || name.chars().any(char::is_control) {
        return Err(TokenError::Invalid {
            what: "the name",
            why: "must be at most 128 bytes without control characters",
        });
    }
    Ok(())
}
