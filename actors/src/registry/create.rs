//! One creation: declared, pinned, approved, given a place, planned, spawned. What fails on
//! the way is undone; the caller learns why.

use std::sync::{Arc, RwLock};

use actix::Addr;
use serde_json::json;
use worker::protocol::{PROTOCOL_VERSION, Phase, WorkerSpec};
use worker::{Launch, Link, LinkError};

use super::actor::{RegistryActor, Shared, now_ms};
use super::declare::{Declared, declare};
use super::descriptor::{Descriptor, VERSION};
use super::messages::{Add, CreateSession, Known, Place, Release, Reserve};
use super::planned::{self, Pinned, Planned};
use crate::approvals::{ApprovalOutcome, ApprovalRequest, fingerprint};
use crate::audit::{AuditAction, AuditEntry};
use crate::caller::Caller;
use crate::clock;
use crate::error::Error;
use crate::events::{Code, Emit, Event, SessionPhase};
use crate::limits::LAUNCH_MAX;
use crate::session::{Begin, Card, Now, SessionActor};
use crate::session_types::{Created, SessionState};
use crate::settings::{Backend, Settings};

/// For the event, which carries no text of anybody else.
const SPAWN_HINT: &str = "the create call's error says more; `ttydrive doctor` checks the host";

pub(super) async fn run(shared: Shared, registry: Addr<RegistryActor>, wish: CreateSession) {
    let CreateSession { caller, create, settings, mut reply } = wish;
    let allow_id = create.allow_id.clone();
    let outcome = {
        let begun = begin(&shared, &registry, &caller, create, &settings);
        tokio::pin!(begun);
        tokio::select! {
            outcome = &mut begun => outcome,
            // While nothing has been started a caller that went away ends it.
            () = reply.closed() => return,
        }
    };
    let outcome = match outcome {
        Ok((pinned, place)) => {
            let guard = Undo { registry: registry.clone(), session_id: place.session_id.clone() };
            let spawned = spawn(&shared, &registry, &caller, &settings, (pinned, place)).await;
            if spawned.is_ok() {
                // The registry has it.
                std::mem::forget(guard);
            }
            spawned
        }
        Err(error) => Err(error),
    };
    let code = match &outcome {
        Ok(_) => "ok",
        Err(error) => error.code(),
    };
    let mut entry = AuditEntry::by(&caller, AuditAction::SessionCreate, Code::of(code))
        .detail("allowId", Code::clean(&allow_id).as_str());
    if let Ok(created) = &outcome {
        entry = entry.session(&created.session_id);
    }
    shared.records.audit.record(entry);
    let _ = reply.send(outcome);
}

/// Gives the place back.
struct Undo {
    registry: Addr<RegistryActor>,
    session_id: String,
}

impl Drop for Undo {
    fn drop(&mut self) {
        let release = Release { session_id: self.session_id.clone() };
        if self.registry.try_send(release).is_err() {
            tracing::error!(session = %self.session_id, "a place was not given back");
        }
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Error::Internal { detail: format!("a thread ended: {error}") })?
}

async fn begin(
    shared: &Shared,
    registry: &Addr<RegistryActor>,
    caller: &Caller,
    create: crate::session_types::Create,
    settings: &Arc<Settings>,
) -> Result<(Pinned, Place), Error> {
    let summary = json!({
        "allowId": create.allow_id, "args": create.args, "cwd": create.cwd,
        "project": create.project, "command": create.command,
    });
    let declared = declare(settings, caller, create)?;
    let pinned = blocking(move || planned::pin(declared)).await?;
    if pinned.declared.entry.approve_on_create {
        approve(shared, caller, &pinned.declared, &summary).await?;
    }
    let reserve = Reserve {
        owner: caller.owner.clone(),
        allow_id: pinned.declared.entry.id.clone(),
        agent_max: pinned.declared.agent.terminal.sessions_max,
        entry_max: pinned.declared.entry.limits.sessions_max,
    };
    let place = registry
        .send(reserve)
        .await
        .map_err(|error| Error::Internal { detail: format!("the registry: {error}") })??;
    Ok((pinned, place))
}

async fn approve(
    shared: &Shared,
    caller: &Caller,
    declared: &Declared,
    summary: &serde_json::Value,
) -> Result<(), Error> {
    let exact = json!({ "request": summary, "sha256": declared.entry.sha256 });
    // The admin reads this: what the caller wrote is redacted like a screen.
    let args: Vec<String> = declared
        .args
        .iter()
        .map(|arg| policy::outgoing::line(arg, 256).as_str().to_owned())
        .collect();
    let request = ApprovalRequest {
        owner: caller.owner.clone(),
        session_id: None,
        kind: Code::of("create"),
        fingerprint: fingerprint(&exact),
        summary: json!({
            "allowId": declared.entry.id,
            "program": declared.entry.program,
            "args": args,
        }),
    };
    match shared.records.approvals.ask(request).await? {
        ApprovalOutcome::Granted => Ok(()),
        ApprovalOutcome::Denied { note } => Err(Error::PermissionDenied {
            reason: "approval_denied",
            detail: match note {
                Some(note) => format!("an admin denied this start: {note}"),
                None => "an admin denied this start".to_owned(),
            },
            hint: Some("do not repeat the request unchanged; ask the operator".to_owned()),
        }),
        ApprovalOutcome::Expired => Err(Error::ApprovalRequired {
            approval_id: String::new(),
            detail: "no admin decided on this start in time".to_owned(),
            hint: Some("repeat the request when somebody can approve it".to_owned()),
        }),
    }
}

