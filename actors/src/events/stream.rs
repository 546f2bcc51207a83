//! One subscriber's way through the log: stored pages at its own pace, then live.
//!
//! Replay reads the store page by page; nothing piles up for a slow reader. At the end of the
//! store it asks the log for the live events; the log says `Behind` when something was sent
//! meanwhile, and the stream reads on. So there is neither a gap nor a duplicate, however
//! long the replay takes.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use actix::Addr;
use futures_util::Stream;

use super::actor::LogActor;
use super::draft::StoredEvent;
use super::filter::Filter;
use super::messages::{GoLive, Joined, Live};
use super::table::{self, Page};
use crate::store::Store;

/// What a subscriber receives.
#[derive(Debug, Clone, PartialEq)]
pub enum EventItem {
    Event(Arc<StoredEvent>),
    /// Events were missed. `last_id` is where to go on: after a too old id the present end,
    /// after being cut off the last event this stream delivered.
    Resync {
        last_id: i64,
    },
}

/// Ends after a `Resync` caused by slowness, and when the service stops.
pub struct EventStream {
    items: Pin<Box<dyn Stream<Item = EventItem> + Send>>,
}

impl Stream for EventStream {
    type Item = EventItem;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<EventItem>> {
        self.items.as_mut().poll_next(cx)
    }
}

pub(super) struct Source {
    pub(super) store: Store,
    pub(super) log: Addr<LogActor>,
    pub(super) filter: Filter,
}

enum Phase {
    Replaying {
        cursor: i64,
        page: VecDeque<StoredEvent>,
        /// The store had no more when the page was read.
        end: bool,
    },
    Live(Live),
    Over,
}

struct Walk {
    source: Source,
    phase: Phase,
    /// Last id delivered or skipped: where a reconnect would go on.
    at: i64,
}

/// Everything stored after `after`, then what happens.
pub(super) fn replay(source: Source, after: i64) -> EventStream {
    let phase = Phase::Replaying { cursor: after, page: VecDeque::new(), end: false };
    stream(Walk { source, phase, at: after })
}

/// Only what happens from now on.
pub(super) fn live(source: Source, live: Live) -> EventStream {
    let at = live.after;
    stream(Walk { source, phase: Phase::Live(live), at })
}

fn stream(walk: Walk) -> EventStream {
    EventStream {
        items: Box::pin(futures_util::stream::unfold(walk, |mut walk| async move {
            let item = walk.next().await?;
            Some((item, walk))
        })),
    }
}

impl Walk {
    async fn next(&mut self) -> Option<EventItem> {
        loop {
            match &mut self.phase {
                Phase::Over => return None,
                Phase::Live(live) => {
                    let Some(event) = live.events.recv().await else {
                        let slow = live.overflowed.load(Ordering::Acquire);
                        self.phase = Phase::Over;
                        return slow.then_some(EventItem::Resync { last_id: self.at });
                    };
                    self.at = event.id;
                    return Some(EventItem::Event(event));
                }
                Phase::Replaying { cursor, page, end } => {
                    if let Some(event) = page.pop_front() {
                        self.at = event.id;
                        return Some(EventItem::Event(Arc::new(event)));
                    }
                    let (cursor, end) = (*cursor, *end);
                    if end {
                        self.join(cursor).await;
                    } else if let Some(resync) = self.read(cursor).await {
                        return Some(resync);
                    }
                }
            }
        }
    }

    async fn join(&mut self, cursor: i64) {
        self.at = self.at.max(cursor);
        let wish = GoLive { filter: self.source.filter.clone(), after: Some(cursor) };
        self.phase = match self.source.log.send(wish).await {
            Ok(Joined::Live(live)) => Phase::Live(live),
            Ok(Joined::Behind) => Phase::Replaying { cursor, page: VecDeque::new(), end: false },
            Ok(Joined::Full) | Err(_) => Phase::Over,
        };
    }

    async fn read(&mut self, cursor: i64) -> Option<EventItem> {
        let filter = self.source.filter.clone();
        match self.source.store.read(move |tx| table::page(tx, cursor, &filter)).await {
            Ok(Page::Events { events, through, end }) => {
                self.phase = Phase::Replaying { cursor: through, page: events.into(), end };
                None
            }
            Ok(Page::TooOld { last_id }) => {
                self.at = last_id;
                self.phase = Phase::Replaying { cursor: last_id, page: VecDeque::new(), end: true };
                Some(EventItem::Resync { last_id })
            }
            Err(error) => {
                tracing::warn!(%error, "a replay ends early");
                self.phase = Phase::Over;
                None
            }
        }
    }
}
