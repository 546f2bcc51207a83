//! The actor as the service uses it.

use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::mpsc;

use crate::caller::{Caller, Origin, Owner, Role};
use crate::drive::{DriveError, Drives, Subject};
use crate::events::{
    Code, Emit, Event, EventFilter, EventItem, EventStream, Events, KeystrokeKind, SessionPhase,
    StoredEvent,
};
use crate::journal::Journals;
use crate::session_types::Outcome;
use crate::settings::{DriveMode, DriveSettings, NotifyMode, ReadMode};
use crate::store::Store;

const PATIENCE: Duration = Duration::from_secs(20);

struct World {
    dir: tempfile::TempDir,
    store: Store,
    events: Events,
    drives: Drives,
    stops: mpsc::Receiver<String>,
    stream: EventStream,
}

async fn world() -> World {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let events = Events::start(store.clone()).await.unwrap();
    let journals = Journals::new(store.clone());
    let (drives, stops) = Drives::start(store.clone(), events.clone(), journals).await.unwrap();
    let wish = EventFilter {
        types: vec!["*drive*".to_owned(), "terminal:escalated".to_owned()],
        ..EventFilter::default()
    };
    let stream = events.subscribe(&caller(Role::Admin, "boss"), wish).await.unwrap();
    World { dir, store, events, drives, stops, stream }
}

fn caller(role: Role, agent: &str) -> Caller {
    Caller {
        owner: Owner { agent_id: agent.to_owned(), session_key: "main".to_owned() },
        role,
        origin: Origin::Interactive,
        token_id: "tok_1".to_owned(),
    }
}

fn subject(cost_usd_max: Option<f64>) -> Subject {
    Subject {
        session_id: "ts_1".to_owned(),
        allow_id: "claude".to_owned(),
        owner: caller(Role::Agent, "a").owner,
        settings: DriveSettings {
            mode: DriveMode::Auto,
            read_mode: ReadMode::Digest,
            durable: true,
            heartbeat: Duration::from_secs(90),
            cost_usd_max,
            notify: NotifyMode::Terminal,
            heartbeat_notify: Duration::ZERO,
        },
    }
}

fn objective() -> policy::SafeText {
    policy::outgoing::plain(
        "fix the test",
        &policy::outgoing::Request {
            format: policy::outgoing::Format::Text,
            bytes_max: 256,
            redact: true,
            wrap: policy::outgoing::Wrap::None,
            allow_id: "claude",
            delimiter: "000000000000000000000000",
        },
    )
}

impl World {
    async fn promote(&mut self, cost_usd_max: Option<f64>) {
        self.drives.sent(subject(cost_usd_max), objective()).await;
        self.drives.waited("ts_1", false, true, false).await;
        assert_eq!(self.next().await.kind, "terminal:drive_promoted");
        assert_eq!(self.outcome().await, "started");
    }

    async fn next(&mut self) -> std::sync::Arc<StoredEvent> {
        match tokio::time::timeout(PATIENCE, self.stream.next()).await.unwrap() {
            Some(EventItem::Event(event)) => event,
            other => panic!("{other:?}"),
        }
    }

    async fn outcome(&mut self) -> String {
        let event = self.next().await;
        assert_eq!(event.kind, "drive:notification");
        event.fields["outcome"].as_str().unwrap().to_owned()
    }

    fn tell(&self, event: Event) {
        self.events.emit(Emit {
            owner: Some(caller(Role::Agent, "a").owner),
            session_id: Some("ts_1".to_owned()),
            event,
        });
    }

    fn exit(&self, code: i32) {
        self.tell(Event::SessionState {
            phase: SessionPhase::Exited,
            duration: Duration::ZERO,
            exit_code: Some(code),
            reason: None,
        });
    }

    fn prompt(&self) {
        self.tell(Event::InputNeeded {
            state: policy::State::AwaitingInput,
            kind: policy::Kind::Permission,
            reason: policy::Reason::DialogDetected,
            confidence: policy::Confidence::High,
        });
    }

    async fn state(&self) -> &'static str {
        self.drives.list(&caller(Role::Agent, "a")).await[0].state
    }
}

#[actix_rt::test]
async fn a_task_that_outlives_its_wait_is_promoted_once_and_done_at_exit_0() {
    let mut world = world().await;
    // Waits without a task, and waits that end, promote nothing.
    world.drives.waited("ts_1", false, true, false).await;
    world.drives.sent(subject(None), objective()).await;
    world.drives.waited("ts_1", true, false, false).await;
    assert_eq!(world.drives.list(&caller(Role::Admin, "x")).await, []);
    world.promote(None).await;
    world.drives.waited("ts_1", false, true, false).await;
    world.exit(0);
    assert_eq!(world.outcome().await, "done");
    assert_eq!(world.state().await, "done");
}

