//! The store against a real file system.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rusqlite::Connection;

use super::{Store, StoreError, connection, files};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn note(tx: &Connection, name: &str) -> Result<(), StoreError> {
    tx.execute("INSERT INTO counters VALUES (?1, 1)", [name])?;
    Ok(())
}

async fn notes(store: &Store) -> Vec<String> {
    store
        .read(|tx| {
            let mut statement =
                tx.prepare("SELECT name FROM counters WHERE name LIKE 'n%' ORDER BY name")?;
            let names = statement.query_map([], |row| row.get(0))?;
            Ok(names.collect::<Result<Vec<String>, _>>()?)
        })
        .await
        .unwrap()
}

#[actix_rt::test]
async fn files_are_private_also_when_the_umask_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("a/data");
    let store = Store::open(&data).unwrap();
    store.write(|tx| note(tx, "n1")).await.unwrap();
    assert_eq!(mode(&data), 0o700);
    let mut seen = 0;
    for entry in std::fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), wanted, "{}", path.display());
        seen += 1;
    }
    // The database, its log and shared memory, the lock, and the folder of sockets.
    assert_eq!(seen, 5);
}

#[actix_rt::test]
async fn a_lax_data_dir_is_tightened() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let _store = Store::open(dir.path()).unwrap();
    assert_eq!(mode(dir.path()), 0o700);
}

#[actix_rt::test]
async fn a_second_daemon_is_refused_and_told_who_holds_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let refused = Store::open(dir.path()).err().unwrap();
    let me = std::process::id();
    assert_eq!(
        refused,
        StoreError::DataDirBusy { path: dir.path().to_path_buf(), holder: format!("pid {me}") }
    );
    assert!(refused.hint().unwrap().contains("--data-dir"));
    drop(store);
    Store::open(dir.path()).unwrap();
}

#[actix_rt::test]
async fn a_failing_job_is_undone_alone() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let (first, second, third) = tokio::join!(
        store.write(|tx| note(tx, "n1")),
        store.write(|tx| {
            note(tx, "n2")?;
            Err::<(), _>(StoreError::Overloaded)
        }),
        store.write(|tx| note(tx, "n3")),
    );
    assert_eq!((first, second, third), (Ok(()), Err(StoreError::Overloaded), Ok(())));
    assert_eq!(notes(&store).await, ["n1", "n3"]);
}

#[actix_rt::test]
async fn a_panicking_job_is_an_error_and_the_store_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let broken = store
        .write(|tx| {
            note(tx, "n1")?;
            if tx.is_autocommit() { Ok(()) } else { panic!("deliberately") }
        })
        .await;
    assert!(matches!(broken, Err(StoreError::Database(_))));
    store.write(|tx| note(tx, "n2")).await.unwrap();
    assert_eq!(notes(&store).await, ["n2"]);
}

#[actix_rt::test]
async fn a_full_disk_is_an_error_and_what_was_acknowledged_stays() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.write(|tx| note(tx, "n1")).await.unwrap();
    let pages = |limit: u32| {
        move |tx: &Connection| {
            Ok(tx.query_row(&format!("PRAGMA max_page_count = {limit}"), [], |_| Ok(()))?)
        }
    };
    // Never below what is used now: SQLite then keeps the present size as the limit.
    store.write(pages(1)).await.unwrap();
    let big = "x".repeat(100_000);
    let (small_before, full) = tokio::join!(
        store.write(|tx| tx.execute("UPDATE counters SET value = 2", []).map_err(Into::into)),
        store.write(move |tx| note(tx, &format!("n2{big}"))),
    );
    assert_eq!(full, Err(StoreError::DiskFull));
    assert!(full.unwrap_err().hint().unwrap().contains("free space"));
    // Whether it shared the transaction or not, the answer must be true.
    let value: i64 = store
        .read(|tx| {
            Ok(tx.query_row("SELECT value FROM counters WHERE name = 'n1'", [], |r| r.get(0))?)
        })
        .await
        .unwrap();
    assert_eq!(value == 2, small_before.is_ok());
    assert_eq!(notes(&store).await, ["n1"]);
    store.write(pages(1_000_000)).await.unwrap();
    store.write(|tx| note(tx, "n3")).await.unwrap();
    assert_eq!(notes(&store).await, ["n1", "n3"]);
}

