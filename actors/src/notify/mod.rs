//! Webhooks: events that leave the service by themselves, from an outbox that survives it.
//!
//! ```text
//! LogActor ──event and its deliveries, one transaction──▶ outbox ──Courier──▶ receivers
//! ```
//!
//! A delivery is written together with its event, so neither a crash nor a full disk can
//! lose one or make one up. Each receiver gets its deliveries in order, one at a time; a
//! receiver that is down is tried again with growing pauses for 24 hours, and holds up nobody
//! else. A delivery is removed after the receiver said yes. A crash between the two repeats
//! it: receivers know a repetition by its event id.
//!
//! A request is signed: `Ttydrive-Signature: v1=<hex>` is HMAC-SHA256 with the shared secret
//! over `<Ttydrive-Timestamp>.<body>`. Redirects are not followed. A host name that resolves
//! to a private address is refused; such an address has to be listed literally.

mod courier;
mod outbox;
mod route;
mod schedule;
mod signature;
#[cfg(test)]
mod tests;
mod transport;

use std::sync::Arc;

use tokio::sync::{Notify as Bell, watch};

pub(crate) use outbox::insert;
pub(crate) use route::{Route, routes};
pub use signature::sign;

use crate::events::Events;
use crate::settings::Webhook;
use crate::store::Store;
use courier::Courier;

/// Handle to the courier. Cheap to clone, usable from any thread.
#[derive(Clone)]
pub struct Notify {
    store: Store,
    events: Events,
    webhooks: Arc<watch::Sender<Arc<[Webhook]>>>,
    bell: Arc<Bell>,
}

impl Notify {
    /// Starts the courier on the current arbiter. It ends with the last handle.
    #[must_use]
    pub fn start(store: Store, events: Events) -> Self {
        let (webhooks, seen) = watch::channel(Arc::from([]));
        let bell = Arc::new(Bell::new());
        let courier = Courier::new(store.clone(), Arc::new(transport::Https::new()));
        actix_rt::spawn(courier.run(seen, Arc::clone(&bell)));
        Self { store, events, webhooks: Arc::new(webhooks), bell }
    }

    /// Takes over which webhooks there are. Deliveries to others are dropped.
    pub async fn configure(&self, webhooks: &[Webhook]) {
        self.events.set_routes(routes(webhooks), Arc::clone(&self.bell)).await;
        let urls = courier::urls(webhooks);
        match self.store.write(move |tx| outbox::keep_only(tx, &urls)).await {
            Ok(0) => {}
            Ok(dropped) => tracing::warn!(dropped, "deliveries to removed webhooks are dropped"),
            Err(error) => tracing::warn!(%error, "old deliveries stay in the outbox"),
        }
        self.webhooks.send_replace(webhooks.into());
        self.bell.notify_one();
    }
}
