//! The admin token of a new data dir.

use std::path::Path;

use super::{NewToken, TokenError, commands, secret};
use crate::caller::{Origin, Role};
use crate::store::{StoreError, open_beside_daemon, read_private, write_private};

pub const ADMIN_TOKEN_FILE: &str = "admin-token";
/// Marks the token in the table: made once per data dir, also if it was revoked later.
const NAME: &str = "first start";
/// A secret has 43 characters; an editor may add a line end.
const FILE_BYTES_MAX: u64 = 256;

/// On the first start: makes an admin token and writes it to `<dataDir>/admin-token`, 0600.
/// Later it does nothing, so that an operator may delete the file or revoke the token.
///
/// The file comes first and the row second: a crash between the two leaves a file that the
/// next start completes, never a token that nobody has seen.
///
/// # Errors
/// The data dir cannot be written.
pub fn ensure_admin_token(data_dir: &Path) -> Result<(), TokenError> {
    let made: i64 = open_beside_daemon(data_dir)?.query_row(
        "SELECT count(*) FROM tokens WHERE name = ?1 AND role = 'admin'",
        [NAME],
        |row| row.get(0),
    )?;
    if made > 0 {
        return Ok(());
    }
    let secret = match unfinished(data_dir)? {
        Some(secret) => secret,
        None => {
            let secret = secret::make()?;
            write_private(data_dir, ADMIN_TOKEN_FILE, format!("{secret}\n").as_bytes())?;
            secret
        }
    };
    let new = NewToken {
        role: Role::Admin,
        agent_id: "default".to_owned(),
        origin: Origin::Interactive,
        name: Some(NAME.to_owned()),
        ttl: None,
    };
    commands::insert_secret(data_dir, &secret, &new)?;
    Ok(())
}

fn unfinished(data_dir: &Path) -> Result<Option<String>, StoreError> {
    let content = read_private(&data_dir.join(ADMIN_TOKEN_FILE), FILE_BYTES_MAX)?;
    let text = content.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(text.map(|t| t.trim().to_owned()).filter(|t| secret::hash(t).is_some()))
}
