//! The task that takes letters from the outbox to their receivers. A reconciler: each round
//! looks at what is due and does it; a lost bell costs only time.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::{Notify as Bell, watch};

use super::outbox::{self, Letter};
use super::schedule::{Next, after_failure};
use super::signature::sign;
use super::transport::{Post, Transport};
use crate::clock;
use crate::settings::Webhook;
use crate::store::{Store, StoreError};

/// Between two looks when nothing rings.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// After a round that could not read or write the outbox.
const AFTER_ERROR: Duration = Duration::from_secs(1);

pub(super) struct Courier {
    store: Store,
    transport: Arc<dyn Transport>,
}

impl Courier {
    pub(super) fn new(store: Store, transport: Arc<dyn Transport>) -> Self {
        Self { store, transport }
    }

    /// Ends when the last handle is gone.
    pub(super) async fn run(self, mut webhooks: watch::Receiver<Arc<[Webhook]>>, bell: Arc<Bell>) {
        loop {
            let now = Arc::clone(&webhooks.borrow_and_update());
            let pause = match self.round(&now, clock::unix_ms()).await {
                Ok(next) => until(next),
                Err(StoreError::Stopped) => return,
                Err(error) => {
                    tracing::warn!(%error, "the outbox cannot be used at the moment");
                    AFTER_ERROR
                }
            };
            tokio::select! {
                () = bell.notified() => {}
                () = tokio::time::sleep(pause) => {}
                changed = webhooks.changed() => if changed.is_err() {
                    return;
                },
            }
        }
    }

    /// Delivers what is due; says when to look again (milliseconds since 1970).
    pub(super) async fn round(
        &self,
        webhooks: &[Webhook],
        now_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        let rounds = join_all(webhooks.iter().map(|webhook| self.serve(webhook, now_ms))).await;
        rounds.into_iter().collect::<Result<(), _>>()?;
        let urls = urls(webhooks);
        self.store.read(move |tx| outbox::next_due(tx, &urls)).await
    }

    /// One receiver: in order, up to the first letter it does not take.
    async fn serve(&self, webhook: &Webhook, now_ms: i64) -> Result<(), StoreError> {
        let url = webhook.url.clone();
        let due = self.store.read(move |tx| outbox::due(tx, &url, now_ms)).await?;
        for letter in due {
            match self.deliver(webhook, &letter, now_ms).await {
                Ok(()) => {
                    let id = letter.id;
                    self.store.write(move |tx| outbox::remove(tx, id)).await?;
                }
                Err(why) => return self.failed(&letter, &why, now_ms).await,
            }
        }
        Ok(())
    }

    async fn deliver(&self, hook: &Webhook, letter: &Letter, now_ms: i64) -> Result<(), String> {
        let timestamp = now_ms.div_euclid(1_000);
        let post = Post {
            url: hook.url.clone(),
            body: letter.body.clone(),
            kind: letter.kind.clone(),
            event_id: letter.event_id,
            timestamp,
            signature: sign(&hook.secret, timestamp, &letter.body),
        };
        self.transport.post(post).await
    }

    async fn failed(&self, letter: &Letter, why: &str, now_ms: i64) -> Result<(), StoreError> {
        let (id, event) = (letter.id, letter.event_id);
        let attempts = letter.attempts.saturating_add(1);
        match after_failure(attempts, letter.created_ms, now_ms) {
            Next::RetryAt { ms } => {
                tracing::warn!(url = letter.url, event, attempts, why, "a webhook did not take");
                self.store.write(move |tx| outbox::postpone(tx, id, ms)).await
            }
            Next::GiveUp => {
                tracing::error!(url = letter.url, event, attempts, why, "a delivery is given up");
                self.store.write(move |tx| outbox::remove(tx, id)).await
            }
        }
    }
}

pub(super) fn urls(webhooks: &[Webhook]) -> Vec<String> {
    webhooks.iter().map(|webhook| webhook.url.clone()).collect()
}

fn until(next_ms: Option<i64>) -> Duration {
    let Some(next) = next_ms else { return LOOK_EVERY };
    let left = u64::try_from(next.saturating_sub(clock::unix_ms())).unwrap_or(0);
    Duration::from_millis(left).min(LOOK_EVERY)
}
