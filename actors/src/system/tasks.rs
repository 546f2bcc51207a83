//! Tells the drives what sessions were asked and answered, and ends those that overspend.

use policy::{Kind, outgoing};
use tokio::sync::oneshot;

use super::System;
use crate::caller::{Caller, Origin, Owner, Role};
use crate::drive::Subject;
use crate::journal::OBJECTIVE_BYTES_MAX;
use crate::registry::{All, Known};
use crate::session::Call;
use crate::session_types::{KillSignal, Outcome, SendReply, WaitReason, WaitReply};

impl System {
    /// What a text would be a task of; `None` when nothing may be remembered of it: somebody
    /// else than the owner types it, or a password is asked for.
    pub(super) async fn subject(&self, caller: &Caller, id: &str) -> Option<Subject> {
        let known = self.find(caller, id).await.ok()?;
        if known.card.owner != caller.owner {
            return None;
        }
        if known.card.summary().kind.as_deref() == Some(Kind::Password.as_str()) {
            return None;
        }
        let settings = self.settings();
        let agent = settings.agents.get(&known.card.owner.agent_id)?;
        Some(Subject {
            session_id: known.card.id.clone(),
            allow_id: known.card.entry.id.clone(),
            owner: known.card.owner.clone(),
            settings: agent.terminal.drive.clone(),
        })
    }

    /// After a text was sent.
    pub(super) async fn tasked(&self, subject: Option<Subject>, text: &str, sent: &SendReply) {
        let delivered = match sent.outcome {
            Outcome::Delivered | Outcome::Submitted | Outcome::Queued => true,
            Outcome::Stalled => false,
        };
        if let Some(subject) = subject.filter(|_| delivered) {
            let objective = outgoing::line(text, OBJECTIVE_BYTES_MAX);
            self.records().drives.sent(subject, objective).await;
        }
    }

    /// After a wait came back.
    pub(super) async fn waited(&self, caller: &Caller, id: &str, reply: &WaitReply) {
        let own = self.find(caller, id).await.is_ok_and(|known| known.card.owner == caller.owner);
        if !own {
            return;
        }
        let matched_own = match reply.reason {
            WaitReason::Text | WaitReason::Exit => reply.matched,
            WaitReason::Idle | WaitReason::State | WaitReason::Timeout => false,
        };
        let producing = reply.producing.unwrap_or(false);
        self.records().drives.waited(id, reply.is_complete, producing, matched_own).await;
    }

    /// After recovery: which sessions live, and from now on the stops.
    pub(super) async fn begin_drives(&self) {
        let all = self.inner.registry.send(All).await.unwrap_or_default();
        let alive = |known: &&Known| known.card.summary().alive;
        let ids = all.iter().filter(alive).map(|known| known.card.id.clone());
        self.records().drives.recovered(ids.collect()).await;
        let Some(mut stops) = self.records().take_stops() else { return };
        let system = self.clone();
        actix_rt::spawn(async move {
            while let Some(id) = stops.recv().await {
                system.stop(&id).await;
            }
        });
    }

    async fn stop(&self, id: &str) {
        let Ok(known) = self.find(&service(), id).await else { return };
        let (reply, ended) = oneshot::channel();
        let kill = Call::Kill { caller: None, signal: KillSignal::Term, reply };
        if known.actor.try_send(kill).is_err() {
            tracing::warn!(session = id, "a session over its spend limit could not be told to end");
            return;
        }
        // Its end is an event of its own.
        let _ = ended.await;
    }
}

/// The service acting for itself.
fn service() -> Caller {
    Caller {
        owner: Owner { agent_id: String::new(), session_key: String::new() },
        role: Role::Admin,
        origin: Origin::Unattended,
        token_id: String::new(),
    }
}
