//! Catches a panic in the pure part, so that a bug there costs one session and not the
//! service. The state before the step is kept, and the caller ends the session as lost.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `step`, or tells that it panicked.
pub fn guarded<T>(session_id: &str, step: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(value) => Some(value),
        Err(_) => {
            tracing::error!(session_id, "a step of the session panicked; the session is lost");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_becomes_none() {
        assert_eq!(guarded("ts_test", || 7), Some(7));
        assert_eq!(guarded("ts_test", || -> i32 { panic!("made for this test") }), None);
    }
}
