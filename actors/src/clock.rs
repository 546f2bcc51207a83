//! The only place that reads the wall clock. Machines get the time as an argument.
#![expect(clippy::disallowed_methods, reason = "everybody else gets the time from here")]

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// Milliseconds since 1970, UTC.
#[must_use]
pub fn unix_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds since this process first asked; never goes back. For ages, not for dates.
/// It is the clock of the timers, so it stands still where a test holds them.
#[must_use]
pub fn monotonic_ms() -> i64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let age = START.get_or_init(Instant::now).elapsed();
    i64::try_from(age.as_millis()).unwrap_or(i64::MAX)
}

/// `2026-01-31T12:00:00.123Z`.
#[must_use]
pub fn rfc3339(unix_ms: i64) -> String {
    jiff::Timestamp::from_millisecond(unix_ms)
        .map_or_else(|_| "9999-12-31T23:59:59.999Z".to_owned(), |time| format!("{time:.3}"))
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn times_have_milliseconds_and_utc() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(1_769_860_800_123), "2026-01-31T12:00:00.123Z");
        assert_eq!(rfc3339(i64::MAX), "9999-12-31T23:59:59.999Z");
    }
}
