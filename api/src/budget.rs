//! `budget.maxToolCallsPerHour`: how often an agent may call tools, over a rolling hour.
//!
//! Time is an argument. The count is kept in memory: after a restart an agent starts afresh.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::limits::BUDGET_CALLS_COUNTED_MAX;
use crate::problem::{Code, Problem};

const HOUR_MS: u64 = 3_600_000;

/// When each agent called during the last hour.
#[derive(Debug, Default)]
pub struct CallBudget {
    agents: Mutex<HashMap<String, VecDeque<u64>>>,
}

impl CallBudget {
    /// Counts one call, or refuses it. Exactly `cap` calls fit into an hour.
    ///
    /// # Errors
    /// `rate_limited`, with when the oldest call of the hour no longer counts.
    pub fn take(&self, agent: &str, cap: u64, now_ms: u64) -> Result<(), Problem> {
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = agents.entry(agent.to_owned()).or_default();
        while calls.front().is_some_and(|at| now_ms.saturating_sub(*at) >= HOUR_MS) {
            calls.pop_front();
        }
        let used = calls.len() as u64;
        if used >= cap || calls.len() >= BUDGET_CALLS_COUNTED_MAX {
            let oldest = calls.front().copied().unwrap_or(now_ms);
            return Err(refused(agent, used, cap, HOUR_MS - now_ms.saturating_sub(oldest)));
        }
        calls.push_back(now_ms);
        Ok(())
    }
}

fn refused(agent: &str, used: u64, cap: u64, wait_ms: u64) -> Problem {
    let detail = format!(
        "agents.{agent}.budget.maxToolCallsPerHour: {used} of {cap} calls were made within the \
         last hour"
    );
    let problem = Problem::new(Code::RateLimited, detail);
    Problem { retry_after: Some(Duration::from_millis(wait_ms)), ..problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cap_holds_over_a_rolling_hour_for_each_agent() {
        let budget = CallBudget::default();
        assert!(budget.take("a", 2, 0).is_ok());
        assert!(budget.take("a", 2, 600_000).is_ok());
        let refused = budget.take("a", 2, 1_200_000).expect_err("the third");
        assert_eq!(refused.code, Code::RateLimited);
        assert_eq!(refused.retry_after, Some(Duration::from_millis(2_400_000)));
        assert!(refused.detail.contains("2 of 2"), "{}", refused.detail);
        assert!(budget.take("b", 2, 1_200_000).is_ok(), "another agent has its own");
        assert!(budget.take("a", 2, 3_599_999).is_err());
        assert!(budget.take("a", 2, 3_600_000).is_ok(), "the first no longer counts");
        assert!(budget.take("a", 2, 3_600_001).is_err());
        assert!(budget.take("a", 0, 9_999_999).is_err(), "nothing fits into zero");
    }
}
