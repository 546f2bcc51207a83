//! When to say `Changed` and `Settled`, and when a synchronized update has lasted too long.
//!
//! Pure: the caller tells what came and what time it is, and asks what is due. Nothing is due
//! for ever while nothing comes, so an idle worker sleeps.
//!
//! `Settled` follows output whose content has stood still for the window. Output that changes
//! nothing (a blinking drawn cursor, an identical repaint) is reported again too, but at a
//! falling rate, because each report is a full look.

use std::time::{Duration, Instant};

use crate::limits::{
    CHANGED_INTERVAL, EVALUATE_INTERVAL, RESETTLE_INTERVAL_MAX, SETTLE_WINDOW, SYNC_UPDATE_MAX,
};

/// What has to be done now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Ask the emulator for its content number and tell it with `evaluated`.
    Evaluate,
    ReleaseSync,
    Changed,
    Settled,
}

#[derive(Debug)]
pub struct Settle {
    last_output: Instant,
    changed_at: Instant,
    content: u64,
    evaluated_at: Instant,
    /// Output came that was not evaluated yet.
    dirty: bool,
    changed_told: Option<Instant>,
    changed_pending: bool,
    /// First output that no `Settled` has covered yet.
    unsettled_since: Option<Instant>,
    settled_told: Option<Told>,
    sync_since: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
struct Told {
    at: Instant,
    content: u64,
    /// How long to wait before the same content is reported once more.
    interval: Duration,
}

impl Settle {
    /// A program that says nothing at all settles too, one window after its start.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self {
            last_output: now,
            changed_at: now,
            content: 0,
            evaluated_at: now,
            dirty: false,
            changed_told: None,
            changed_pending: false,
            unsettled_since: Some(now),
            settled_told: None,
            sync_since: None,
        }
    }

    /// Something that may have changed the screen: output, a resize.
    pub fn output(&mut self, now: Instant) {
        self.last_output = now;
        self.dirty = true;
        self.changed_pending = true;
        self.unsettled_since.get_or_insert(now);
    }

    /// Whether a synchronized update is open after a piece of output, and whether one was
    /// closed within it.
    pub fn sync_update(&mut self, now: Instant, open: bool, closed_within: bool) {
        self.sync_since = match self.sync_since {
            Some(since) if open && !closed_within => Some(since),
            Some(_) | None if open => Some(now),
            Some(_) | None => None,
        };
    }

    /// Input was written: whoever wrote it waits for the next settled screen.
    pub fn input(&mut self) {
        if let Some(told) = &mut self.settled_told {
            told.interval = SETTLE_WINDOW;
        }
    }

    /// The emulator's content number as of the last output.
    pub fn evaluated(&mut self, now: Instant, content: u64) {
        self.dirty = false;
        self.evaluated_at = now;
        if content != self.content {
            self.content = content;
            self.changed_at = self.last_output;
        }
    }

    /// What is due now, one thing at a time; ask again until there is nothing.
    pub fn due(&mut self, now: Instant) -> Option<Due> {
        if self.sync_since.is_some_and(|since| now >= since + SYNC_UPDATE_MAX) {
            self.sync_since = None;
            self.output(now);
            return Some(Due::ReleaseSync);
        }
        let changed = self.changed_due().is_some_and(|at| now >= at);
        let settled = self.settled_due().is_some_and(|at| now >= at);
        if self.dirty && (changed || settled || now >= self.evaluated_at + EVALUATE_INTERVAL) {
            return Some(Due::Evaluate);
        }
        if changed {
            self.changed_pending = false;
            self.changed_told = Some(now);
            return Some(Due::Changed);
        }
        if settled {
            self.unsettled_since = None;
            let interval = match self.settled_told {
                Some(told) if told.content == self.content => {
                    (told.interval * 2).min(RESETTLE_INTERVAL_MAX)
                }
                Some(_) | None => SETTLE_WINDOW,
            };
            self.settled_told = Some(Told { at: now, content: self.content, interval });
            return Some(Due::Settled);
        }
        None
    }

    /// When to ask `due` again if nothing comes before.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let sync = self.sync_since.map(|since| since + SYNC_UPDATE_MAX);
        let evaluate = self.dirty.then(|| self.evaluated_at + EVALUATE_INTERVAL);
        [sync, evaluate, self.changed_due(), self.settled_due()].into_iter().flatten().min()
    }

    fn changed_due(&self) -> Option<Instant> {
        self.changed_pending
            .then(|| self.changed_told.map_or(self.last_output, |told| told + CHANGED_INTERVAL))
    }

    fn settled_due(&self) -> Option<Instant> {
        let since = self.unsettled_since.filter(|_| self.sync_since.is_none())?;
        let window = self.changed_at.max(since) + SETTLE_WINDOW;
        Some(match self.settled_told {
            Some(told) if told.content == self.content => window.max(told.at + told.interval),
            Some(_) | None => window,
        })
    }

    /// Everything that came is covered by a report that was due.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.unsettled_since.is_none()
    }

    #[must_use]
    pub fn content(&self) -> u64 {
        self.content
    }

    #[must_use]
    pub fn unchanged(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.changed_at)
    }

    #[must_use]
    pub fn quiet(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.last_output)
    }
}

#[cfg(test)]
#[path = "settle_tests.rs"]
mod tests;
