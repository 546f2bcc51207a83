//! Replay over reconnects and restarts, retention, resync.

use rusqlite::params;

use super::{all_after, caller, next, next_event, number, numbered, numbers, open, owner};
use crate::caller::{Owner, Role};
use crate::clock;
use crate::events::{Emit, EventFilter, EventItem, table};

#[actix_rt::test]
async fn ids_rise_and_replay_is_exact_across_restarts() {
    let dir = tempfile::tempdir().unwrap();
    let mut last = 0;
    for start in 0..3 {
        let (_store, events) = open(dir.path()).await;
        for n in 0..5 {
            let id = events.emit_durable(numbered("a", start * 5 + n)).await.unwrap();
            assert!(id > last);
            last = id;
        }
        events.close(super::PATIENCE).await;
    }
    let (_store, events) = open(dir.path()).await;
    let me = caller(Role::Agent, "a");
    let mut stream = events.subscribe(&me, all_after(0)).await.unwrap();
    assert_eq!(numbers(&mut stream, 7).await, [0, 1, 2, 3, 4, 5, 6]);
    drop(stream);
    let mut stream = events.subscribe(&me, all_after(7)).await.unwrap();
    assert_eq!(numbers(&mut stream, 8).await, [7, 8, 9, 10, 11, 12, 13, 14]);
    events.emit(numbered("a", 15));
    assert_eq!(numbers(&mut stream, 1).await, [15]);
}

#[actix_rt::test]
async fn replay_shows_only_what_the_caller_owns() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, events) = open(dir.path()).await;
    for n in 0..6 {
        events.emit_durable(numbered(if n % 2 == 0 { "a" } else { "b" }, n)).await.unwrap();
    }
    let other_key = Emit {
        owner: Some(Owner { session_key: "second".to_owned(), ..owner("a") }),
        ..numbered("a", 6)
    };
    events.emit_durable(other_key).await.unwrap();
    events.emit_durable(Emit { owner: None, ..numbered("a", 7) }).await.unwrap();
    let mut mine = events.subscribe(&caller(Role::Agent, "a"), all_after(0)).await.unwrap();
    let mut all = events.subscribe(&caller(Role::Viewer, "x"), all_after(0)).await.unwrap();
    assert_eq!(numbers(&mut mine, 3).await, [0, 2, 4]);
    assert_eq!(numbers(&mut all, 8).await, [0, 1, 2, 3, 4, 5, 6, 7]);
    // The next thing each of them sees is live, so nothing was behind those.
    events.emit(numbered("b", 8));
    events.emit(numbered("a", 9));
    assert_eq!(numbers(&mut mine, 1).await, [9]);
    assert_eq!(numbers(&mut all, 2).await, [8, 9]);
}

#[actix_rt::test]
async fn session_and_type_narrow_replay_and_live() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, events) = open(dir.path()).await;
    let completed = |n: usize| Emit {
        event: crate::events::Event::ToolCompleted {
            handle: format!("call_{n}"),
            tool: crate::events::Code::of("t"),
            status: crate::events::ToolStatus::Ok,
            duration: std::time::Duration::ZERO,
        },
        ..numbered("a", n)
    };
    events.emit_durable(completed(0)).await.unwrap();
    events.emit_durable(numbered("a", 1)).await.unwrap();
    events.emit_durable(numbered("b", 2)).await.unwrap();
    let filter = EventFilter {
        session_id: Some("ts_a".to_owned()),
        types: vec!["terminal:*".to_owned()],
        after: Some(0),
    };
    let mut stream = events.subscribe(&caller(Role::Admin, "x"), filter).await.unwrap();
    assert_eq!(numbers(&mut stream, 1).await, [1]);
    events.emit(completed(3));
    events.emit(numbered("b", 4));
    events.emit(numbered("a", 5));
    assert_eq!(numbers(&mut stream, 1).await, [5]);
}

#[actix_rt::test]
async fn without_an_id_only_new_events_come() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, events) = open(dir.path()).await;
    events.emit_durable(numbered("a", 0)).await.unwrap();
    let me = caller(Role::Agent, "a");
    let mut stream = events.subscribe(&me, EventFilter::default()).await.unwrap();
    events.emit(numbered("a", 1));
    assert_eq!(numbers(&mut stream, 1).await, [1]);
}

/// Old enough rows and too many rows go; the ids stay used.
#[actix_rt::test]
async fn retention_keeps_seven_days_and_a_hundred_thousand() {
    let dir = tempfile::tempdir().unwrap();
    let (store, events) = open(dir.path()).await;
    let now = clock::unix_ms();
    let insert = move |tx: &rusqlite::Connection| {
        let mut row =
            tx.prepare("INSERT INTO events (time_ms, type, fields) VALUES (?1, 't', '{}')")?;
        for n in 0..100_100_i64 {
            let old = n < 90;
            row.execute(params![if old { now - table::KEPT_MS - 1 } else { now }])?;
        }
        Ok(())
    };
    store.write(insert).await.unwrap();
    while store.write(move |tx| table::prune(tx, now)).await.unwrap() {}
    let (count, first): (i64, i64) = store
        .read(|tx| {
            Ok(tx.query_row("SELECT count(*), min(id) FROM events", [], |r| {
                Ok((r.get(0)?, r.get(1)?))
            })?)
        })
        .await
        .unwrap();
    assert_eq!((count, first), (100_000, 101));
    // A week later all are gone, and the next id is still a new one.
    let later = now + table::KEPT_MS + 1;
    while store.write(move |tx| table::prune(tx, later)).await.unwrap() {}
    assert_eq!(events.emit_durable(numbered("a", 0)).await.unwrap(), 100_101);
}

#[actix_rt::test]
async fn a_too_old_id_gets_one_resync_and_then_live_events() {
    let dir = tempfile::tempdir().unwrap();
    let (store, events) = open(dir.path()).await;
    for n in 0..10 {
        events.emit_durable(numbered("a", n)).await.unwrap();
    }
    store.write(|tx| Ok(tx.execute("DELETE FROM events WHERE id <= 4", [])?)).await.unwrap();
    let me = caller(Role::Agent, "a");
    // 4 was the last one removed: everything later than it is still there.
    let mut exact = events.subscribe(&me, all_after(4)).await.unwrap();
    assert_eq!(next_event(&mut exact).await.id, 5);
    for old in [0, 3] {
        let mut stream = events.subscribe(&me, all_after(old)).await.unwrap();
        assert_eq!(next(&mut stream).await, Some(EventItem::Resync { last_id: 10 }));
        let n = 100 + usize::try_from(old).unwrap();
        let id = events.emit_durable(numbered("a", n)).await.unwrap();
        let live = next_event(&mut stream).await;
        assert_eq!((live.id, number(&live)), (id, n));
        store.write(|tx| Ok(tx.execute("DELETE FROM events WHERE id > 10", [])?)).await.unwrap();
        store.write(|tx| Ok(tx.execute("UPDATE sqlite_sequence SET seq = 10", [])?)).await.unwrap();
    }
}

#[actix_rt::test]
async fn an_id_from_another_life_gets_a_resync() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, events) = open(dir.path()).await;
    events.emit_durable(numbered("a", 0)).await.unwrap();
    let me = caller(Role::Agent, "a");
    let mut stream = events.subscribe(&me, all_after(1_000)).await.unwrap();
    assert_eq!(next(&mut stream).await, Some(EventItem::Resync { last_id: 1 }));
    events.emit(numbered("a", 1));
    assert_eq!(numbers(&mut stream, 1).await, [1]);
}
