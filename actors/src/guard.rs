//! A panicking step costs one session, never the service.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// A step panicked; what it worked on must be given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken;

/// Runs a step. The panic hook has already told the log where it happened.
pub(crate) fn guarded<T>(step: impl FnOnce() -> T) -> Result<T, Broken> {
    // What the step left half done is not looked at again: the session ends.
    catch_unwind(AssertUnwindSafe(step)).map_err(|_| Broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_value() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert_eq!(guarded(|| -> u8 { panic!("made for this test") }), Err(Broken));
    }
}
