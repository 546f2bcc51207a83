//! Journals: bounds, the file, damage.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use policy::State;

use super::{ENTRIES_MAX, Journal, JournalError, Journals, Loaded, OBJECTIVE_BYTES_MAX, Step};
use crate::clock;
use crate::store::Store;

fn empty(session: &str) -> Journal {
    Journal {
        session_id: session.to_owned(),
        allow_id: "claude".to_owned(),
        objective: "fix the test".to_owned(),
        last_classification: Some(State::AwaitingInput),
        last_screen_digest: Some("ab12".to_owned()),
        answered_prompts: vec!["f1".to_owned()],
        steps_tried: vec![Step::Answered, Step::Sent],
        elapsed_ms: 1_234,
        interactions: 3,
        cost_usd: 0.25,
        truncations: 0,
    }
}

struct World {
    dir: tempfile::TempDir,
    journals: Journals,
}

fn world() -> World {
    let dir = tempfile::tempdir().unwrap();
    let journals = Journals::new(Store::open(dir.path()).unwrap());
    World { dir, journals }
}

impl World {
    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join("terminal-drive/default/journals").join(name)
    }
}

#[test]
fn the_oldest_entries_go_first_and_are_counted() {
    let mut journal = empty("ts_1");
    for n in 0..ENTRIES_MAX + 5 {
        journal.answered(&format!("p{n}"));
        journal.tried(Step::Waited);
    }
    assert_eq!(journal.answered_prompts().len(), ENTRIES_MAX);
    assert_eq!(journal.steps_tried().len(), ENTRIES_MAX);
    assert!(!journal.was_answered("p4") && journal.was_answered("p5"));
    // One fingerprint and two steps were there before: 6 and 7 had to go.
    assert_eq!(journal.truncations(), 13);
}

#[test]
fn an_objective_is_cut_at_a_character() {
    let mut journal = empty("ts_1");
    journal.set_objective(&format!("{}é and more", "x".repeat(OBJECTIVE_BYTES_MAX - 1)));
    assert_eq!(journal.objective().len(), OBJECTIVE_BYTES_MAX - 1);
    assert_eq!(journal.truncations(), 1);
}

#[actix_rt::test]
async fn what_was_saved_is_loaded_and_the_file_is_private() {
    let world = world();
    let journal = empty("ts_1");
    world.journals.save("default", &journal).await.unwrap();
    let loaded = world.journals.load("default", "ts_1").await.unwrap();
    assert_eq!(loaded, Loaded::Journal(Box::new(journal)));
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(world.file("ts_1.json")), 0o600);
    assert_eq!(mode(world.file("")), 0o700);
    assert_eq!(world.journals.load("default", "ts_2").await.unwrap(), Loaded::Missing);
}

#[actix_rt::test]
async fn the_file_as_it_is_written() {
    let world = world();
    world.journals.save("default", &empty("ts_1")).await.unwrap();
    let text = std::fs::read_to_string(world.file("ts_1.json")).unwrap();
    crate::golden::check("src/journal/journal.v1.golden", &text);
}

/// The sample of version 1 must load for ever.
#[test]
fn the_first_version_loads() {
    let sample = include_bytes!("journal.v1.golden");
    assert_eq!(super::format::from_json(sample), Ok(empty("ts_1")));
}

#[actix_rt::test]
async fn damage_is_set_aside_and_never_guessed() {
    let world = world();
    let good = {
        world.journals.save("default", &empty("ts_1")).await.unwrap();
        std::fs::read_to_string(world.file("ts_1.json")).unwrap()
    };
    let cases = [
        String::new(),
        good[..good.len() / 2].to_owned(),
        good.replace("\"version\": 1", "\"version\": 2"),
        good.replace("\"sent\"", "\"guessed\""),
        good.replace("awaiting-input", "sleeping"),
        good.replace("\"costUsd\"", "\"cost\""),
        good.replace("ts_1", "ts_9"),
        format!("{good}{}", " ".repeat(300_000)),
    ];
    for damaged in cases {
        std::fs::write(world.file("ts_1.json"), &damaged).unwrap();
        let loaded = world.journals.load("default", "ts_1").await.unwrap();
        let Loaded::SetAside { file, .. } = loaded else { panic!("{loaded:?} for {damaged}") };
        assert_eq!(std::fs::read_to_string(world.file(&file)).unwrap(), damaged);
        assert_eq!(world.journals.load("default", "ts_1").await.unwrap(), Loaded::Missing);
    }
}

#[actix_rt::test]
async fn the_journal_of_a_done_drive_goes_after_seven_days() {
    let world = world();
    for session in ["ts_done", "ts_failed"] {
        world.journals.save("default", &empty(session)).await.unwrap();
    }
    world.journals.done("default", "ts_done").await.unwrap();
    let now = clock::unix_ms();
    let days = |n: i64| n * 24 * 3600 * 1000;
    assert_eq!(world.journals.prune(now + days(7) - 60_000).await.unwrap(), 0);
    assert_eq!(world.journals.prune(now + days(7) + 60_000).await.unwrap(), 1);
    assert!(!world.file("ts_done.json").exists() && world.file("ts_failed.json").exists());
    assert_eq!(world.journals.prune(now + days(30)).await.unwrap(), 0);
}

#[actix_rt::test]
async fn names_cannot_leave_the_folder() {
    let world = world();
    for (agent, session) in [("..", "ts_1"), ("a/b", "ts_1"), ("a", "../x"), ("", "ts_1")] {
        let refused = world.journals.load(agent, session).await;
        assert!(matches!(refused, Err(JournalError::BadName { .. })), "{agent} {session}");
    }
}
