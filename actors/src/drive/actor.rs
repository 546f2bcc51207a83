//! Glue: mailbox, event log, journals, store.

use std::collections::BTreeMap;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, MessageResult, WrapFuture};
use tokio::sync::mpsc;

use super::machine::{Effect, Ending, Event, State, Why};
use super::messages::{
    DriveError, DriveInfo, Happened, List, ReadJournal, Recovered, Sent, Spent, Subject, Waited,
};
use super::notices::wanted;
use super::owner::Drive;
use super::table::{self, Row};
use crate::caller::Caller;
use crate::clock;
use crate::events::{
    Code, Emit, EscalationReason, Event as Told, Events, NotificationOutcome, StoredEvent,
};
use crate::journal::{Journal, Journals, Loaded, Step};
use crate::settings::NotifyMode;
use crate::store::{Store, StoreError};

/// Sessions with a task at once, ended ones included; far more than sessions can live.
const DRIVES_MAX: usize = 4_096;

/// Journals that wait for the disk.
const SAVES_MAX: usize = 1_024;
const HEARTBEAT_LOOK_EVERY: Duration = Duration::from_secs(15);
const PRUNE_EVERY: Duration = Duration::from_secs(3_600);

pub(super) struct DrivesActor {
    // Links.
    store: Store,
    events: Events,
    journals: Journals,
    stops: mpsc::Sender<String>,
    saves: mpsc::Sender<(String, Journal)>,
    // Own state.
    drives: BTreeMap<String, Drive>,
}

impl DrivesActor {
    pub(super) async fn recover(
        store: Store,
        events: Events,
        journals: Journals,
        stops: mpsc::Sender<String>,
    ) -> Result<Self, StoreError> {
        let mut drives = BTreeMap::new();
        for row in store.read(table::all).await? {
            let journal = match journals.load(&row.owner.agent_id, &row.session_id).await {
                Ok(Loaded::Journal(journal)) => Some(*journal),
                // Reported when it was set aside; the drive goes on without its memory.
                Ok(Loaded::Missing | Loaded::SetAside { .. }) | Err(_) => None,
            };
            let interactions = journal.as_ref().map_or(0, |journal| journal.interactions);
            let settings = row.settings();
            let (state, _) = State::Promoted { attention: super::machine::Attention::Working }
                .step(settings.mode, Event::Restarted);
            let subject = Subject {
                session_id: row.session_id.clone(),
                allow_id: row.allow_id,
                owner: row.owner,
                settings,
            };
            let drive = Drive {
                subject,
                state,
                objective: None,
                journal,
                promoted_ms: row.promoted_ms,
                notified_ms: clock::unix_ms(),
                interactions,
                last_cause: None,
            };
            drives.insert(row.session_id, drive);
        }
        let (saves, waiting) = mpsc::channel(SAVES_MAX);
        actix_rt::spawn(save_journals(journals.clone(), waiting));
        Ok(Self { store, events, journals, stops, saves, drives })
    }

    fn step(&mut self, session_id: &str, event: Event) {
        let Some(drive) = self.drives.get_mut(session_id) else { return };
        let (state, effects) = drive.state.step(drive.subject.settings.mode, event);
        drive.state = state;
        for effect in effects {
            self.run(session_id, effect);
        }
    }

    fn run(&mut self, session_id: &str, effect: Effect) {
        match effect {
            Effect::Promote => self.promote(session_id),
            Effect::AnnounceReattached => {
                let reason = Code::of("service_restart");
                self.emit(session_id, Told::DriveReattached { reason });
            }
            Effect::Escalate(reason) => self.emit(session_id, Told::Escalated { reason }),
            Effect::NotifyNeedsYou(reason) => {
                self.tried(session_id, Step::Escalated);
                let reason = Some(Code::of(reason.as_str()));
                self.notify(session_id, NotificationOutcome::NeedsYou, reason, None);
            }
            Effect::NotifyDone => self.notify(session_id, NotificationOutcome::Done, None, None),
            Effect::NotifyFailed(why) => self.failed(session_id, why),
            Effect::SaveJournal => self.save(session_id),
            Effect::JournalDone => self.journal_done(session_id),
            Effect::StopSession => {
                if self.stops.try_send(session_id.to_owned()).is_err() {
                    tracing::error!(session_id, "nobody ends this session for its spend");
                }
            }
        }
    }

