//! Approvals: the table of the machine, and the actor with store and event log.

use std::fmt::Write;
use std::time::Duration;

use futures_util::StreamExt;
use proptest::prelude::*;
use serde_json::json;

use super::machine::{Admission, Effect, Event, State};
use super::{
    APPROVAL_TTL, ApprovalError, ApprovalInfo, ApprovalOutcome, ApprovalRequest, Approvals,
    Decision, fingerprint,
};
use crate::audit::{Audit, AuditFilter};
use crate::caller::{Caller, Origin, Owner, Role};
use crate::events::{Code, EventFilter, EventItem, EventStream, Events};
use crate::store::Store;

const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn the_table() {
    let states = [
        State::Pending { expires_ms: 100 },
        State::Granted { expires_ms: 100 },
        State::Denied,
        State::Expired,
    ];
    let events = [
        Event::Decided(Decision::Approve),
        Event::Decided(Decision::Deny),
        Event::Used,
        Event::TimePassed { now_ms: 99 },
        Event::TimePassed { now_ms: 100 },
    ];
    let mut text = String::new();
    for state in states {
        for event in events {
            let (next, effects) = state.step(event);
            writeln!(text, "{state:?} + {event:?} -> {next:?} {effects:?}").unwrap();
        }
        for now_ms in [99, 100] {
            writeln!(text, "{state:?} admits a decision at {now_ms}: {:?}", state.admit(now_ms))
                .unwrap();
        }
    }
    crate::golden::check("src/approvals/machine.golden", &text);
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Decided(Decision::Approve)),
        Just(Event::Decided(Decision::Deny)),
        Just(Event::Used),
        (0_i64..200).prop_map(|now_ms| Event::TimePassed { now_ms }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Whatever happens, it is announced at most once, and the first decision stands.
    #[test]
    fn one_decision_one_announcement(events in prop::collection::vec(event(), 0..20)) {
        let mut state = State::Pending { expires_ms: 100 };
        let mut announced = 0;
        let mut first: Option<&str> = None;
        for event in events {
            let admitted = state.admit(0) == Admission::Accept;
            let (next, effects) = state.step(event);
            if effects.contains(&Effect::Announce) {
                prop_assert!(admitted, "announced from {state:?}");
                announced += 1;
                first = Some(next.as_str());
            }
            prop_assert!(first.is_none() || next.as_str() != "pending");
            if first == Some("denied") {
                prop_assert_eq!(next, State::Denied);
            }
            state = next;
        }
        prop_assert!(announced <= 1);
    }
}

struct World {
    _dir: tempfile::TempDir,
    store: Store,
    events: Events,
    audit: Audit,
    approvals: Approvals,
    stream: EventStream,
}

async fn world(ttl: Duration) -> World {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let events = Events::start(store.clone()).await.unwrap();
    let audit = Audit::start(store.clone());
    let approvals =
        Approvals::start_with(store.clone(), events.clone(), audit.clone(), ttl).await.unwrap();
    let stream = events.subscribe(&admin(), EventFilter::default()).await.unwrap();
    World { _dir: dir, store, events, audit, approvals, stream }
}

fn caller(role: Role, agent: &str) -> Caller {
    Caller {
        owner: Owner { agent_id: agent.to_owned(), session_key: "main".to_owned() },
        role,
        origin: Origin::Interactive,
        token_id: "tok_admin".to_owned(),
    }
}

fn admin() -> Caller {
    caller(Role::Admin, "boss")
}

fn request(agent: &str, what: &str) -> ApprovalRequest {
    ApprovalRequest {
        owner: caller(Role::Agent, agent).owner,
        session_id: None,
        kind: Code::of("create"),
        fingerprint: fingerprint(&json!({ "what": what })),
        summary: json!({ "allowId": what }),
    }
}

async fn within<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("not in time")
}

