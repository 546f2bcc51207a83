//! Drives: sessions that were given a task and outlive the wait for it.
//!
//! ```text
//! attached ──task, then a wait that comes back unfinished──▶ promoted{working ⇄ parked}
//!    ▲                                                        │     │        │
//!    └─────────── a new task ── done ◀── exit 0, own wait ────┘     │   restart ▶ re-attaching
//!                               failed ◀── other end, cap, gone ────┘        └── found ▶ promoted
//! ```
//!
//! The actor owns every drive's machine, journal and counters. It learns from the event log
//! what sessions do, and from the facade what owners do (`sent`, `waited`); it knows no
//! session and no screen. A short command costs one entry in a map and nothing on disk.
//!
//! Invariants: an untasked session is never promoted; `done` needs an exit with 0 or a wait
//! of the owner that matched; one promotion has one ending; a prompt escalates once.
//! What it does not do: answer prompts, or end sessions itself (it asks, see `stops`).

mod actor;
mod machine;
mod messages;
mod notices;
mod owner;
mod states;
mod table;
#[cfg(test)]
mod tests;

use actix::{Actor, Addr};
use futures_util::StreamExt;
use policy::SafeText;
use tokio::sync::mpsc;

pub use messages::{DriveError, DriveInfo, Subject};
pub(crate) use states::states;

use crate::caller::{Caller, Origin, Owner, Role};
use crate::events::{EventFilter, EventItem, Events, SubscribeError};
use crate::journal::{Journal, Journals};
use crate::store::{Store, StoreError};
use actor::DrivesActor;
use messages::{Happened, List, ReadJournal, Recovered, Sent, Spent, Waited};

/// Sessions that wait to be ended for their spend; the reaper of the world reads quickly.
const STOPS_MAX: usize = 256;

/// Handle to the drives. Cheap to clone, usable from any thread.
#[derive(Clone)]
pub struct Drives {
    actor: Addr<DrivesActor>,
}

impl Drives {
    /// Takes up the promoted drives of an earlier life as re-attaching, and listens to the
    /// log. The receiver gets the ids of sessions that must be ended.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn start(
        store: Store,
        events: Events,
        journals: Journals,
    ) -> Result<(Self, mpsc::Receiver<String>), StoreError> {
        let (stops, ended) = mpsc::channel(STOPS_MAX);
        let actor = DrivesActor::recover(store, events.clone(), journals, stops).await?;
        let actor = actor.start();
        listen(events, actor.clone()).await?;
        Ok((Self { actor }, ended))
    }

    /// After a `send_text` of its owner was delivered: the session has a task.
    pub async fn sent(&self, subject: Subject, objective: SafeText) {
        let _ = self.actor.send(Sent { subject, objective }).await;
    }

    /// After a `wait` of its owner came back. `matched_own`: its text or exit came.
    pub async fn waited(
        &self,
        session_id: &str,
        complete: bool,
        producing: bool,
        matched_own: bool,
    ) {
        let session_id = session_id.to_owned();
        let _ = self.actor.send(Waited { session_id, complete, producing, matched_own }).await;
    }

    /// After recovery: these sessions live. Every other re-attaching drive has failed.
    pub async fn recovered(&self, alive: Vec<String>) {
        let _ = self.actor.send(Recovered { alive }).await;
    }

    /// Promoted drives (and ended ones, while their session is known) this caller may see.
    pub async fn list(&self, caller: &Caller) -> Vec<DriveInfo> {
        self.actor.send(List { caller: caller.clone() }).await.unwrap_or_default()
    }

    /// What the drive remembers.
    ///
    /// # Errors
    /// No such drive of this caller.
    pub async fn journal(&self, caller: &Caller, session_id: &str) -> Result<Journal, DriveError> {
        let ask = ReadJournal { caller: caller.clone(), session_id: session_id.to_owned() };
        self.actor.send(ask).await.unwrap_or(Err(DriveError::NotFound))
    }

    /// Adds reported spend; returns the total.
    ///
    /// # Errors
    /// No such drive of this caller, or not an amount.
    pub async fn spent(
        &self,
        caller: &Caller,
        session_id: &str,
        usd: f64,
    ) -> Result<f64, DriveError> {
        let spent = Spent { caller: caller.clone(), session_id: session_id.to_owned(), usd };
        self.actor.send(spent).await.unwrap_or(Err(DriveError::NotFound))
    }
}

/// Feeds the log to the actor. When the stream is cut off for slowness it is opened again
/// where it ended, so nothing is missed.
async fn listen(events: Events, actor: Addr<DrivesActor>) -> Result<(), StoreError> {
    let everything = Caller {
        owner: Owner { agent_id: String::new(), session_key: String::new() },
        role: Role::Admin,
        origin: Origin::Unattended,
        token_id: "service".to_owned(),
    };
    let wish =
        |after| EventFilter { session_id: None, types: vec!["terminal:*".to_owned()], after };
    let opened = events.subscribe(&everything, wish(None)).await;
    let mut stream = opened.map_err(|error| match error {
        SubscribeError::Store(error) => error,
        SubscribeError::Filter(_) | SubscribeError::TooManyStreams => StoreError::Stopped,
    })?;
    actix_rt::spawn(async move {
        loop {
            let mut cut_off_at = None;
            while let Some(item) = stream.next().await {
                match item {
                    EventItem::Event(event) => {
                        if actor.send(Happened { event }).await.is_err() {
                            return;
                        }
                    }
                    EventItem::Resync { last_id } => cut_off_at = Some(last_id),
                }
            }
            let Some(after) = cut_off_at else { return };
            match events.subscribe(&everything, wish(Some(after))).await {
                Ok(again) => stream = again,
                Err(error) => {
                    tracing::error!(%error, "drives no longer hear what sessions do");
                    return;
                }
            }
        }
    });
    Ok(())
}