    fn emit(&self, session_id: &str, event: Told) {
        let Some(drive) = self.drives.get(session_id) else { return };
        self.events.emit(Emit {
            owner: Some(drive.subject.owner.clone()),
            session_id: Some(session_id.to_owned()),
            event,
        });
    }

    fn notify(
        &mut self,
        session_id: &str,
        outcome: NotificationOutcome,
        reason: Option<Code>,
        error_kind: Option<Code>,
    ) {
        let Some(drive) = self.drives.get_mut(session_id) else { return };
        if wanted(drive.subject.settings.notify, outcome) {
            let now = clock::unix_ms();
            drive.notified_ms = now;
            let note = drive.notification(outcome, reason, error_kind, now);
            self.emit(session_id, Told::Notification(Box::new(note)));
        }
    }

    fn failed(&mut self, session_id: &str, why: Why) {
        let cause = self.drives.get(session_id).and_then(|drive| drive.last_cause.clone());
        let kind = match why {
            Why::ExitCode => "exit_code",
            Why::SessionGone => "session_gone",
            Why::Cap => "cap",
            Why::Spend => "spend",
        };
        let kind = Some(Code::of(kind));
        self.notify(session_id, NotificationOutcome::Failed, cause, kind);
        self.forget_row(session_id);
    }

    fn promote(&mut self, session_id: &str) {
        let now = clock::unix_ms();
        let Some(drive) = self.drives.get_mut(session_id) else { return };
        drive.promoted_ms = now;
        drive.journal = drive
            .objective
            .as_ref()
            .map(|objective| Journal::new(session_id, &drive.subject.allow_id, objective));
        let row = Row {
            session_id: session_id.to_owned(),
            allow_id: drive.subject.allow_id.clone(),
            owner: drive.subject.owner.clone(),
            promoted_ms: now,
            cost_usd_max: drive.subject.settings.cost_usd_max,
            notify: drive.subject.settings.notify,
            heartbeat_ms: i64::try_from(drive.subject.settings.heartbeat_notify.as_millis())
                .unwrap_or(i64::MAX),
        };
        let store = self.store.clone();
        actix_rt::spawn(async move {
            if let Err(error) = store.write(move |tx| table::save(tx, &row)).await {
                tracing::error!(%error, "a drive will not be known after a restart");
            }
        });
        self.save(session_id);
        let reason = Code::of("still_producing");
        self.emit(session_id, Told::DrivePromoted { reason });
        self.notify(session_id, NotificationOutcome::Started, None, None);
    }

    fn forget_row(&self, session_id: &str) {
        let (store, id) = (self.store.clone(), session_id.to_owned());
        actix_rt::spawn(async move {
            if let Err(error) = store.write(move |tx| table::remove(tx, &id)).await {
                tracing::warn!(%error, "an ended drive is looked for at the next start");
            }
        });
    }

    fn tried(&mut self, session_id: &str, step: Step) {
        let journal = self.drives.get_mut(session_id).and_then(|drive| drive.journal.as_mut());
        if let Some(journal) = journal {
            journal.tried(step);
        }
    }

    fn save(&mut self, session_id: &str) {
        let Some(drive) = self.drives.get_mut(session_id) else { return };
        let Some(journal) = drive.record(clock::unix_ms()) else { return };
        if self.saves.try_send((drive.subject.owner.agent_id.clone(), journal)).is_err() {
            tracing::error!(session_id, "the journal is not up to date: the disk is too slow");
        }
    }

    fn journal_done(&self, session_id: &str) {
        self.forget_row(session_id);
        let Some(drive) = self.drives.get(session_id) else { return };
        let (journals, id) = (self.journals.clone(), session_id.to_owned());
        let agent = drive.subject.owner.agent_id.clone();
        actix_rt::spawn(async move {
            if let Err(error) = journals.done(&agent, &id).await {
                tracing::warn!(%error, "the journal of a done drive stays");
            }
        });
    }

