//! Every event type with every member, as clients see it. Contract.

use std::fmt::Write;
use std::time::Duration;

use policy::{Confidence, Kind, Reason, State};

use crate::events::{
    AnswerSource, ApprovalDecision, Cap, Code, EVENT_TYPES, EscalationReason, Event,
    EvictionReason, KeystrokeKind, Notification, NotificationOutcome, SessionPhase, StuckReason,
    ToolStatus,
};
use crate::session_types::Outcome;

fn samples() -> Vec<Event> {
    vec![
        Event::SessionState {
            phase: SessionPhase::Exited,
            duration: Duration::from_millis(1_234),
            exit_code: Some(7),
            reason: Some(Code::of("killed")),
        },
        Event::SessionState {
            phase: SessionPhase::Running,
            duration: Duration::ZERO,
            exit_code: None,
            reason: None,
        },
        Event::SpawnFailed { error_kind: Code::of("sandbox"), hint: "install bubblewrap" },
        Event::InputNeeded {
            state: State::AwaitingInput,
            kind: Kind::Permission,
            reason: Reason::DialogDetected,
            confidence: Confidence::High,
        },
        Event::Stuck {
            no_progress: Duration::from_secs(30),
            reason: StuckReason::Classified(Reason::NoProgress),
            confidence: Confidence::Medium,
        },
        Event::Stuck {
            no_progress: Duration::from_secs(90),
            reason: StuckReason::LivenessBackstop,
            confidence: Confidence::High,
        },
        Event::AutoAnswered { source: AnswerSource::Hint(2), keystroke_count: 1 },
        Event::AutoAnswered {
            source: AnswerSource::Dialog(Code::of("trust-folder")),
            keystroke_count: 2,
        },
        Event::Escalated { reason: EscalationReason::NoSafeMatch },
        Event::Keystroke {
            kind: KeystrokeKind::Text,
            byte_length: 12,
            redactions: 1,
            outcome: Outcome::Submitted,
        },
        Event::SessionEvicted {
            reason: EvictionReason::WallClock,
            limit: Cap { name: "wall_clock", value: 7_200_000, unit: "ms" },
            duration: Duration::from_millis(7_200_010),
        },
    ]
}

fn more_samples() -> Vec<Event> {
    vec![
        Event::DrivePromoted { reason: Code::of("still_producing") },
        Event::DriveReattached { reason: Code::of("daemon_restart") },
        Event::Notification(Box::new(Notification {
            outcome: NotificationOutcome::Failed,
            reason: Some(Code::of("exit_code_1")),
            error_kind: Some(Code::of("exit_code")),
            duration: Duration::from_secs(60),
            interactions: 12,
            cost_usd: 1.25,
            excerpt: None,
        })),
        Event::ApprovalRequested { approval_id: "ap_1".to_owned(), kind: Code::of("create") },
        Event::ApprovalResolved {
            approval_id: "ap_1".to_owned(),
            kind: Code::of("create"),
            decision: ApprovalDecision::Granted,
        },
        Event::JobExited {
            job_id: "job_1".to_owned(),
            status: Code::of("exited"),
            exit_code: Some(0),
            duration: Duration::from_millis(5),
        },
        Event::ToolCompleted {
            handle: "call_1".to_owned(),
            tool: Code::of("terminal_session_wait"),
            status: ToolStatus::Ok,
            duration: Duration::from_millis(2_500),
        },
    ]
}

#[test]
fn every_event_as_clients_see_it() {
    let samples = [samples(), more_samples()].concat();
    let mut text = String::new();
    for event in &samples {
        let fields = serde_json::to_string(&event.fields()).unwrap();
        writeln!(text, "{} {fields}", event.kind()).unwrap();
    }
    crate::golden::check("src/events/vocabulary.golden", &text);
}

#[test]
fn the_list_of_types_is_complete_and_has_no_extra() {
    let samples = [samples(), more_samples()].concat();
    let mut kinds: Vec<_> = samples.iter().map(Event::kind).collect();
    kinds.dedup();
    assert_eq!(kinds, EVENT_TYPES);
}

/// The reference for clients names every type once, and every member of the samples.
#[test]
fn the_reference_is_complete() {
    let reference = include_str!("../../../../docs/events.md");
    for event in [samples(), more_samples()].concat() {
        let row = format!("| `{}` |", event.kind());
        let rows: Vec<_> = reference.lines().filter(|line| line.starts_with(&row)).collect();
        assert_eq!(rows.len(), 1, "{row}");
        for member in event.fields().keys() {
            assert!(rows[0].contains(&format!("`{member}`")), "{member} of {row}");
        }
    }
}
