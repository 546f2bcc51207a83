//! The loop guard: the same prompt twice in a short time is not answered twice.

use std::collections::VecDeque;
use std::time::Duration;

use super::PromptId;

/// The same prompt within this time is a loop.
pub const LOOP_WINDOW: Duration = Duration::from_secs(30);
/// Prompts remembered; more answers than that within the window are a loop of another kind,
/// and each of them still needs its own look and its own confirmation.
const REMEMBERED_MAX: usize = 64;

/// Times are since any fixed moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoopGuard {
    answered: VecDeque<(PromptId, Duration)>,
}

impl LoopGuard {
    /// Whether this prompt was answered a short time ago.
    #[must_use]
    pub fn is_loop(&self, id: PromptId, now: Duration) -> bool {
        self.answered
            .iter()
            .any(|(known, at)| *known == id && now.saturating_sub(*at) <= LOOP_WINDOW)
    }

    pub fn answered(&mut self, id: PromptId, now: Duration) {
        self.answered.retain(|(_, at)| now.saturating_sub(*at) <= LOOP_WINDOW);
        if self.answered.len() == REMEMBERED_MAX {
            self.answered.pop_front();
        }
        self.answered.push_back((id, now));
    }
}
