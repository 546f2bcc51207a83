use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;

use super::*;

const S: Duration = Duration::from_secs(1);

fn states() -> Vec<State> {
    vec![
        State::Starting { since: S },
        State::Connected,
        State::Lost { since: S, tries: 2, retry_at: 2 * S },
        State::Reattaching { since: S, tries: 2 },
        State::Reattaching { since: S, tries: TRIES_MAX - 1 },
        State::Gone(GoneReason::Died),
    ]
}

fn events() -> Vec<Event> {
    vec![
        Event::Greeted,
        Event::StartFailed,
        Event::LinkClosed { now: 3 * S },
        Event::WorkerDead,
        Event::AttachFailed { now: 3 * S, why: AttachFailure::NoAnswer },
        Event::AttachFailed { now: 62 * S, why: AttachFailure::NoAnswer },
        Event::AttachFailed { now: 3 * S, why: AttachFailure::Stranger },
        Event::Released,
        Event::TimePassed { now: S },
        Event::TimePassed { now: 31 * S },
    ]
}

#[test]
fn the_whole_table_is_in_the_golden_file() {
    let mut table = String::new();
    for state in states() {
        for event in events() {
            let (next, effects) = state.step(event);
            writeln!(table, "{state:?} + {event:?} -> {next:?} {effects:?}").unwrap();
        }
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/link_state/machine.golden");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(table == golden, "not the table of {} (UPDATE_GOLDEN=1 rewrites it)", path.display());
}

proptest! {
    /// Against a world with one worker: whatever happens, a session ends at most once, and as
    /// long as it has not ended something is going to happen next.
    #[test]
    fn a_session_ends_once_and_never_hangs(
        recover in any::<bool>(),
        picks in prop::collection::vec((0_usize..10, 0_u64..5_000), 0..60),
    ) {
        let mut now = S;
        let (mut state, mut effects) =
            if recover { State::recover(now) } else { State::start(now) };
        let (mut ended, mut wake, mut connecting) = (0, None, false);
        for (pick, later) in picks {
            for effect in &effects {
                match effect {
                    Effect::EndSession(_) => ended += 1,
                    Effect::WakeAt(at) => wake = Some(*at),
                    Effect::Connect => connecting = true,
                    Effect::AnnounceConnected
                    | Effect::AnnounceLost
                    | Effect::AnnounceReattached
                    | Effect::KillWorker => {}
                }
            }
            prop_assert!(ended <= 1);
            match state {
                State::Starting { .. } | State::Lost { .. } => {
                    prop_assert!(wake.is_some_and(|at| at <= now + START_MAX));
                }
                State::Reattaching { .. } => prop_assert!(connecting),
                State::Connected => {}
                State::Gone(reason) => {
                    prop_assert_eq!(ended, i32::from(reason != GoneReason::Released));
                }
            }
            now += Duration::from_millis(later);
            let event = match events().swap_remove(pick) {
                Event::LinkClosed { .. } => Event::LinkClosed { now },
                Event::AttachFailed { why, .. } => Event::AttachFailed { now, why },
                Event::TimePassed { .. } => Event::TimePassed { now },
                same @ (Event::Greeted
                | Event::StartFailed
                | Event::WorkerDead
                | Event::Released) => same,
            };
            (state, effects) = state.step(event);
        }
    }
}

#[test]
fn attempts_back_off_and_are_given_up() {
    let mut now = Duration::ZERO;
    let (state, effects) = State::Connected.step(Event::LinkClosed { now });
    assert_eq!(effects, [Effect::AnnounceLost, Effect::WakeAt(RETRY_MIN)]);
    let (mut state, mut pauses) = (state, Vec::new());
    while let State::Lost { retry_at, .. } = state {
        pauses.push((retry_at - now).as_millis());
        now = retry_at;
        let (connecting, effects) = state.step(Event::TimePassed { now });
        assert_eq!(effects, [Effect::Connect]);
        state = connecting.step(Event::AttachFailed { now, why: AttachFailure::NoAnswer }).0;
    }
    assert_eq!(state, State::Gone(GoneReason::Unreachable));
    assert_eq!(pauses, [100, 200, 400, 800, 1_600]);
}
