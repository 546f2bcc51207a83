//! Tokens as the daemon knows them: in memory, checked against the database.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use subtle::ConstantTimeEq;
use tokio::sync::Mutex;

use super::rows::{self, Known};
use super::{AuthError, Identity, secret};
use crate::clock;
use crate::store::{Store, StoreError};

/// How old knowledge may be. A revocation has to take effect within a second.
const FRESH_MS: i64 = 250;
/// `last used` is for humans; more often would write at every call.
const LAST_USED_EVERY_MS: i64 = 60_000;

#[derive(Clone)]
pub struct Tokens {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    known: RwLock<Snapshot>,
    /// Held while looking into the database: one look serves all who wait.
    refresh: Mutex<()>,
    last_used: std::sync::Mutex<HashMap<String, i64>>,
}

#[derive(Default)]
struct Snapshot {
    /// `None`: never loaded.
    generation: Option<i64>,
    checked_ms: i64,
    /// By the first bytes of the hash, which tell nothing about the secret; the whole hash is
    /// then compared in constant time.
    by_prefix: HashMap<[u8; 8], Vec<Known>>,
}

impl Tokens {
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self {
            inner: Arc::new(Inner {
                store,
                known: RwLock::default(),
                refresh: Mutex::default(),
                last_used: std::sync::Mutex::default(),
            }),
        }
    }

    /// Whom this bearer stands for.
    ///
    /// # Errors
    /// Not a token of ours, revoked or expired; or the database cannot be read.
    pub async fn authenticate(&self, bearer: &str) -> Result<Identity, AuthError> {
        let hash = secret::hash(bearer).ok_or(AuthError::Refused)?;
        let now = clock::unix_ms();
        let asked = clock::monotonic_ms();
        self.refresh(asked.saturating_sub(FRESH_MS)).await?;
        let mut found = self.find(&hash, now);
        if found.is_none() {
            // It may have been made a moment ago.
            self.refresh(asked).await?;
            found = self.find(&hash, now);
        }
        let identity = found.ok_or(AuthError::Refused)?;
        self.note_use(&identity.token_id, now);
        Ok(identity)
    }

    fn find(&self, hash: &secret::Hash, now_ms: i64) -> Option<Identity> {
        let known = self.inner.known.read().unwrap_or_else(PoisonError::into_inner);
        let bucket = known.by_prefix.get(&prefix(hash))?;
        let token = bucket.iter().find(|token| bool::from(token.hash.ct_eq(hash)))?;
        let live = token.expires_ms.is_none_or(|expires| now_ms < expires);
        live.then(|| token.identity.clone())
    }

    /// Makes sure that what is known was true at `since_ms` or later.
    async fn refresh(&self, since_ms: i64) -> Result<(), StoreError> {
        if self.checked_since(since_ms) {
            return Ok(());
        }
        let _one = self.inner.refresh.lock().await;
        if self.checked_since(since_ms) {
            return Ok(());
        }
        let checked_ms = clock::monotonic_ms();
        let had = self.read_known(|known| known.generation);
        let news = self
            .inner
            .store
            .read(move |tx| {
                let generation = rows::generation(tx)?;
                let changed = had != Some(generation);
                Ok((generation, if changed { Some(rows::known(tx)?) } else { None }))
            })
            .await?;
        let mut known = self.inner.known.write().unwrap_or_else(PoisonError::into_inner);
        known.checked_ms = checked_ms;
        known.generation = Some(news.0);
        if let Some(tokens) = news.1 {
            known.by_prefix = HashMap::new();
            for token in tokens {
                known.by_prefix.entry(prefix(&token.hash)).or_default().push(token);
            }
        }
        Ok(())
    }

    fn checked_since(&self, since_ms: i64) -> bool {
        self.read_known(|known| known.generation.is_some() && known.checked_ms > since_ms)
    }

    fn read_known<T>(&self, look: impl FnOnce(&Snapshot) -> T) -> T {
        look(&self.inner.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Written in the background; a lost update costs a minute of accuracy.
    fn note_use(&self, token_id: &str, now_ms: i64) {
        {
            let mut last = self.inner.last_used.lock().unwrap_or_else(PoisonError::into_inner);
            match last.get(token_id) {
                Some(noted) if now_ms.abs_diff(*noted) < LAST_USED_EVERY_MS.unsigned_abs() => {
                    return;
                }
                Some(_) | None => last.insert(token_id.to_owned(), now_ms),
            };
        }
        let (store, id) = (self.inner.store.clone(), token_id.to_owned());
        actix_rt::spawn(async move {
            let noted = store
                .write(move |tx| {
                    tx.prepare_cached("UPDATE tokens SET last_used_ms = ?2 WHERE id = ?1")?
                        .execute(rusqlite::params![id, now_ms])?;
                    Ok(())
                })
                .await;
            if let Err(error) = noted {
                tracing::warn!(%error, "cannot note when a token was last used");
            }
        });
    }
}

fn prefix(hash: &secret::Hash) -> [u8; 8] {
    let mut first = [0; 8];
    first.iter_mut().zip(hash).for_each(|(to, from)| *to = *from);
    first
}