impl World {
    fn ask(&self, agent: &str, what: &str) -> tokio::task::JoinHandle<Outcome> {
        let (approvals, request) = (self.approvals.clone(), request(agent, what));
        actix_rt::spawn(async move { approvals.ask(request).await })
    }

    async fn event(&mut self) -> (String, String, Option<String>) {
        let Some(EventItem::Event(event)) = within(self.stream.next()).await else {
            unreachable!("the log was not closed")
        };
        let text = |name: &str| event.fields.get(name).and_then(|v| v.as_str()).map(str::to_owned);
        (event.kind.clone(), text("approvalId").unwrap(), text("decision"))
    }

    async fn pending(
        &mut self,
        agent: &str,
        what: &str,
    ) -> (tokio::task::JoinHandle<Outcome>, String) {
        let asked = self.ask(agent, what);
        let (kind, id, decision) = self.event().await;
        assert_eq!((kind.as_str(), decision), ("approval:requested", None));
        (asked, id)
    }

    async fn listed(&self, caller: &Caller) -> Vec<ApprovalInfo> {
        within(self.approvals.list(caller)).await.unwrap()
    }
}

type Outcome = Result<ApprovalOutcome, ApprovalError>;

#[actix_rt::test]
async fn granted_the_request_goes_on() {
    let mut world = world(APPROVAL_TTL).await;
    let (asked, id) = world.pending("a", "claude").await;
    let listed = world.listed(&admin()).await;
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].id.as_str(), listed[0].kind.as_str()), (id.as_str(), "create"));
    assert_eq!(listed[0].summary, json!({ "allowId": "claude" }));
    within(world.approvals.decide(&admin(), &id, Decision::Approve, None)).await.unwrap();
    assert_eq!(within(asked).await.unwrap(), Ok(ApprovalOutcome::Granted));
    let resolved = world.event().await;
    assert_eq!(resolved, ("approval:resolved".to_owned(), id.clone(), Some("granted".to_owned())));
    assert_eq!(world.listed(&admin()).await, []);
    // Used up: the same again needs a new decision.
    let (_asked, again) = world.pending("a", "claude").await;
    assert_ne!(again, id);
}

#[actix_rt::test]
async fn denied_with_a_note() {
    let mut world = world(APPROVAL_TTL).await;
    let (asked, id) = world.pending("a", "claude").await;
    let note = Some("not today".to_owned());
    within(world.approvals.decide(&admin(), &id, Decision::Deny, note.clone())).await.unwrap();
    assert_eq!(within(asked).await.unwrap(), Ok(ApprovalOutcome::Denied { note }));
    let audited = async {
        loop {
            let records = world.audit.query(AuditFilter::default()).await.unwrap();
            if let Some(record) = records.into_iter().find(|r| r.action == "approval.decide") {
                return record;
            }
        }
    };
    let record = within(audited).await;
    assert_eq!((record.outcome.as_str(), record.role.as_deref()), ("denied", Some("admin")));
}

#[actix_rt::test]
async fn undecided_it_expires() {
    let mut world = world(Duration::from_millis(1)).await;
    let (asked, id) = world.pending("a", "claude").await;
    assert_eq!(within(asked).await.unwrap(), Ok(ApprovalOutcome::Expired));
    assert_eq!(world.event().await.2.as_deref(), Some("expired"));
    let late = within(world.approvals.decide(&admin(), &id, Decision::Approve, None)).await;
    assert_eq!(late, Err(ApprovalError::NotFound { id }));
}

#[actix_rt::test]
async fn only_admins_decide_and_agents_see_their_own() {
    let mut world = world(APPROVAL_TTL).await;
    let (_one, id) = world.pending("a", "claude").await;
    let (_two, _) = world.pending("b", "claude").await;
    for role in [Role::Agent, Role::Viewer] {
        let refused =
            within(world.approvals.decide(&caller(role, "a"), &id, Decision::Approve, None)).await;
        assert_eq!(refused, Err(ApprovalError::NotAllowed));
    }
    assert_eq!(world.listed(&caller(Role::Agent, "a")).await.len(), 1);
    assert_eq!(world.listed(&caller(Role::Viewer, "z")).await.len(), 2);
    let unknown = within(world.approvals.decide(&admin(), "ap_0", Decision::Deny, None)).await;
    assert_eq!(unknown, Err(ApprovalError::NotFound { id: "ap_0".to_owned() }));
}

