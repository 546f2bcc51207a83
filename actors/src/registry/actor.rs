//! Keeps the sessions and their places.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use actix::{Actor, Addr, AsyncContext, Context, Handler, MessageResult};
use profiles::Profiles;

use super::create;
use super::machine::{self, Decision, Limit, Limits, Taken};
use super::messages::{Add, All, CreateSession, Find, Known, Place, Release, Remove, Reserve};
use crate::caller::Owner;
use crate::classifier::ClassifierActor;
use crate::clock;
use crate::error::{ConflictReason, Error};
use crate::events::{Cap, Emit, Event, EvictionReason};
use crate::ids;
use crate::limits::{SERVICE_INBOX, SESSIONS_MAX, UID_SLOTS};
use crate::records::Records;
use crate::session::Forget;

/// Random bytes of a session id (contract: 16 digits).
const SESSION_ID_BYTES: usize = 8;

/// What creations share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) records: Records,
    pub(crate) classifier: Addr<ClassifierActor>,
    pub(crate) profiles: Arc<Profiles>,
    pub(crate) exe: PathBuf,
}

pub(crate) struct RegistryActor {
    shared: Shared,
    sessions: BTreeMap<String, Known>,
    /// Being created.
    reserved: BTreeMap<String, Reserved>,
}

struct Reserved {
    owner: Owner,
    allow_id: String,
    uid_slot: u32,
}

impl RegistryActor {
    pub(crate) fn begin(shared: Shared) -> Addr<Self> {
        Self::create(|ctx| {
            ctx.set_mailbox_capacity(SERVICE_INBOX);
            Self { shared, sessions: BTreeMap::new(), reserved: BTreeMap::new() }
        })
    }

    fn taken(&self) -> Vec<Taken> {
        let running = self.sessions.values().map(|known| {
            let now = known.card.now();
            Taken {
                session_id: known.card.id.clone(),
                agent_id: known.card.owner.agent_id.clone(),
                allow_id: known.card.entry.id.clone(),
                alive: now.alive,
                last_activity_ms: now.last_activity_ms,
            }
        });
        let reserved = self.reserved.iter().map(|(id, reserved)| Taken {
            session_id: id.clone(),
            agent_id: reserved.owner.agent_id.clone(),
            allow_id: reserved.allow_id.clone(),
            alive: true,
            last_activity_ms: i64::MAX,
        });
        running.chain(reserved).collect()
    }

    fn free_slot(&self) -> Option<u32> {
        let used: BTreeSet<u32> = self
            .sessions
            .values()
            .filter(|known| known.card.now().alive)
            .map(|known| known.card.uid_slot)
            .chain(self.reserved.values().map(|reserved| reserved.uid_slot))
            .collect();
        (0..UID_SLOTS).find(|slot| !used.contains(slot))
    }

    fn evict(&mut self, session_id: &str, limit: Limit) {
        let Some(known) = self.sessions.remove(session_id) else { return };
        self.shared.records.events.emit(Emit {
            owner: Some(known.card.owner.clone()),
            session_id: Some(session_id.to_owned()),
            event: Event::SessionEvicted {
                reason: EvictionReason::MaxSessions,
                limit: Cap {
                    name: "max_sessions",
                    value: u64::try_from(limit.value()).unwrap_or(u64::MAX),
                    unit: "",
                },
                duration: known.card.age(),
            },
        });
        forget(&known);
    }

    fn reserve(&mut self, wish: Reserve) -> Result<Place, Error> {
        let limits = Limits { agent: wish.agent_max, entry: wish.entry_max, service: SESSIONS_MAX };
        let agent_id = &wish.owner.agent_id;
        match machine::admit(&self.taken(), agent_id, &wish.allow_id, limits) {
            Decision::Refuse(limit) => Err(full(limit)),
            Decision::Accept { evict } => {
                for (session_id, limit) in evict {
                    self.evict(&session_id, limit);
                }
                let uid_slot = self
                    .free_slot()
                    .ok_or_else(|| Error::Internal { detail: "no uid is free".to_owned() })?;
                let digits = ids::random_hex::<SESSION_ID_BYTES>().map_err(|error| {
                    Error::Internal { detail: format!("no randomness: {error}") }
                })?;
                let session_id = format!("ts_{digits}");
                let reserved = Reserved { owner: wish.owner, allow_id: wish.allow_id, uid_slot };
                self.reserved.insert(session_id.clone(), reserved);
                Ok(Place { session_id, uid_slot })
            }
        }
    }
}

fn forget(known: &Known) {
    // Its inbox cannot be full: it has ended, and ended sessions answer at once.
    if known.actor.try_send(Forget).is_err() {
        tracing::debug!(session = %known.card.id, "the session's actor is gone already");
    }
}

fn full(limit: Limit) -> Error {
    Error::Conflict {
        reason: ConflictReason::Busy,
        detail: format!(
            "no more sessions: {} is {}, and none of them has finished",
            limit.name(),
            limit.value()
        ),
        hint: Some("kill a session you no longer need, then create again".to_owned()),
    }
}

impl Actor for RegistryActor {
    type Context = Context<Self>;
}

impl Handler<CreateSession> for RegistryActor {
    type Result = ();

    fn handle(&mut self, wish: CreateSession, ctx: &mut Self::Context) {
        // Not tied to the caller's connection: what has begun to start is finished or undone.
        actix_rt::spawn(create::run(self.shared.clone(), ctx.address(), wish));
    }
}

impl Handler<Reserve> for RegistryActor {
    type Result = Result<Place, Error>;

    fn handle(&mut self, wish: Reserve, _: &mut Self::Context) -> Self::Result {
        self.reserve(wish)
    }
}

impl Handler<Release> for RegistryActor {
    type Result = ();

    fn handle(&mut self, release: Release, _: &mut Self::Context) {
        self.reserved.remove(&release.session_id);
    }
}

impl Handler<Add> for RegistryActor {
    type Result = ();

    fn handle(&mut self, add: Add, _: &mut Self::Context) {
        self.reserved.remove(&add.known.card.id);
        self.sessions.insert(add.known.card.id.clone(), add.known);
    }
}

impl Handler<Find> for RegistryActor {
    type Result = Option<Known>;

    fn handle(&mut self, find: Find, _: &mut Self::Context) -> Self::Result {
        let known = self.sessions.get(&find.session_id)?;
        find.caller.may_see(&known.card.owner).then(|| known.clone())
    }
}

impl Handler<All> for RegistryActor {
    type Result = MessageResult<All>;

    fn handle(&mut self, _: All, _: &mut Self::Context) -> Self::Result {
        let mut all: Vec<Known> = self.sessions.values().cloned().collect();
        all.sort_by_key(|known| known.card.created_ms);
        MessageResult(all)
    }
}

impl Handler<Remove> for RegistryActor {
    type Result = ();

    fn handle(&mut self, remove: Remove, _: &mut Self::Context) {
        let dead =
            self.sessions.get(&remove.session_id).is_some_and(|known| !known.card.now().alive);
        if dead && let Some(known) = self.sessions.remove(&remove.session_id) {
            forget(&known);
        }
    }
}

/// Milliseconds since 1970, for cards.
pub(super) fn now_ms() -> i64 {
    clock::unix_ms()
}