async fn spawn(
    shared: &Shared,
    registry: &Addr<RegistryActor>,
    caller: &Caller,
    settings: &Arc<Settings>,
    (pinned, place): (Pinned, Place),
) -> Result<Created, Error> {
    let planned = {
        let (settings, place) = (Arc::clone(settings), place.clone());
        let profiles = Arc::clone(&shared.profiles);
        blocking(move || {
            let profile = profiles.for_allow_id(&pinned.declared.entry.id);
            planned::plan(pinned, &settings, &place, profile)
        })
        .await?
    };
    let card = Arc::new(card(shared, caller, &planned, &place));
    let descriptor = serde_json::to_string(&Descriptor::of(&card))
        .map_err(|error| Error::Internal { detail: error.to_string() })?;
    shared.records.store.descriptor_save(&card.id, VERSION, descriptor).await?;
    emit(shared, &card, state(SessionPhase::Created));
    let spec = spec(settings, &card, &planned)?;
    let launched = worker::launch(Launch { exe: shared.exe.clone(), spec }, LAUNCH_MAX).await;
    let link = match started(launched) {
        Ok(link) => link,
        Err((kind, error)) => {
            emit(shared, &card, Event::SpawnFailed { error_kind: kind, hint: SPAWN_HINT });
            if let Err(error) = shared.records.store.descriptor_remove(&card.id).await {
                tracing::warn!(session = %card.id, %error, "descriptor not removed");
            }
            return Err(error);
        }
    };
    let created = created(&card);
    let actor = SessionActor::begin(Begin {
        card: Arc::clone(&card),
        records: shared.records.clone(),
        classifier: shared.classifier.clone(),
        link: Some(link),
        lost: None,
        recovered: false,
    });
    let add = Add { known: Known { card, actor } };
    registry
        .send(add)
        .await
        .map_err(|error| Error::Internal { detail: format!("the registry: {error}") })?;
    Ok(created)
}

fn card(shared: &Shared, caller: &Caller, planned: &Planned, place: &Place) -> Card {
    let declared = &planned.declared;
    let terminal = &declared.agent.terminal;
    let created_ms = now_ms();
    Card {
        id: place.session_id.clone(),
        owner: caller.owner.clone(),
        origin: caller.origin,
        entry: Arc::clone(&declared.entry),
        name: declared.name.clone(),
        project: planned.project.clone(),
        cwd: planned.cwd.clone(),
        created_ms,
        // The worker holds the program itself.
        backend: Backend::Spawn,
        durable: terminal.drive.durable,
        redact: terminal.redact_secrets,
        read_mode: terminal.drive.read_mode,
        stuck_after: terminal.stuck_after,
        idle_ttl: terminal.idle_ttl,
        uid_slot: place.uid_slot,
        profiles: Arc::clone(&shared.profiles),
        now: RwLock::new(Now::new(created_ms, declared.cols, declared.rows)),
    }
}

fn spec(settings: &Settings, card: &Card, planned: &Planned) -> Result<WorkerSpec, Error> {
    let terminal = &planned.declared.agent.terminal;
    let plan = serde_json::to_value(&planned.plan)
        .map_err(|error| Error::Internal { detail: error.to_string() })?;
    let now = card.now();
    Ok(WorkerSpec {
        version: PROTOCOL_VERSION,
        session_id: card.id.clone(),
        socket_dir: super::socket_dir(settings),
        plan,
        cols: now.cols,
        rows: now.rows,
        scrollback_lines: terminal.default_scrollback,
        ring_bytes: terminal.ring_bytes,
        durable: card.durable,
    })
}

fn started(launched: Result<(Link, Phase), LinkError>) -> Result<Link, (Code, Error)> {
    match launched {
        Ok((link, Phase::Running { .. } | Phase::Exited(_))) => Ok(link),
        Ok((_, Phase::SpawnFailed { kind, message, hint })) => {
            let code = Code::clean(&kind);
            let hint = (!hint.is_empty()).then_some(hint);
            let error = match kind.as_str() {
                "permission_denied" => {
                    Error::PermissionDenied { reason: "hash_mismatch", detail: message, hint }
                }
                "invalid_value" => {
                    Error::InvalidValue { field: "cwd".to_owned(), detail: message, hint }
                }
                _ => Error::SandboxUnavailable { detail: message, hint },
            };
            Err((code, error))
        }
        Ok((_, Phase::Starting)) => Err((
            Code::of("internal"),
            Error::Internal { detail: "the worker does not say how the start went".to_owned() },
        )),
        Err(error) => Err((
            Code::of("worker"),
            Error::SandboxUnavailable { detail: error.to_string(), hint: error.hint() },
        )),
    }
}

fn state(phase: SessionPhase) -> Event {
    let duration = std::time::Duration::ZERO;
    Event::SessionState { phase, duration, exit_code: None, reason: None }
}

fn emit(shared: &Shared, card: &Card, event: Event) {
    shared.records.events.emit(Emit {
        owner: Some(card.owner.clone()),
        session_id: Some(card.id.clone()),
        event,
    });
}

fn created(card: &Card) -> Created {
    let now = card.now();
    Created {
        session_id: card.id.clone(),
        allow_id: card.entry.id.clone(),
        name: card.name.clone(),
        cwd: card.cwd.clone(),
        cols: now.cols,
        rows: now.rows,
        backend: card.backend,
        durable: card.durable,
        state: SessionState::Working,
        created_at: clock::rfc3339(card.created_ms),
    }
}