#[actix_rt::test]
async fn one_approval_is_for_one_request() {
    let mut world = world(APPROVAL_TTL).await;
    let (first, one) = world.pending("a", "claude").await;
    let (second, two) = world.pending("a", "claude").await;
    assert_ne!(one, two);
    within(world.approvals.decide(&admin(), &one, Decision::Approve, None)).await.unwrap();
    within(world.approvals.decide(&admin(), &two, Decision::Deny, None)).await.unwrap();
    assert_eq!(within(first).await.unwrap(), Ok(ApprovalOutcome::Granted));
    assert_eq!(within(second).await.unwrap(), Ok(ApprovalOutcome::Denied { note: None }));
}

#[actix_rt::test]
async fn a_lost_connection_takes_its_approval_up_again() {
    let mut world = world(APPROVAL_TTL).await;
    let (asked, id) = world.pending("a", "claude").await;
    asked.abort();
    let _ = asked.await;
    let again = world.ask("a", "claude");
    // Somebody else's request, or another one, does not profit from it.
    let (_other, other) = world.pending("b", "claude").await;
    assert_ne!(other, id);
    within(world.approvals.decide(&admin(), &id, Decision::Approve, None)).await.unwrap();
    assert_eq!(within(again).await.unwrap(), Ok(ApprovalOutcome::Granted));
}

#[actix_rt::test]
async fn a_grant_waits_for_its_request_and_serves_it_once() {
    let mut world = world(APPROVAL_TTL).await;
    let (asked, id) = world.pending("a", "claude").await;
    asked.abort();
    let _ = asked.await;
    within(world.approvals.decide(&admin(), &id, Decision::Approve, None)).await.unwrap();
    assert_eq!(world.event().await.2.as_deref(), Some("granted"));
    let again = within(world.approvals.decide(&admin(), &id, Decision::Deny, None)).await;
    assert_eq!(again, Err(ApprovalError::Resolved { state: "granted" }));
    assert_eq!(within(world.ask("a", "claude")).await.unwrap(), Ok(ApprovalOutcome::Granted));
    let (_asked, new) = world.pending("a", "claude").await;
    assert_ne!(new, id);
}

#[actix_rt::test]
async fn a_restart_expires_what_was_pending() {
    let mut world = world(APPROVAL_TTL).await;
    let (_asked, id) = world.pending("a", "claude").await;
    let (store, events, audit) = (world.store.clone(), world.events.clone(), world.audit.clone());
    let reborn = Approvals::start(store, events, audit).await.unwrap();
    let resolved = world.event().await;
    assert_eq!(resolved, ("approval:resolved".to_owned(), id.clone(), Some("expired".to_owned())));
    assert_eq!(within(reborn.list(&admin())).await.unwrap(), []);
    let late = within(reborn.decide(&admin(), &id, Decision::Approve, None)).await;
    assert_eq!(late, Err(ApprovalError::NotFound { id }));
}

#[actix_rt::test]
async fn a_request_that_cannot_be_stored_is_an_error() {
    let world = world(APPROVAL_TTL).await;
    world
        .store
        .write(|tx| {
            let limit = "PRAGMA max_page_count = 1";
            Ok(tx.query_row(limit, [], |_| Ok(()))?)
        })
        .await
        .unwrap();
    let big = "x".repeat(200_000);
    let refused = within(world.ask("a", &big)).await.unwrap();
    assert_eq!(refused, Err(ApprovalError::Store(crate::store::StoreError::DiskFull)));
    assert_eq!(world.listed(&admin()).await, []);
}
