//! Who gets a place.

use std::fmt::Write;

use proptest::prelude::*;

use super::machine::{Decision, Limit, Limits, Taken, admit};

fn taken(id: &str, agent: &str, allow: &str, alive: bool, last: i64) -> Taken {
    Taken {
        session_id: id.to_owned(),
        agent_id: agent.to_owned(),
        allow_id: allow.to_owned(),
        alive,
        last_activity_ms: last,
    }
}

const LIMITS: Limits = Limits { agent: 2, entry: Some(1), service: 3 };

#[test]
fn the_table() {
    let cases = [
        ("nobody", vec![]),
        ("one of another entry", vec![taken("a", "me", "python3", true, 1)]),
        ("one of the entry, alive", vec![taken("a", "me", "bash", true, 1)]),
        ("one of the entry, finished", vec![taken("a", "me", "bash", false, 1)]),
        (
            "two of the agent, the older finished",
            vec![taken("a", "me", "x", false, 1), taken("b", "me", "y", true, 2)],
        ),
        (
            "two of the agent, both finished",
            vec![taken("a", "me", "x", false, 2), taken("b", "me", "y", false, 1)],
        ),
        (
            "two of the agent, alive",
            vec![taken("a", "me", "x", true, 1), taken("b", "me", "y", true, 2)],
        ),
        (
            "three of others, alive",
            ["a", "b", "c"].map(|id| taken(id, "you", "bash", true, 1)).to_vec(),
        ),
        (
            "three of others, one finished",
            vec![
                taken("a", "you", "bash", true, 1),
                taken("b", "you", "bash", false, 9),
                taken("c", "them", "bash", true, 1),
            ],
        ),
    ];
    let mut text = String::new();
    for (name, sessions) in cases {
        writeln!(text, "{name}: {:?}", admit(&sessions, "me", "bash", LIMITS)).unwrap();
    }
    crate::golden::check("src/registry/machine.golden", &text);
}

#[test]
fn limits_have_the_names_of_the_file() {
    assert_eq!((Limit::Agent(7).name(), Limit::Agent(7).value()), ("worker.maxSessions", 7));
    assert_eq!(Limit::Entry(1).name(), "limits.maxSessions");
}

prop_compose! {
    fn session()(agent in 0..3_usize, allow in 0..2_usize, alive: bool, last in 0..9_i64) -> Taken {
        taken("", ["me", "you", "them"][agent], ["bash", "vim"][allow], alive, last)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn nobody_alive_is_evicted_and_no_limit_is_passed(
        mut sessions in prop::collection::vec(session(), 0..8),
    ) {
        for (index, session) in sessions.iter_mut().enumerate() {
            session.session_id = index.to_string();
        }
        match admit(&sessions, "me", "bash", LIMITS) {
            Decision::Accept { evict } => {
                let gone: Vec<&str> = evict.iter().map(|(id, _)| id.as_str()).collect();
                let left = |keep: &dyn Fn(&Taken) -> bool| {
                    sessions
                        .iter()
                        .filter(|s| !gone.contains(&s.session_id.as_str()) && keep(s))
                        .count()
                };
                prop_assert!(left(&|_| true) < 3);
                prop_assert!(left(&|s| s.agent_id == "me") < 2);
                prop_assert!(left(&|s| s.agent_id == "me" && s.allow_id == "bash") < 1);
                for session in &sessions {
                    prop_assert!(!(session.alive && gone.contains(&session.session_id.as_str())));
                }
            }
            Decision::Refuse(limit) => {
                let alive = sessions.iter().filter(|session| session.alive && match limit {
                    Limit::Entry(_) => session.agent_id == "me" && session.allow_id == "bash",
                    Limit::Agent(_) => session.agent_id == "me",
                    Limit::Service(_) => true,
                });
                prop_assert!(alive.count() >= limit.value(), "{limit:?} is full of living ones");
            }
        }
    }
}
