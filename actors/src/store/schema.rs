//! The schema, as a list of steps. A step that has been published never changes.

use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;

/// Step `n` leads from schema version `n` to `n + 1`.
const STEPS: [&str; 3] =
    [include_str!("schema_1.sql"), include_str!("schema_2.sql"), include_str!("schema_3.sql")];

pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    if version(connection)? == known() {
        return Ok(());
    }
    // Immediate: a token command and a starting daemon may both find an old schema.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?;
    let done = usize::try_from(found).unwrap_or(usize::MAX);
    let Some(missing) = STEPS.get(done..) else {
        return Err(StoreError::NewerSchema { found, known: known() });
    };
    for step in missing {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", known())?;
    transaction.commit()?;
    Ok(())
}

fn known() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}
