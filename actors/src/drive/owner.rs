//! One drive: its machine with what it counts.

use policy::SafeText;

use super::machine::{Attention, Event, State};
use super::messages::{DriveInfo, Subject};
use crate::clock;
use crate::events::{Code, Notification, NotificationOutcome};
use crate::journal::Journal;

pub(super) struct Drive {
    pub(super) subject: Subject,
    pub(super) state: State,
    pub(super) objective: Option<SafeText>,
    /// From the promotion on.
    pub(super) journal: Option<Journal>,
    pub(super) promoted_ms: i64,
    /// When the last notification went out.
    pub(super) notified_ms: i64,
    pub(super) interactions: u64,
    /// What a cap or an exit was, for the notification.
    pub(super) last_cause: Option<Code>,
}

impl Drive {
    pub(super) fn new(subject: Subject, objective: SafeText) -> Self {
        Self {
            subject,
            state: State::Attached { tasked: false },
            objective: Some(objective),
            journal: None,
            promoted_ms: 0,
            notified_ms: 0,
            interactions: 0,
            last_cause: None,
        }
    }

    /// Brings the journal up to date with the counters.
    pub(super) fn record(&mut self, now_ms: i64) -> Option<Journal> {
        let elapsed = now_ms.saturating_sub(self.promoted_ms);
        let journal = self.journal.as_mut()?;
        journal.elapsed_ms = u64::try_from(elapsed).unwrap_or(0);
        journal.interactions = self.interactions;
        Some(journal.clone())
    }

    pub(super) fn cost_usd(&self) -> f64 {
        self.journal.as_ref().map_or(0.0, |journal| journal.cost_usd)
    }

    /// What the event means once the cap is looked at.
    pub(super) fn over_budget(&self) -> Option<Event> {
        let max = self.subject.settings.cost_usd_max?;
        (self.cost_usd() > max).then_some(Event::CostExceeded)
    }

    /// Whether a sign of life is due (`heartbeatNotifyMs`; only for promoted drives).
    pub(super) fn heartbeat_due(&self, now_ms: i64) -> bool {
        let every = i64::try_from(self.subject.settings.heartbeat_notify.as_millis());
        let every = every.unwrap_or(i64::MAX);
        let promoted = match self.state {
            State::Promoted { .. } => true,
            State::Attached { .. } | State::Reattaching | State::Done | State::Failed => false,
        };
        promoted && every > 0 && now_ms.saturating_sub(self.notified_ms) >= every
    }

    pub(super) fn info(&self) -> Option<DriveInfo> {
        let state = match self.state {
            State::Attached { .. } => return None,
            State::Promoted { attention: Attention::Working } => "working",
            State::Promoted { attention: Attention::Parked } => "parked",
            State::Reattaching => "re-attaching",
            State::Done => "done",
            State::Failed => "failed",
        };
        Some(DriveInfo {
            session_id: self.subject.session_id.clone(),
            owner: self.subject.owner.clone(),
            state,
            promoted_at: clock::rfc3339(self.promoted_ms),
            cost_usd: self.cost_usd(),
        })
    }

    pub(super) fn notification(
        &self,
        outcome: NotificationOutcome,
        reason: Option<Code>,
        error_kind: Option<Code>,
        now_ms: i64,
    ) -> Notification {
        let elapsed = u64::try_from(now_ms.saturating_sub(self.promoted_ms)).unwrap_or(0);
        Notification {
            outcome,
            reason,
            error_kind,
            duration: std::time::Duration::from_millis(elapsed),
            interactions: self.interactions,
            cost_usd: self.cost_usd(),
            excerpt: None,
        }
    }
}
