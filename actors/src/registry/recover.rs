//! After a restart: every descriptor is matched to its living worker, or the session is lost.
//! Never a second copy of a program: whatever is doubtful is lost.

use std::sync::{Arc, RwLock};

use actix::Addr;
use worker::Link;
use worker::protocol::Phase;

use super::actor::{RegistryActor, Shared};
use super::descriptor::{Descriptor, VERSION};
use super::messages::{Add, Known};
use crate::events::{Code, Emit, Event, SessionPhase};
use crate::limits::ATTACH_MAX;
use crate::session::{Begin, Card, LostReason, Now, SessionActor};
use crate::settings::Settings;
use crate::store::{DescriptorRow, StoreError};

/// Returns how many were found alive.
pub(crate) async fn recover(
    shared: &Shared,
    registry: &Addr<RegistryActor>,
    settings: &Settings,
) -> Result<usize, StoreError> {
    let rows = shared.records.store.descriptors().await?;
    let each = rows.into_iter().map(|row| recover_one(shared, registry, settings, row));
    let found = futures_util::future::join_all(each).await;
    Ok(found.into_iter().filter(|found| *found).count())
}

async fn recover_one(
    shared: &Shared,
    registry: &Addr<RegistryActor>,
    settings: &Settings,
    row: DescriptorRow,
) -> bool {
    let descriptor: Option<Descriptor> =
        (row.version == VERSION).then(|| serde_json::from_str(&row.json).ok()).flatten();
    let card = descriptor.as_ref().and_then(|known| card(shared, settings, known));
    let link = match card {
        Some(_) => attach(settings, &row.session_id).await,
        None => None,
    };
    let (Some(card), Some(link)) = (card, link) else {
        lose(shared, &row.session_id, descriptor.as_ref()).await;
        return false;
    };
    let card = Arc::new(card);
    let actor = SessionActor::begin(Begin {
        card: Arc::clone(&card),
        records: shared.records.clone(),
        classifier: shared.classifier.clone(),
        link: Some(link),
        lost: None,
        recovered: true,
    });
    registry.send(Add { known: Known { card, actor } }).await.is_ok()
}

async fn attach(settings: &Settings, session_id: &str) -> Option<Link> {
    let socket_dir = super::socket_dir(settings);
    match worker::attach(&socket_dir, session_id, ATTACH_MAX).await {
        Ok((link, hello)) => match hello.phase {
            Phase::Running { .. } | Phase::Exited(_) => Some(link),
            Phase::Starting | Phase::SpawnFailed { .. } => None,
        },
        Err(error) => {
            tracing::info!(session = session_id, %error, "no worker answers for this session");
            None
        }
    }
}

fn card(shared: &Shared, settings: &Settings, known: &Descriptor) -> Option<Card> {
    let terminal = &settings.agents.get(&known.agent_id)?.terminal;
    let entry = terminal.allow.get(&known.allow_id)?;
    Some(Card {
        id: known.session_id.clone(),
        owner: known.owner(),
        origin: known.origin(),
        entry: Arc::new(entry.clone()),
        name: known.name.clone(),
        project: known.project.clone(),
        cwd: known.cwd.clone(),
        created_ms: known.created_ms,
        backend: known.backend(),
        durable: known.durable,
        redact: terminal.redact_secrets,
        read_mode: terminal.drive.read_mode,
        stuck_after: terminal.stuck_after,
        idle_ttl: terminal.idle_ttl,
        uid_slot: known.uid_slot,
        profiles: Arc::clone(&shared.profiles),
        now: RwLock::new(Now::new(crate::clock::unix_ms(), known.cols, known.rows)),
    })
}

async fn lose(shared: &Shared, session_id: &str, known: Option<&Descriptor>) {
    let started = known.map_or(0, |known| known.created_ms);
    let age = crate::clock::unix_ms().saturating_sub(started);
    let lost = Emit {
        owner: known.map(Descriptor::owner),
        session_id: Some(session_id.to_owned()),
        event: Event::SessionState {
            phase: SessionPhase::Lost,
            duration: std::time::Duration::from_millis(u64::try_from(age).unwrap_or(0)),
            exit_code: None,
            reason: Some(Code::of(LostReason::Gone.as_str())),
        },
    };
    // Told first: were it the other way round, a crash in between would hide it for ever.
    if let Err(error) = shared.records.events.emit_durable(lost).await {
        tracing::warn!(session = session_id, %error, "loss not recorded");
        return;
    }
    if let Err(error) = shared.records.store.descriptor_remove(session_id).await {
        tracing::warn!(session = session_id, %error, "descriptor not removed");
    }
}
