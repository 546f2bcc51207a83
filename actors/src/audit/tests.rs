//! The trail on a real disk.

use std::time::Duration;

use super::{Audit, AuditAction, AuditEntry, AuditFilter, AuditRecord};
use crate::caller::{Caller, Origin, Owner, Role};
use crate::events::Code;
use crate::store::Store;

fn caller(agent: &str) -> Caller {
    Caller {
        owner: Owner { agent_id: agent.to_owned(), session_key: "main".to_owned() },
        role: Role::Agent,
        origin: Origin::Interactive,
        token_id: "tok_1".to_owned(),
    }
}

fn entry(agent: &str, action: AuditAction, session: &str) -> AuditEntry {
    AuditEntry::by(&caller(agent), action, Code::of("ok")).session(session)
}

async fn until(audit: &Audit, count: usize) -> Vec<AuditRecord> {
    let written = async {
        loop {
            let records = audit.query(AuditFilter::default()).await.unwrap();
            if records.len() >= count {
                return records;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), written).await.unwrap()
}

#[actix_rt::test]
async fn a_record_says_who_what_and_how_it_ended() {
    let dir = tempfile::tempdir().unwrap();
    let audit = Audit::start(Store::open(dir.path()).unwrap());
    let mut done = entry("a", AuditAction::SessionSendText, "ts_1").detail("byteLength", 5);
    done.request_id = Some("req_1".to_owned());
    audit.record_durable(done).await.unwrap();
    let records = audit.query(AuditFilter::default()).await.unwrap();
    assert_eq!(records.len(), 1);
    let record = &records[0];
    assert_eq!((record.action.as_str(), record.outcome.as_str()), ("session.send_text", "ok"));
    assert_eq!(record.agent_id.as_deref(), Some("a"));
    assert_eq!(record.token_id.as_deref(), Some("tok_1"));
    assert_eq!(record.session_id.as_deref(), Some("ts_1"));
    assert_eq!(record.request_id.as_deref(), Some("req_1"));
    assert_eq!(record.details["byteLength"], 5);
}

#[actix_rt::test]
async fn queued_records_arrive_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let audit = Audit::start(Store::open(dir.path()).unwrap());
    for n in 0..600 {
        audit.record(entry("a", AuditAction::SessionSendKey, "ts_1").detail("n", n));
    }
    until(&audit, 100).await;
    let all = AuditFilter { since_ms: Some(0), limit: Some(1_000), ..AuditFilter::default() };
    let written = async {
        loop {
            let records = audit.query(all.clone()).await.unwrap();
            if records.len() == 600 {
                return records;
            }
        }
    };
    let records = tokio::time::timeout(Duration::from_secs(20), written).await.unwrap();
    for (n, record) in records.iter().enumerate() {
        assert_eq!(record.details["n"], n);
    }
}

#[actix_rt::test]
async fn queries_narrow_by_session_time_and_number() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let audit = Audit::start(store.clone());
    for n in 0..10_i64 {
        let session = if n % 2 == 0 { "ts_even" } else { "ts_odd" };
        audit.record_durable(entry("a", AuditAction::SessionKill, session)).await.unwrap();
        store
            .write(
                move |tx| Ok(tx.execute("UPDATE audit SET time_ms = ?1 WHERE id = ?1 + 1", [n])?),
            )
            .await
            .unwrap();
    }
    let ids = |filter: AuditFilter| {
        let audit = audit.clone();
        async move {
            let records = audit.query(filter).await.unwrap();
            records.into_iter().map(|record| record.id).collect::<Vec<_>>()
        }
    };
    let odd = AuditFilter { session_id: Some("ts_odd".to_owned()), ..AuditFilter::default() };
    assert_eq!(ids(odd).await, [2, 4, 6, 8, 10]);
    let late = AuditFilter { since_ms: Some(7), ..AuditFilter::default() };
    assert_eq!(ids(late).await, [8, 9, 10]);
    let first = AuditFilter { since_ms: Some(0), limit: Some(2), ..AuditFilter::default() };
    assert_eq!(ids(first).await, [1, 2]);
    let latest = AuditFilter { limit: Some(2), ..AuditFilter::default() };
    assert_eq!(ids(latest).await, [9, 10]);
}

#[actix_rt::test]
async fn a_silenced_agent_is_not_recorded_but_approvals_are() {
    let dir = tempfile::tempdir().unwrap();
    let audit = Audit::start(Store::open(dir.path()).unwrap());
    audit.silent_agents.write().unwrap().insert("quiet".to_owned());
    audit.record_durable(entry("quiet", AuditAction::SessionCreate, "ts_1")).await.unwrap();
    audit.record_durable(entry("quiet", AuditAction::ApprovalDecide, "ts_2")).await.unwrap();
    audit.record_durable(entry("loud", AuditAction::SessionCreate, "ts_3")).await.unwrap();
    let records = audit.query(AuditFilter::default()).await.unwrap();
    let sessions: Vec<_> = records.iter().filter_map(|r| r.session_id.as_deref()).collect();
    assert_eq!(sessions, ["ts_2", "ts_3"]);
}