    /// A fact of the log as an event of the machine.
    fn happened(&mut self, event: &StoredEvent) {
        let Some(session_id) = event.session_id.as_deref() else { return };
        let Some(drive) = self.drives.get_mut(session_id) else { return };
        let text = |name: &str| event.fields.get(name).and_then(|value| value.as_str());
        match event.kind.as_str() {
            "terminal:keystroke" => {
                drive.interactions = drive.interactions.saturating_add(1);
                self.tried(session_id, Step::Sent);
                self.step(session_id, Event::Typed);
            }
            "terminal:auto_answered" => {
                self.tried(session_id, Step::Answered);
                self.step(session_id, Event::Typed);
                self.turn_taken(session_id);
            }
            "terminal:input_needed" => {
                let prompt = Event::PromptSeen(EscalationReason::NoSafeMatch);
                self.step(session_id, prompt);
            }
            "terminal:stuck" => {
                self.step(session_id, Event::PromptSeen(EscalationReason::Stuck));
            }
            "terminal:escalated" => {
                if let Some(reason) = text("reason").and_then(EscalationReason::from_word) {
                    self.step(session_id, Event::Escalated(reason));
                }
            }
            "terminal:session_evicted" => {
                drive.last_cause = text("limit").map(Code::clean);
                self.step(session_id, Event::Evicted);
            }
            "terminal:session_state" => {
                let code = event.fields.get("exitCode").and_then(serde_json::Value::as_i64);
                let ended = match text("state") {
                    Some("lost") => Event::Lost,
                    Some("exited") => {
                        drive.last_cause =
                            code.map(|code| Code::clean(&format!("exit_code_{code}")));
                        let clean = code == Some(0);
                        Event::Exited(if clean { Ending::Clean } else { Ending::Other })
                    }
                    Some(_) | None => return,
                };
                self.step(session_id, ended);
                self.forget_attached(session_id);
            }
            _ => {}
        }
    }

    /// A session that ended before it was promoted leaves nothing behind.
    fn forget_attached(&mut self, session_id: &str) {
        if let Some(drive) = self.drives.get(session_id)
            && matches!(drive.state, State::Attached { .. })
        {
            self.drives.remove(session_id);
        }
    }

    /// `notify: all` has one line per answered turn.
    fn turn_taken(&mut self, session_id: &str) {
        let all = self.drives.get(session_id).is_some_and(|drive| {
            drive.journal.is_some() && drive.subject.settings.notify == NotifyMode::All
        });
        if all {
            let reason = Some(Code::of("answered"));
            self.notify(session_id, NotificationOutcome::Progress, reason, None);
        }
    }

    fn heartbeats(&mut self, now_ms: i64) {
        let due = |drive: &&Drive| drive.heartbeat_due(now_ms);
        let ids: Vec<_> =
            self.drives.values().filter(due).map(|d| d.subject.session_id.clone()).collect();
        for id in ids {
            let reason = Some(Code::of("still_working"));
            self.notify(&id, NotificationOutcome::Progress, reason, None);
        }
    }

    fn prune(&mut self, ctx: &mut Context<Self>) {
        let journals = self.journals.clone();
        let pruned = async move { journals.prune(clock::unix_ms()).await };
        ctx.spawn(pruned.into_actor(self).map(|pruned, _, _| {
            if let Err(error) = pruned {
                tracing::warn!(%error, "old journals stay");
            }
        }));
    }

    /// Drives that never became one, of sessions long gone.
    fn make_room(&mut self) {
        if self.drives.len() >= DRIVES_MAX {
            self.drives.retain(|_, drive| match drive.state {
                State::Promoted { .. } | State::Reattaching => true,
                State::Attached { .. } | State::Done | State::Failed => false,
            });
        }
    }

