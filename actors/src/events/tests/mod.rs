//! The log: its vocabulary, its machine against a shadow model, and the actor on a real disk.

mod actor;
mod machine;
mod replay;
mod vocabulary;

use super::{Code, Emit, Event, EventFilter, EventItem, EventStream, Events, StoredEvent};
use crate::caller::{Caller, Origin, Owner, Role};
use crate::store::Store;
use futures_util::StreamExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// No wait in these tests is longer than a hard bound.
const PATIENCE: Duration = Duration::from_secs(20);

fn owner(agent: &str) -> Owner {
    Owner { agent_id: agent.to_owned(), session_key: "main".to_owned() }
}

fn caller(role: Role, agent: &str) -> Caller {
    Caller { owner: owner(agent), role, origin: Origin::Interactive, token_id: "tok_0".to_owned() }
}

/// An event that can be told apart by its number.
fn numbered(agent: &str, number: usize) -> Emit {
    Emit {
        owner: Some(owner(agent)),
        session_id: Some(format!("ts_{agent}")),
        event: Event::DrivePromoted { reason: Code::clean(&number.to_string()) },
    }
}

fn number(event: &Arc<StoredEvent>) -> usize {
    event.fields["reason"].as_str().unwrap().parse().unwrap()
}

async fn open(dir: &Path) -> (Store, Events) {
    // The previous actors of a test let go of the store a moment after they were stopped.
    let opened = async {
        loop {
            match Store::open(dir) {
                Ok(store) => return store,
                Err(_) => tokio::time::sleep(Duration::from_millis(2)).await,
            }
        }
    };
    let store = tokio::time::timeout(PATIENCE, opened).await.unwrap();
    let events = Events::start(store.clone()).await.unwrap();
    (store, events)
}

fn all_after(after: i64) -> EventFilter {
    EventFilter { after: Some(after), ..EventFilter::default() }
}

async fn next(stream: &mut EventStream) -> Option<EventItem> {
    tokio::time::timeout(PATIENCE, stream.next()).await.expect("no item in time")
}

async fn next_event(stream: &mut EventStream) -> Arc<StoredEvent> {
    match next(stream).await {
        Some(EventItem::Event(event)) => event,
        other => panic!("expected an event, got {other:?}"),
    }
}

async fn numbers(stream: &mut EventStream, count: usize) -> Vec<usize> {
    let mut seen = Vec::new();
    for _ in 0..count {
        seen.push(number(&next_event(stream).await));
    }
    seen
}