#[actix_rt::test]
async fn readers_see_committed_state_only_and_cannot_write() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let (release, held) = std::sync::mpsc::channel::<()>();
    let (entered_tx, entered) = tokio::sync::oneshot::channel();
    let writer = store.clone();
    let write = actix_rt::spawn(async move {
        writer
            .write(move |tx| {
                note(tx, "n1")?;
                let _ = entered_tx.send(());
                held.recv().map_err(|_| StoreError::Stopped)
            })
            .await
    });
    entered.await.unwrap();
    assert_eq!(notes(&store).await, Vec::<String>::new());
    release.send(()).unwrap();
    write.await.unwrap().unwrap();
    assert_eq!(notes(&store).await, ["n1"]);
    assert_eq!(store.read(|tx| note(tx, "n2")).await, Err(StoreError::ReadOnly));
}

#[test]
fn a_newer_database_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let opened = connection::open_writer(dir.path()).unwrap();
    opened.pragma_update(None, "user_version", 99).unwrap();
    drop(opened);
    let refused = connection::open_writer(dir.path()).err().unwrap();
    assert_eq!(refused, StoreError::NewerSchema { found: 99, known: 3 });
}

#[test]
fn a_damaged_database_is_refused_and_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ttydrive.sqlite3");
    std::fs::write(&path, b"this is not a database, but somebody may want it back").unwrap();
    let refused = Store::open(dir.path()).err().unwrap();
    assert!(matches!(refused, StoreError::Damaged(_)), "{refused:?}");
    assert!(std::fs::read(&path).unwrap().starts_with(b"this is not"));
}

#[actix_rt::test]
async fn descriptors_survive_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.descriptor_save("ts_1", 1, "{\"a\":1}".to_owned()).await.unwrap();
    store.descriptor_save("ts_2", 1, "{}".to_owned()).await.unwrap();
    store.descriptor_save("ts_1", 2, "{\"a\":2}".to_owned()).await.unwrap();
    store.descriptor_remove("ts_2").await.unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    let rows = store.descriptors().await.unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].session_id.as_str(), rows[0].version), ("ts_1", 2));
    assert_eq!(rows[0].json, "{\"a\":2}");
}

#[test]
fn a_private_file_is_replaced_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("journals");
    files::write_private(&data, "j.json", b"one").unwrap();
    files::write_private(&data, "j.json", b"two").unwrap();
    let path = data.join("j.json");
    assert_eq!(files::read_private(&path, 3).unwrap().unwrap(), b"two");
    assert_eq!((mode(&path), mode(&data)), (0o600, 0o700));
    assert!(files::read_private(&path, 2).is_err());
    // A directory in the way of the temporary file: the write fails, the old content stays.
    std::fs::create_dir(data.join(".j.json.tmp")).unwrap();
    assert!(files::write_private(&data, "j.json", b"three").is_err());
    assert_eq!(files::read_private(&path, 3).unwrap().unwrap(), b"two");
    files::remove_durably(&data, "j.json").unwrap();
    files::remove_durably(&data, "j.json").unwrap();
    assert_eq!(files::read_private(&path, 3).unwrap(), None);
}

/// A data dir of the first version is brought up to date and loses nothing.
#[actix_rt::test]
async fn an_old_database_is_migrated() {
    let dir = tempfile::tempdir().unwrap();
    let old = Connection::open(dir.path().join("ttydrive.sqlite3")).unwrap();
    old.execute_batch(include_str!("../schema_1.sql")).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    note(&old, "n_old").unwrap();
    drop(old);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(notes(&store).await, ["n_old"]);
    let count: i64 = store
        .read(|tx| Ok(tx.query_row("SELECT count(*) FROM journals_done", [], |r| r.get(0))?))
        .await
        .unwrap();
    assert_eq!(count, 0);
}

/// SQLite's locks on the database must survive everything this process does beside it: else
/// the next token command believes that it is alone, and deletes the daemon's log.
#[actix_rt::test]
async fn our_locks_survive_token_commands_in_this_process() {
    use std::os::unix::fs::MetadataExt;
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.write(|tx| note(tx, "n1")).await.unwrap();
    crate::tokens::ensure_admin_token(dir.path()).unwrap();
    let inode = std::fs::metadata(dir.path().join("ttydrive.sqlite3")).unwrap().ino();
    let locks = std::fs::read_to_string("/proc/locks").unwrap();
    let ours = locks.lines().filter(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        words.contains(&std::process::id().to_string().as_str())
            && words.iter().any(|word| word.ends_with(&format!(":{inode}")))
    });
    assert!(ours.count() > 0, "no lock on inode {inode} in\n{locks}");
    assert!(dir.path().join("ttydrive.sqlite3-wal").exists());
}
