//! What is reaped, and that doing it twice does nothing more.

use std::fmt::Write;

use super::machine::{Action, View, reconcile};

fn view() -> View {
    View {
        session_id: "ts".to_owned(),
        alive: true,
        connected: true,
        busy: false,
        unattended: false,
        tasked: true,
        age_ms: 5_000,
        quiet_ms: 1_000,
        idle_ttl_ms: 1_000,
        wall_clock_max_ms: None,
    }
}

#[test]
fn the_table() {
    let cases = [
        ("idle", view()),
        ("not yet idle", View { quiet_ms: 999, ..view() }),
        ("never idle", View { idle_ttl_ms: 0, ..view() }),
        ("busy", View { busy: true, ..view() }),
        ("never tasked", View { unattended: true, tasked: false, ..view() }),
        ("unattended, tasked", View { unattended: true, ..view() }),
        ("over its wall clock", View { wall_clock_max_ms: Some(5_000), busy: true, ..view() }),
        ("within its wall clock", View { wall_clock_max_ms: Some(5_001), busy: true, ..view() }),
        ("finished long ago", View { alive: false, ..view() }),
        ("just finished", View { alive: false, quiet_ms: 0, ..view() }),
        ("its actor is gone", View { connected: false, quiet_ms: 0, ..view() }),
    ];
    let mut text = String::new();
    for (name, view) in cases {
        writeln!(text, "{name}: {:?}", reconcile(&[view])).unwrap();
    }
    crate::golden::check("src/reaper/machine.golden", &text);
}

#[test]
fn what_was_done_is_not_done_again() {
    let actions = reconcile(&[view()]);
    assert!(matches!(actions.as_slice(), [Action::Evict { .. }]), "{actions:?}");
    // An evicted session has ended and was active just now.
    assert!(reconcile(&[View { alive: false, quiet_ms: 0, ..view() }]).is_empty());
}
