//! `Prefer: wait`: handles, collecting, `tool:completed`.

use std::time::Duration;

use super::{agent, fresh, key, response, within, world};
use crate::caller::{Caller, Role};
use crate::calls::{CallError, CallState, HandOut, StoredResponse};
use crate::clock;

#[actix_rt::test]
async fn a_handed_out_call_is_collected_as_often_as_one_likes() {
    let mut world = world().await;
    let ticket = fresh(&world.calls, None).await;
    let handle = ticket.handle().to_owned();
    assert!(handle.strip_prefix("call_").is_some_and(|hex| hex.len() == 32));
    assert_eq!(world.calls.hand_out(&handle).await, Ok(HandOut::Pending));
    let pending = world.calls.collect(&agent("a"), &handle, Duration::ZERO).await.unwrap();
    assert!(matches!(pending, CallState::Pending { tool, .. } if tool == super::TOOL));
    world.calls.finish(ticket, response("done")).await.unwrap();
    assert_eq!(world.completed().await, (handle.clone(), "ok".to_owned()));
    for calls in [world.calls.clone(), world.calls.clone(), world.reborn().await] {
        let collected = calls.collect(&agent("a"), &handle, Duration::ZERO).await.unwrap();
        assert_eq!(collected, CallState::Finished(response("done")));
    }
}

#[actix_rt::test]
async fn a_waiting_collect_is_woken_by_the_outcome() {
    let world = world().await;
    let ticket = fresh(&world.calls, None).await;
    let handle = ticket.handle().to_owned();
    world.calls.hand_out(&handle).await.unwrap();
    let mut waiting = Vec::new();
    for _ in 0..10 {
        let (calls, handle) = (world.calls.clone(), handle.clone());
        waiting.push(actix_rt::spawn(async move {
            calls.collect(&agent("a"), &handle, Duration::from_secs(45)).await
        }));
    }
    tokio::task::yield_now().await;
    world.calls.finish(ticket, response("done")).await.unwrap();
    for collect in waiting {
        let collected = within(collect).await.unwrap().unwrap();
        assert_eq!(collected, CallState::Finished(response("done")));
    }
}

#[actix_rt::test]
async fn a_failed_tool_is_reported_as_an_error() {
    let mut world = world().await;
    let ticket = fresh(&world.calls, None).await;
    let handle = ticket.handle().to_owned();
    world.calls.hand_out(&handle).await.unwrap();
    let problem = StoredResponse {
        status: 404,
        content_type: "application/problem+json".to_owned(),
        body: b"{}".to_vec(),
    };
    world.calls.finish(ticket, problem.clone()).await.unwrap();
    assert_eq!(world.completed().await, (handle.clone(), "error".to_owned()));
    let collected = world.calls.collect(&agent("a"), &handle, Duration::ZERO).await.unwrap();
    assert_eq!(collected, CallState::Finished(problem));
}

#[actix_rt::test]
async fn a_foreign_handle_looks_like_a_missing_one() {
    let world = world().await;
    let ticket = fresh(&world.calls, None).await;
    let handle = ticket.handle().to_owned();
    world.calls.hand_out(&handle).await.unwrap();
    let missing = world.calls.collect(&agent("a"), "call_0", Duration::ZERO).await;
    assert_eq!(missing, Err(CallError::NotFound));
    let foreign = world.calls.collect(&agent("b"), &handle, Duration::ZERO).await;
    assert_eq!(foreign, missing);
    world.calls.finish(ticket, response("done")).await.unwrap();
    let foreign = world.calls.collect(&agent("b"), &handle, Duration::ZERO).await;
    assert_eq!(foreign, missing);
    let admin = Caller { role: Role::Admin, ..agent("boss") };
    let seen = world.calls.collect(&admin, &handle, Duration::ZERO).await.unwrap();
    assert_eq!(seen, CallState::Finished(response("done")));
}

