//! The event stream (SSE).

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context as Poller, Poll};

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Bytes;
use actors::events::{EventFilter, EventItem, EventStream, StoredEvent};
use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::gate::Request;
use crate::limits::{INTEGER_MAX, SSE_COMMENT_EVERY, SSE_RETRY_MS, SSE_TYPES_MAX};
use crate::metrics::{Counted, Open};
use crate::problem::{Code, Problem};
use crate::route::{Reply, Route};
use crate::schema;

pub const ROUTES: &[Route] =
    &[Route::get("/v1/events", "Server-sent events, with replay after Last-Event-ID", |request| {
        Box::pin(subscribe(request))
    })
    .tag("events")
    .query(schema::input::<EventsQuery>)
    .reply(Reply::EventStream)
    .problems(&[Code::RateLimited, Code::Recovering])];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EventsQuery {
    /// Only events of this session.
    #[schemars(length(min = 1, max = 64))]
    session_id: Option<String>,
    /// Comma-separated types; `*` stands for any characters: `terminal:*,drive:*`.
    #[schemars(length(max = 2048))]
    types: Option<String>,
    /// For clients that cannot set the Last-Event-ID header.
    #[schemars(range(min = 0, max = INTEGER_MAX))]
    last_event_id: Option<i64>,
}

async fn subscribe(request: Request) -> Result<HttpResponse, Problem> {
    let query: EventsQuery = request.query()?;
    let types = types(query.types.as_deref())?;
    let after = header_id(&request)?.or(query.last_event_id);
    let filter = EventFilter { session_id: query.session_id, types, after };
    let events = request.shared.system.subscribe(request.caller()?, filter).await?;
    let open = request.shared.metrics.open(Open::EventStream);
    let mut stopping = request.shared.stopping.clone();
    let stop = async move {
        // An error means that the server is gone, which is the same.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    };
    let first = stream::iter([Bytes::from(format!("retry: {SSE_RETRY_MS}\n\n"))]);
    let body = first.chain(Body::new(events, open)).take_until(Box::pin(stop));
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/event-stream"))
        .insert_header((header::CACHE_CONTROL, "no-store, no-transform"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body.map(Ok::<_, Infallible>)))
}

fn types(list: Option<&str>) -> Result<Vec<String>, Problem> {
    let types: Vec<String> = list
        .unwrap_or_default()
        .split(',')
        .map(str::trim)
        .filter(|glob| !glob.is_empty())
        .map(str::to_owned)
        .collect();
    if types.len() > SSE_TYPES_MAX {
        let detail = format!("`types` takes at most {SSE_TYPES_MAX} patterns");
        return Err(Problem::invalid("types", detail));
    }
    Ok(types)
}

/// The header wins: a browser sets it by itself when it connects again.
fn header_id(request: &Request) -> Result<Option<i64>, Problem> {
    let Some(value) = request.http.headers().get("Last-Event-ID") else { return Ok(None) };
    let text = value.to_str().unwrap_or("?").trim();
    // An empty id is what a browser sends when no event has come yet.
    if text.is_empty() {
        return Ok(None);
    }
    text.parse::<i64>().ok().filter(|id| *id >= 0).map(Some).ok_or_else(|| {
        Problem::invalid("Last-Event-ID", "the header Last-Event-ID takes the id of an event")
    })
}

/// Events as they come, and a comment line whenever nothing came for a while.
struct Body {
    events: EventStream,
    silence: Interval,
    done: bool,
    _open: Counted,
}

impl Body {
    fn new(events: EventStream, open: Counted) -> Self {
        let mut silence = interval(SSE_COMMENT_EVERY);
        silence.reset();
        silence.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { events, silence, done: false, _open: open }
    }
}

impl futures_util::Stream for Body {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, poller: &mut Poller<'_>) -> Poll<Option<Bytes>> {
        if self.done {
            return Poll::Ready(None);
        }
        match self.events.poll_next_unpin(poller) {
            Poll::Ready(Some(item)) => return Poll::Ready(Some(block(&item))),
            Poll::Ready(None) => {
                self.done = true;
                return Poll::Ready(None);
            }
            Poll::Pending => {}
        }
        self.silence.poll_tick(poller).map(|_| Some(Bytes::from_static(b": still here\n\n")))
    }
}

/// One event on the wire.
fn block(item: &EventItem) -> Bytes {
    match item {
        EventItem::Event(event) => framed(event.id, &event.kind, &document(event)),
        EventItem::Resync { last_id } => {
            let data = json!({ "id": last_id, "type": "resync", "lastEventId": last_id });
            framed(*last_id, "resync", &data)
        }
    }
}

fn framed(id: i64, kind: &str, data: &Value) -> Bytes {
    Bytes::from(format!("id: {id}\nevent: {kind}\ndata: {data}\n\n"))
}

/// `id, type, time, agentId, sessionId?` and the members of its type.
fn document(event: &StoredEvent) -> Value {
    let mut members = Map::new();
    members.insert("id".to_owned(), event.id.into());
    members.insert("type".to_owned(), event.kind.as_str().into());
    members.insert("time".to_owned(), event.time.as_str().into());
    if let Some(owner) = &event.owner {
        members.insert("agentId".to_owned(), owner.agent_id.as_str().into());
    }
    if let Some(id) = &event.session_id {
        members.insert("sessionId".to_owned(), id.as_str().into());
    }
    for (name, value) in &event.fields {
        members.entry(name.clone()).or_insert_with(|| value.clone());
    }
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_block_with_the_common_members_first() {
        let event = StoredEvent {
            id: 7,
            kind: "terminal:stuck".to_owned(),
            time: "2026-01-02T03:04:05Z".to_owned(),
            owner: Some(actors::Owner {
                agent_id: "default".to_owned(),
                session_key: "main".to_owned(),
            }),
            session_id: Some("ts_0123456789abcdef".to_owned()),
            fields: json!({"noProgressMs": 30_000, "id": "never"})
                .as_object()
                .cloned()
                .unwrap_or_default(),
        };
        let text = block(&EventItem::Event(event.into()));
        assert_eq!(
            text,
            "id: 7\nevent: terminal:stuck\ndata: {\"id\":7,\"type\":\"terminal:stuck\",\
             \"time\":\"2026-01-02T03:04:05Z\",\"agentId\":\"default\",\
             \"sessionId\":\"ts_0123456789abcdef\",\"noProgressMs\":30000}\n\n"
        );
    }

    #[test]
    fn types_are_a_bounded_list() {
        assert!(types(None).expect("absent").is_empty());
        assert_eq!(types(Some("terminal:*, drive:*,")).expect("two").len(), 2);
        assert!(types(Some(&"a,".repeat(SSE_TYPES_MAX + 1))).is_err());
    }
}
