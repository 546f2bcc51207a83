//! Idempotency keys: one execution, one answer, honest conflicts.

use std::time::Duration;

use super::{PATIENCE, TOOL, agent, begin, fresh, key, replayed, response, within, world};
use crate::caller::{Caller, Owner};
use crate::calls::{CallError, CallStart, HandOut, StoredResponse};
use crate::clock;
use crate::store::StoreError;

#[actix_rt::test]
async fn the_first_outcome_is_replayed_byte_for_byte() {
    let world = world().await;
    let ticket = fresh(&world.calls, key("k", 1)).await;
    let first = StoredResponse {
        status: 409,
        content_type: "application/problem+json".to_owned(),
        body: vec![0, 255, b'{', b'\n'],
    };
    world.calls.finish(ticket, first.clone()).await.unwrap();
    assert_eq!(replayed(&world.calls, key("k", 1)).await, first);
    assert_eq!(replayed(&world.calls, key("k", 1)).await, first);
    // Also in the next life.
    let reborn = world.reborn().await;
    assert_eq!(replayed(&reborn, key("k", 1)).await, first);
}

#[actix_rt::test]
async fn another_request_with_the_key_is_a_conflict() {
    let world = world().await;
    let ticket = fresh(&world.calls, key("k", 1)).await;
    // While it runs, and after it.
    assert_eq!(begin(&world.calls, key("k", 2)).await.unwrap_err(), CallError::KeyReused);
    world.calls.finish(ticket, response("one")).await.unwrap();
    assert_eq!(begin(&world.calls, key("k", 2)).await.unwrap_err(), CallError::KeyReused);
    let other_tool = within(world.calls.begin(&agent("a"), "another", key("k", 1), None)).await;
    assert_eq!(other_tool.unwrap_err(), CallError::KeyReused);
    let other_session_key = Caller {
        owner: Owner { session_key: "second".to_owned(), ..agent("a").owner },
        ..agent("a")
    };
    let foreign = within(world.calls.begin(&other_session_key, TOOL, key("k", 1), None)).await;
    assert_eq!(foreign.unwrap_err(), CallError::KeyReused);
    assert_eq!(replayed(&world.calls, key("k", 1)).await, response("one"));
}

#[actix_rt::test]
async fn keys_of_different_tokens_do_not_meet() {
    let world = world().await;
    let ticket = fresh(&world.calls, key("k", 1)).await;
    let other = within(world.calls.begin(&agent("b"), TOOL, key("k", 1), None)).await;
    assert!(matches!(other, Ok(CallStart::Fresh(_))));
    world.calls.finish(ticket, response("a")).await.unwrap();
}

/// Fifty at once, from several threads' worth of tasks: one runs, all get its bytes.
#[actix_rt::test]
async fn concurrent_duplicates_execute_once() {
    let world = world().await;
    let mut requests = Vec::new();
    for _ in 0..50 {
        let calls = world.calls.clone();
        requests.push(actix_rt::spawn(async move {
            match begin(&calls, key("k", 1)).await.unwrap() {
                CallStart::Fresh(ticket) => {
                    // Others pile up meanwhile.
                    for _ in 0..20 {
                        tokio::task::yield_now().await;
                    }
                    calls.finish(ticket, response("typed")).await.unwrap();
                    None
                }
                CallStart::Replay(replay) => Some(replay),
                CallStart::Pending { .. } => unreachable!("never handed out"),
            }
        }));
    }
    let mut executed = 0;
    for request in requests {
        match within(request).await.unwrap() {
            None => executed += 1,
            Some(replay) => assert_eq!(replay, response("typed")),
        }
    }
    assert_eq!(executed, 1);
}

#[actix_rt::test]
async fn a_duplicate_with_little_patience_gets_the_handle() {
    let mut world = world().await;
    let ticket = fresh(&world.calls, key("k", 1)).await;
    let soon = Some(Duration::from_millis(1));
    let joined = within(world.calls.begin(&agent("a"), TOOL, key("k", 1), soon)).await.unwrap();
    let CallStart::Pending { handle, tool } = joined else { panic!("{joined:?}") };
    assert_eq!((handle.as_str(), tool.as_str()), (ticket.handle(), TOOL));
    world.calls.finish(ticket, response("late")).await.unwrap();
    assert_eq!(world.completed().await, (handle, "ok".to_owned()));
    assert_eq!(replayed(&world.calls, key("k", 1)).await, response("late"));
}