#[actix_rt::test]
async fn another_exit_fails_and_names_the_code() {
    let mut world = world().await;
    world.promote(None).await;
    world.exit(3);
    let note = world.next().await;
    assert_eq!(note.fields["outcome"], "failed");
    assert_eq!(note.fields["errorKind"], "exit_code");
    assert_eq!(note.fields["reason"], "exit_code_3");
    assert_eq!(world.state().await, "failed");
}

#[actix_rt::test]
async fn a_prompt_needs_somebody_once_and_typing_unparks() {
    let mut world = world().await;
    world.promote(None).await;
    for _ in 0..2 {
        world.prompt();
        let escalated = world.next().await;
        assert_eq!(escalated.kind, "terminal:escalated");
        assert_eq!(world.outcome().await, "needs-you");
        assert_eq!(world.state().await, "parked");
        world.tell(Event::Keystroke {
            kind: KeystrokeKind::Key,
            byte_length: 1,
            redactions: 0,
            outcome: Outcome::Submitted,
        });
        let unparked = async {
            while world.state().await != "working" {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, unparked).await.unwrap();
    }
    let me = caller(Role::Agent, "a");
    let journal = world.drives.journal(&me, "ts_1").await.unwrap();
    let steps: Vec<_> = journal.steps_tried().iter().map(|step| step.as_str()).collect();
    assert_eq!(steps, ["escalated", "sent", "escalated", "sent"]);
    assert_eq!(journal.interactions, 2);
    let foreign = world.drives.journal(&caller(Role::Agent, "b"), "ts_1").await;
    assert_eq!(foreign, Err(DriveError::NotFound));
}

#[actix_rt::test]
async fn spend_over_the_ceiling_escalates_once_and_stops() {
    let mut world = world().await;
    world.promote(Some(1.0)).await;
    let me = caller(Role::Agent, "a");
    assert_eq!(world.drives.spent(&me, "ts_1", -1.0).await, Err(DriveError::NotAnAmount));
    assert_eq!(world.drives.spent(&me, "ts_1", 1.0).await, Ok(1.0));
    assert_eq!(world.state().await, "working");
    assert_eq!(world.drives.spent(&me, "ts_1", 0.5).await, Ok(1.5));
    let escalated = world.next().await;
    assert_eq!(escalated.fields["reason"], "spend_limit");
    assert_eq!(world.outcome().await, "needs-you");
    assert_eq!(world.outcome().await, "failed");
    assert_eq!(world.stops.recv().await.as_deref(), Some("ts_1"));
    assert_eq!(world.state().await, "failed");
}

#[actix_rt::test]
async fn a_restart_finds_promoted_drives_again_or_fails_them() {
    for found in [true, false] {
        let mut world = world().await;
        world.promote(None).await;
        let file = world.dir.path().join("terminal-drive/a/journals/ts_1.json");
        let stored = async {
            loop {
                let rows = world.store.read(crate::drive::table::all).await.unwrap();
                if rows.len() == 1 && file.exists() {
                    return;
                }
            }
        };
        tokio::time::timeout(PATIENCE, stored).await.unwrap();
        let (store, events) = (world.store.clone(), world.events.clone());
        let journals = Journals::new(store.clone());
        let (reborn, _stops) = Drives::start(store, events, journals).await.unwrap();
        let me = caller(Role::Agent, "a");
        assert_eq!(reborn.list(&me).await[0].state, "re-attaching");
        reborn.recovered(if found { vec!["ts_1".to_owned()] } else { Vec::new() }).await;
        if found {
            assert_eq!(world.next().await.kind, "terminal:drive_reattached");
            assert_eq!(reborn.list(&me).await[0].state, "working");
            let journal = reborn.journal(&me, "ts_1").await.unwrap();
            assert_eq!(journal.objective(), objective().as_str());
        } else {
            let note = world.next().await;
            assert_eq!(note.fields["errorKind"], "session_gone");
            assert!(file.exists(), "the journal of a failed drive is kept");
        }
    }
}

#[actix_rt::test]
async fn the_owners_own_wait_ends_a_drive_and_a_new_task_begins_one() {
    let mut world = world().await;
    world.promote(None).await;
    world.drives.waited("ts_1", true, false, true).await;
    assert_eq!(world.outcome().await, "done");
    world.promote(None).await;
    world.tell(Event::SessionEvicted {
        reason: crate::events::EvictionReason::WallClock,
        limit: crate::events::Cap { name: "wall_clock", value: 5, unit: "ms" },
        duration: Duration::ZERO,
    });
    let note = world.next().await;
    assert_eq!(
        (&note.fields["outcome"], &note.fields["errorKind"]),
        (&"failed".into(), &"cap".into())
    );
    let _ = Code::of("x");
}
