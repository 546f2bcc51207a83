//! The running log: hand-over from replay to live, slow readers, a full disk.

use futures_util::StreamExt;
use rusqlite::Connection;

use super::{all_after, caller, next, next_event, number, numbered, open};
use crate::caller::Role;
use crate::events::actor::SUBSCRIBER_EVENTS_MAX;
use crate::events::{EventFilter, EventItem};
use crate::store::{Store, StoreError};

async fn disk_full(store: &Store, full: bool) {
    store
        .write(move |tx: &Connection| {
            let used: i64 = tx.query_row("PRAGMA page_count", [], |row| row.get(0))?;
            let limit = if full { used } else { 1_000_000 };
            Ok(tx.query_row(&format!("PRAGMA max_page_count = {limit}"), [], |_| Ok(()))?)
        })
        .await
        .unwrap();
}

/// Subscribers that come at any moment of a busy log see each event exactly once, in order.
#[actix_rt::test]
async fn replay_meets_live_without_gap_or_duplicate() {
    const COUNT: usize = 3_000;
    let dir = tempfile::tempdir().unwrap();
    let (_store, events) = open(dir.path()).await;
    let emitter = {
        let events = events.clone();
        actix_rt::spawn(async move {
            for n in 0..COUNT {
                if n % 50 == 49 {
                    events.emit_durable(numbered("a", n)).await.unwrap();
                } else {
                    events.emit(numbered("a", n));
                }
            }
        })
    };
    let mut readers = Vec::new();
    for _ in 0..20 {
        let log = events.clone();
        readers.push(actix_rt::spawn(async move {
            let me = caller(Role::Agent, "a");
            let mut stream = log.subscribe(&me, all_after(0)).await.unwrap();
            let mut seen = Vec::new();
            for _ in 0..COUNT {
                let event = next_event(&mut stream).await;
                seen.push((event.id, number(&event)));
            }
            seen
        }));
        // Let the emitter get ahead: each reader starts somewhere else.
        events.emit_durable(numbered("other", 0)).await.unwrap();
    }
    emitter.await.unwrap();
    for reader in readers {
        let seen = reader.await.unwrap();
        let numbers: Vec<_> = seen.iter().map(|(_, n)| *n).collect();
        assert_eq!(numbers, (0..COUNT).collect::<Vec<_>>());
        assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}

#[actix_rt::test]
async fn a_slow_subscriber_is_cut_off_and_others_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, events) = open(dir.path()).await;
    let me = caller(Role::Agent, "a");
    let mut slow = events.subscribe(&me, EventFilter::default()).await.unwrap();
    let mut quick = events.subscribe(&me, EventFilter::default()).await.unwrap();
    let count = SUBSCRIBER_EVENTS_MAX + 100;
    for n in 0..count {
        events.emit_durable(numbered("a", n)).await.unwrap();
        assert_eq!(number(&next_event(&mut quick).await), n);
    }
    assert_eq!(events.status().await.cut_off, 1);
    let mut last = 0;
    for n in 0..SUBSCRIBER_EVENTS_MAX {
        let event = next_event(&mut slow).await;
        assert_eq!(number(&event), n);
        last = event.id;
    }
    assert_eq!(next(&mut slow).await, Some(EventItem::Resync { last_id: last }));
    assert_eq!(next(&mut slow).await, None);
    // Going on from there loses nothing.
    let mut again = events.subscribe(&me, all_after(last)).await.unwrap();
    assert_eq!(number(&next_event(&mut again).await), SUBSCRIBER_EVENTS_MAX);
}

#[actix_rt::test]
async fn a_dropped_stream_is_forgotten() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, events) = open(dir.path()).await;
    let me = caller(Role::Agent, "a");
    let stream = events.subscribe(&me, EventFilter::default()).await.unwrap();
    assert_eq!(events.status().await.subscribers, 1);
    drop(stream);
    events.emit_durable(numbered("z", 0)).await.unwrap();
    assert_eq!(events.status().await.subscribers, 0);
}

#[actix_rt::test]
async fn on_a_full_disk_events_wait_and_nothing_is_sent_before_it_is_stored() {
    let dir = tempfile::tempdir().unwrap();
    let (store, events) = open(dir.path()).await;
    let me = caller(Role::Agent, "a");
    let mut stream = events.subscribe(&me, EventFilter::default()).await.unwrap();
    disk_full(&store, true).await;
    // Fill what is left of the last pages.
    let mut stored = 0;
    let refused = loop {
        match events.emit_durable(numbered("a", stored)).await {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(refused, StoreError::DiskFull);
    for n in 0..stored {
        assert_eq!(number(&next_event(&mut stream).await), n);
    }
    for n in 0..100 {
        events.emit(numbered("a", 1_000 + n));
    }
    while events.status().await.waiting < 100 {
        tokio::task::yield_now().await;
    }
    disk_full(&store, false).await;
    let mut ids = Vec::new();
    for n in 0..100 {
        let event = next_event(&mut stream).await;
        assert_eq!(number(&event), 1_000 + n);
        ids.push(event.id);
    }
    let mut replay = events.subscribe(&me, all_after(ids[0] - 1)).await.unwrap();
    for id in ids {
        assert_eq!(next_event(&mut replay).await.id, id);
    }
}

#[actix_rt::test]
async fn closing_stores_what_waits_and_ends_the_streams() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, events) = open(dir.path()).await;
    let me = caller(Role::Agent, "a");
    let mut stream = events.subscribe(&me, EventFilter::default()).await.unwrap();
    for n in 0..700 {
        events.emit(numbered("a", n));
    }
    events.close(super::PATIENCE).await;
    for n in 0..700 {
        assert_eq!(number(&next_event(&mut stream).await), n);
    }
    assert_eq!(next(&mut stream).await, None);
    assert_eq!(events.emit_durable(numbered("a", 0)).await, Err(StoreError::Stopped));
}

/// The target load: nobody loses anything. How fast it is belongs into a benchmark.
#[actix_rt::test]
async fn five_hundred_subscribers_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, events) = open(dir.path()).await;
    let mut readers = Vec::new();
    for _ in 0..500 {
        let me = caller(Role::Agent, "a");
        let mut stream = events.subscribe(&me, EventFilter::default()).await.unwrap();
        readers.push(actix_rt::spawn(async move {
            let mut seen = 0;
            while let Some(EventItem::Event(event)) = stream.next().await {
                assert_eq!(number(&event), seen);
                seen += 1;
                if seen == 500 {
                    break;
                }
            }
            seen
        }));
    }
    for n in 0..500 {
        events.emit(numbered("a", n));
    }
    for reader in readers {
        let seen = tokio::time::timeout(super::PATIENCE, reader).await.unwrap().unwrap();
        assert_eq!(seen, 500);
    }
}