#[actix_rt::test]
async fn an_abandoned_key_is_a_conflict_that_says_what_to_do() {
    let world = world().await;
    let ticket = fresh(&world.calls, key("k", 1)).await;
    let waiting = {
        let calls = world.calls.clone();
        actix_rt::spawn(async move { begin(&calls, key("k", 1)).await })
    };
    tokio::task::yield_now().await;
    drop(ticket);
    assert_eq!(within(waiting).await.unwrap().unwrap_err(), CallError::Interrupted);
    let again = begin(&world.calls, key("k", 1)).await.unwrap_err();
    assert_eq!(again, CallError::Interrupted);
    assert!(again.hint().unwrap().contains("look at the session"));
}

#[actix_rt::test]
async fn a_restart_in_the_middle_never_executes_again() {
    let world = world().await;
    let _running = fresh(&world.calls, key("k", 1)).await;
    let reborn = world.reborn().await;
    assert_eq!(begin(&reborn, key("k", 1)).await.unwrap_err(), CallError::Interrupted);
    // The conflict stays; it does not free the key.
    assert_eq!(begin(&reborn, key("k", 1)).await.unwrap_err(), CallError::Interrupted);
    assert_eq!(begin(&reborn, key("k", 2)).await.unwrap_err(), CallError::KeyReused);
}

#[actix_rt::test]
async fn after_a_day_a_key_is_free_again() {
    let world = world().await;
    let ticket = fresh(&world.calls, key("k", 1)).await;
    world.calls.finish(ticket, response("old")).await.unwrap();
    let now = clock::unix_ms();
    let kept: i64 = world
        .store
        .read(|tx| Ok(tx.query_row("SELECT keep_until_ms FROM calls", [], |r| r.get(0))?))
        .await
        .unwrap();
    assert!((now + 86_400_000 - kept).abs() < 60_000, "kept for {} ms", kept - now);
    world
        .store
        .write(move |tx| Ok(tx.execute("UPDATE calls SET keep_until_ms = ?1", [now - 1])?))
        .await
        .unwrap();
    let ticket = fresh(&world.calls, key("k", 9)).await;
    world.calls.finish(ticket, response("new")).await.unwrap();
    assert_eq!(replayed(&world.calls, key("k", 9)).await, response("new"));
}

#[actix_rt::test]
async fn a_key_that_cannot_be_stored_executes_nothing() {
    let world = world().await;
    world.limit_pages(1).await;
    let long = "k".repeat(200_000);
    let refused = begin(&world.calls, key(&long, 1)).await.unwrap_err();
    assert_eq!(refused, CallError::Store(StoreError::DiskFull));
    world.limit_pages(1_000_000).await;
    fresh(&world.calls, key(&long, 1)).await;
}

#[actix_rt::test]
async fn an_outcome_that_cannot_be_stored_is_still_true_for_duplicates() {
    let world = world().await;
    let ticket = fresh(&world.calls, key("k", 1)).await;
    world.limit_pages(1).await;
    let big = response(&"x".repeat(300_000));
    let unsaved = world.calls.finish(ticket, big.clone()).await;
    assert_eq!(unsaved, Err(CallError::Store(StoreError::DiskFull)));
    assert_eq!(replayed(&world.calls, key("k", 1)).await, big);
    // In the next life nobody knows it, and nobody guesses.
    let reborn = world.reborn().await;
    assert_eq!(begin(&reborn, key("k", 1)).await.unwrap_err(), CallError::Interrupted);
}

#[actix_rt::test]
async fn a_request_that_left_before_its_tool_started_frees_the_key() {
    let world = world().await;
    let calls = world.calls.clone();
    let mut asking = Box::pin(async move { begin(&calls, key("k", 1)).await });
    // Polled once: the message is in the mailbox, the answer is not here yet.
    assert!(futures_util::poll!(asking.as_mut()).is_pending());
    drop(asking);
    let free = async {
        loop {
            match begin(&world.calls, key("k", 1)).await {
                Ok(CallStart::Fresh(ticket)) => return ticket,
                Ok(_) => unreachable!("nothing has an outcome here"),
                Err(error) => assert_eq!(error, CallError::Interrupted),
            }
        }
    };
    let ticket = tokio::time::timeout(PATIENCE, free).await.unwrap();
    assert_eq!(world.calls.hand_out(ticket.handle()).await, Ok(HandOut::Pending));
}
