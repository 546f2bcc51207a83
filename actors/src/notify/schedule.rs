//! When a delivery is tried again, and when it is given up. Pure.

/// How long a receiver may be down (contract).
pub(super) const GIVE_UP_AFTER_MS: i64 = 24 * 3600 * 1000;
const PAUSE_FIRST_MS: i64 = 1_000;
/// Long enough to leave a broken receiver alone, short enough to notice that it is back.
const PAUSE_LAST_MS: i64 = 10 * 60 * 1000;

/// What to do after a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    RetryAt { ms: i64 },
    GiveUp,
}

/// `attempts` includes the one that just failed.
pub(super) fn after_failure(attempts: u32, created_ms: i64, now_ms: i64) -> Next {
    if now_ms.saturating_sub(created_ms) >= GIVE_UP_AFTER_MS {
        return Next::GiveUp;
    }
    let doublings = attempts.saturating_sub(1).min(20);
    let pause = PAUSE_FIRST_MS.saturating_mul(1 << doublings).min(PAUSE_LAST_MS);
    Next::RetryAt { ms: now_ms.saturating_add(pause) }
}

#[cfg(test)]
mod tests {
    use super::{GIVE_UP_AFTER_MS, Next, after_failure};

    #[test]
    fn pauses_double_up_to_ten_minutes() {
        let pauses: Vec<_> = [1, 2, 3, 10, 11, 1_000]
            .map(|attempts| match after_failure(attempts, 0, 0) {
                Next::RetryAt { ms } => ms,
                Next::GiveUp => -1,
            })
            .to_vec();
        assert_eq!(pauses, [1_000, 2_000, 4_000, 512_000, 600_000, 600_000]);
    }

    #[test]
    fn a_day_is_enough() {
        assert!(matches!(after_failure(9, 5, GIVE_UP_AFTER_MS + 4), Next::RetryAt { .. }));
        assert_eq!(after_failure(9, 5, GIVE_UP_AFTER_MS + 5), Next::GiveUp);
    }
}