    fn visible(&mut self, caller: &Caller, id: &str) -> Result<&mut Drive, DriveError> {
        self.drives
            .get_mut(id)
            .filter(|drive| caller.may_see(&drive.subject.owner) && drive.info().is_some())
            .ok_or(DriveError::NotFound)
    }
}

/// One at a time, and of each drive only the newest: a journal is never older than before.
async fn save_journals(journals: Journals, mut waiting: mpsc::Receiver<(String, Journal)>) {
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, SAVES_MAX).await > 0 {
        let newest: BTreeMap<_, _> = batch
            .drain(..)
            .map(|(agent, journal)| (journal.session_id.clone(), (agent, journal)))
            .collect();
        for (session_id, (agent, journal)) in newest {
            if let Err(error) = journals.save(&agent, &journal).await {
                tracing::error!(%error, session_id, "the journal is not up to date");
            }
        }
    }
}

impl Actor for DrivesActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        self.prune(ctx);
        ctx.run_interval(PRUNE_EVERY, Self::prune);
        ctx.run_interval(HEARTBEAT_LOOK_EVERY, |actor, _| actor.heartbeats(clock::unix_ms()));
    }
}

impl Handler<Sent> for DrivesActor {
    type Result = ();

    fn handle(&mut self, sent: Sent, _: &mut Self::Context) {
        self.make_room();
        let id = sent.subject.session_id.clone();
        let objective = sent.objective;
        let drive = self
            .drives
            .entry(id.clone())
            .or_insert_with(|| Drive::new(sent.subject, objective.clone()));
        if drive.journal.is_none() {
            drive.objective = Some(objective);
        }
        self.step(&id, Event::Sent);
    }
}

impl Handler<Waited> for DrivesActor {
    type Result = ();

    fn handle(&mut self, waited: Waited, _: &mut Self::Context) {
        let Waited { session_id, complete, producing, matched_own } = waited;
        self.step(&session_id, Event::Waited { complete, producing });
        if matched_own {
            self.step(&session_id, Event::OwnerMatched);
        }
    }
}

impl Handler<Happened> for DrivesActor {
    type Result = ();

    fn handle(&mut self, happened: Happened, _: &mut Self::Context) {
        self.happened(&happened.event);
    }
}

impl Handler<Recovered> for DrivesActor {
    type Result = ();

    fn handle(&mut self, recovered: Recovered, _: &mut Self::Context) {
        let ids: Vec<_> = self.drives.keys().cloned().collect();
        for id in ids {
            let found = recovered.alive.contains(&id);
            self.step(&id, if found { Event::Found } else { Event::NotFound });
        }
    }
}

impl Handler<List> for DrivesActor {
    type Result = MessageResult<List>;

    fn handle(&mut self, list: List, _: &mut Self::Context) -> Self::Result {
        let visible = self.drives.values().filter(|d| list.caller.may_see(&d.subject.owner));
        MessageResult(visible.filter_map(Drive::info).collect::<Vec<DriveInfo>>())
    }
}

impl Handler<ReadJournal> for DrivesActor {
    type Result = Result<Journal, DriveError>;

    fn handle(&mut self, ask: ReadJournal, _: &mut Self::Context) -> Self::Result {
        let drive = self.visible(&ask.caller, &ask.session_id)?;
        drive.record(clock::unix_ms()).ok_or(DriveError::NotFound)
    }
}

impl Handler<Spent> for DrivesActor {
    type Result = Result<f64, DriveError>;

    fn handle(&mut self, spent: Spent, _: &mut Self::Context) -> Self::Result {
        if !spent.usd.is_finite() || spent.usd < 0.0 {
            return Err(DriveError::NotAnAmount);
        }
        let drive = self.visible(&spent.caller, &spent.session_id)?;
        if let Some(journal) = drive.journal.as_mut() {
            journal.cost_usd += spent.usd;
        }
        let (total, over) = (drive.cost_usd(), drive.over_budget());
        self.save(&spent.session_id);
        if let Some(event) = over {
            self.step(&spent.session_id, event);
        }
        Ok(total)
    }
}
