//! Calls: the machine, and the actor with store and event log.

mod keys;
mod machine;
mod pending;

use std::time::Duration;

use futures_util::StreamExt;

use super::{CallError, CallStart, CallTicket, Calls, IdempotencyKey, StoredResponse};
use crate::caller::{Caller, Origin, Owner, Role};
use crate::events::{EventFilter, EventItem, EventStream, Events};
use crate::store::Store;

const PATIENCE: Duration = Duration::from_secs(20);
const TOOL: &str = "terminal_session_send_text";

struct World {
    _dir: tempfile::TempDir,
    store: Store,
    events: Events,
    calls: Calls,
    stream: EventStream,
}

async fn world() -> World {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let events = Events::start(store.clone()).await.unwrap();
    let calls = Calls::start(store.clone(), events.clone()).await.unwrap();
    let stream = events.subscribe(&agent("a"), EventFilter::default()).await.unwrap();
    World { _dir: dir, store, events, calls, stream }
}

impl World {
    /// A second daemon life on the same data: memory is new, the disk is the same.
    async fn reborn(&self) -> Calls {
        Calls::start(self.store.clone(), self.events.clone()).await.unwrap()
    }

    async fn completed(&mut self) -> (String, String) {
        let Some(EventItem::Event(event)) = within(self.stream.next()).await else {
            unreachable!("the log was not closed")
        };
        assert_eq!(event.kind, "tool:completed");
        let text = |name: &str| event.fields[name].as_str().unwrap().to_owned();
        (text("handle"), text("status"))
    }

    async fn limit_pages(&self, limit: u32) {
        self.store
            .write(move |tx| {
                Ok(tx.query_row(&format!("PRAGMA max_page_count = {limit}"), [], |_| Ok(()))?)
            })
            .await
            .unwrap();
    }
}

fn agent(id: &str) -> Caller {
    Caller {
        owner: Owner { agent_id: id.to_owned(), session_key: "main".to_owned() },
        role: Role::Agent,
        origin: Origin::Interactive,
        token_id: format!("tok_{id}"),
    }
}

fn key(name: &str, body: u8) -> Option<IdempotencyKey> {
    Some(IdempotencyKey { key: name.to_owned(), body_sha256: [body; 32] })
}

fn response(body: &str) -> StoredResponse {
    StoredResponse {
        status: 200,
        content_type: "application/json".to_owned(),
        body: body.as_bytes().to_vec(),
    }
}

async fn within<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("not in time")
}

async fn begin(calls: &Calls, key: Option<IdempotencyKey>) -> Result<CallStart, CallError> {
    within(calls.begin(&agent("a"), TOOL, key, None)).await
}

async fn fresh(calls: &Calls, key: Option<IdempotencyKey>) -> CallTicket {
    match begin(calls, key).await {
        Ok(CallStart::Fresh(ticket)) => ticket,
        other => panic!("expected a fresh call, got {other:?}"),
    }
}

async fn replayed(calls: &Calls, key: Option<IdempotencyKey>) -> StoredResponse {
    match begin(calls, key).await {
        Ok(CallStart::Replay(response)) => response,
        other => panic!("expected a replay, got {other:?}"),
    }
}
