//! When a worker is no longer wanted. Pure; time is an argument.

use std::time::Instant;

use crate::limits::{FIRST_CONNECTION_MAX, LINK_GRACE, ORPHAN_MAX};

#[derive(Debug, Clone, Copy)]
pub struct Life {
    durable: bool,
    started: Instant,
    link: Link,
    /// The program has ended or never ran.
    ended: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    Never,
    Connected,
    Lost(Instant),
}

impl Life {
    #[must_use]
    pub fn new(durable: bool, now: Instant) -> Self {
        Self { durable, started: now, link: Link::Never, ended: None }
    }

    pub fn connected(&mut self) {
        self.link = Link::Connected;
    }

    pub fn lost(&mut self, now: Instant) {
        if self.link == Link::Connected {
            self.link = Link::Lost(now);
        }
    }

    pub fn ended(&mut self, now: Instant) {
        self.ended.get_or_insert(now);
    }

    /// When the worker ends by itself; `None` while somebody may still want it.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let (alone_since, grace) = match self.link {
            Link::Connected => return None,
            Link::Never => (self.started, FIRST_CONNECTION_MAX),
            Link::Lost(since) => (since, LINK_GRACE),
        };
        if !self.durable {
            return Some(alone_since + grace);
        }
        self.ended.map(|ended| ended.max(alone_since) + ORPHAN_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn only_an_unwanted_worker_has_a_deadline() {
        let start = crate::clock::now();
        let at = |secs| start + Duration::from_secs(secs);

        let mut life = Life::new(false, start);
        assert_eq!(life.deadline(), Some(at(10)), "nobody came");
        life.lost(at(1));
        assert_eq!(life.deadline(), Some(at(10)), "losing what never was changes nothing");
        life.connected();
        life.ended(at(3));
        assert_eq!(life.deadline(), None, "the daemon decides");
        life.lost(at(5));
        assert_eq!(life.deadline(), Some(at(7)));
        life.connected();
        assert_eq!(life.deadline(), None);

        let mut life = Life::new(true, start);
        assert_eq!(life.deadline(), None, "durable");
        life.connected();
        life.lost(at(5));
        assert_eq!(life.deadline(), None);
        life.ended(at(9));
        assert_eq!(life.deadline(), Some(at(9 + 86_400)));
    }
}