#[actix_rt::test]
async fn a_call_that_was_not_handed_out_leaves_nothing_behind() {
    let mut world = world().await;
    let ticket = fresh(&world.calls, None).await;
    let handle = ticket.handle().to_owned();
    world.calls.finish(ticket, response("done")).await.unwrap();
    let gone = world.calls.collect(&agent("a"), &handle, Duration::ZERO).await;
    assert_eq!(gone, Err(CallError::NotFound));
    // Too late to hand out: whoever ran the tool has the response.
    assert_eq!(world.calls.hand_out(&handle).await, Ok(HandOut::Finished));
    let rows: i64 = world
        .store
        .read(|tx| Ok(tx.query_row("SELECT count(*) FROM calls", [], |row| row.get(0))?))
        .await
        .unwrap();
    assert_eq!(rows, 0);
    // Nothing was reported either: the next report is about the next call.
    let ticket = fresh(&world.calls, None).await;
    let next = ticket.handle().to_owned();
    world.calls.hand_out(&next).await.unwrap();
    world.calls.finish(ticket, response("done")).await.unwrap();
    assert_eq!(world.completed().await.0, next);
}

#[actix_rt::test]
async fn finishing_right_after_handing_out_loses_nothing() {
    let mut world = world().await;
    for _ in 0..50 {
        let ticket = fresh(&world.calls, None).await;
        let handle = ticket.handle().to_owned();
        let (calls, wanted) = (world.calls.clone(), handle.clone());
        let collect = actix_rt::spawn(async move {
            calls.collect(&agent("a"), &wanted, Duration::from_secs(45)).await
        });
        let (handed, finished) = tokio::join!(
            world.calls.hand_out(&handle),
            world.calls.finish(ticket, response("quick")),
        );
        assert_eq!((handed, finished), (Ok(HandOut::Pending), Ok(())));
        assert_eq!(world.completed().await.0, handle);
        if let Ok(collected) = within(collect).await.unwrap() {
            assert_eq!(collected, CallState::Finished(response("quick")));
        }
        let after = world.calls.collect(&agent("a"), &handle, Duration::ZERO).await.unwrap();
        assert_eq!(after, CallState::Finished(response("quick")));
    }
}

#[actix_rt::test]
async fn a_result_is_kept_for_an_hour() {
    let world = world().await;
    let ticket = fresh(&world.calls, None).await;
    let handle = ticket.handle().to_owned();
    world.calls.hand_out(&handle).await.unwrap();
    world.calls.finish(ticket, response("done")).await.unwrap();
    let now = clock::unix_ms();
    let kept: i64 = world
        .store
        .read(|tx| Ok(tx.query_row("SELECT keep_until_ms FROM calls", [], |r| r.get(0))?))
        .await
        .unwrap();
    assert!((now + 3_600_000 - kept).abs() < 60_000, "kept for {} ms", kept - now);
    world
        .store
        .write(move |tx| Ok(tx.execute("UPDATE calls SET keep_until_ms = ?1", [now - 1])?))
        .await
        .unwrap();
    let late = world.calls.collect(&agent("a"), &handle, Duration::ZERO).await;
    assert_eq!(late, Err(CallError::NotFound));
}

#[actix_rt::test]
async fn a_restart_tells_whoever_waits_that_the_outcome_is_unknown() {
    let mut world = world().await;
    let ticket = fresh(&world.calls, key("k", 1)).await;
    let handle = ticket.handle().to_owned();
    world.calls.hand_out(&handle).await.unwrap();
    let reborn = world.reborn().await;
    assert_eq!(world.completed().await, (handle.clone(), "error".to_owned()));
    let collected = reborn.collect(&agent("a"), &handle, Duration::from_secs(45)).await;
    assert_eq!(collected, Err(CallError::Interrupted));
}

#[actix_rt::test]
async fn a_response_too_large_to_keep_is_an_error_and_the_call_is_over() {
    let world = world().await;
    let ticket = fresh(&world.calls, key("k", 1)).await;
    let huge = response(&"x".repeat(4 * 1024 * 1024 + 1));
    let refused = world.calls.finish(ticket, huge).await;
    assert_eq!(refused, Err(CallError::TooLarge { bytes: 4 * 1024 * 1024 + 1 }));
    let again = super::begin(&world.calls, key("k", 1)).await.unwrap_err();
    assert_eq!(again, CallError::Interrupted);
}
