//! What is still to be told to someone slow: newest state instead of a queue of old ones.
//!
//! Used on both ends of the socket. It holds at most one of each fact and a bounded piece of
//! output, so its size does not depend on how slow the reader is.

use std::collections::VecDeque;

use crate::limits::{OUTPUT_CHUNK_BYTES, OUTPUT_QUEUE_BYTES};
use crate::protocol::{Push, WireClock, WireExit, WireObservation};

#[derive(Debug, Default)]
pub struct PushQueue {
    /// `Started` or `SpawnFailed`.
    start: Option<Push>,
    changed: Option<WireClock>,
    settled: Option<Box<WireObservation>>,
    exited: Option<(WireExit, Box<WireObservation>)>,
    output: VecDeque<Vec<u8>>,
    output_bytes: usize,
    dropped: u64,
}

impl PushQueue {
    pub fn push(&mut self, push: Push) {
        match push {
            Push::Started { .. } | Push::SpawnFailed { .. } => self.start = Some(push),
            Push::Changed { clock } => {
                // A picture from before this change is no longer the settled one.
                self.settled = None;
                self.changed = Some(clock);
            }
            Push::Settled(observation) => self.settled = Some(observation),
            Push::Exited { exit, observation } => {
                self.changed = None;
                self.settled = None;
                self.exited = Some((exit, observation));
            }
            Push::Output { bytes, dropped } => {
                self.dropped += dropped;
                self.push_output(&bytes);
            }
        }
    }

    /// Output without making a message of it first.
    pub fn push_output(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = self.output.back().map_or(0, |last| OUTPUT_CHUNK_BYTES - last.len());
            if room == 0 {
                self.output.push_back(Vec::new());
                continue;
            }
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            if let Some(last) = self.output.back_mut() {
                last.extend_from_slice(now);
            }
            self.output_bytes += now.len();
            bytes = later;
        }
        while self.output_bytes > OUTPUT_QUEUE_BYTES {
            let lost = self.output.pop_front().map_or(0, |chunk| chunk.len());
            self.output_bytes -= lost;
            self.dropped += u64::try_from(lost).unwrap_or(u64::MAX);
        }
    }

    /// Forgets output that was not sent; for a new or ended subscription.
    pub fn clear_output(&mut self) {
        self.output.clear();
        self.output_bytes = 0;
        self.dropped = 0;
    }

    pub fn is_empty(&self) -> bool {
        self.start.is_none()
            && self.changed.is_none()
            && self.settled.is_none()
            && self.exited.is_none()
            && self.output.is_empty()
    }

    /// The next thing to tell: the start, output, then what it did to the screen, the end last.
    pub fn pop(&mut self) -> Option<Push> {
        if let Some(start) = self.start.take() {
            return Some(start);
        }
        if let Some(bytes) = self.output.pop_front() {
            self.output_bytes -= bytes.len();
            return Some(Push::Output { bytes, dropped: std::mem::take(&mut self.dropped) });
        }
        if let Some(clock) = self.changed.take() {
            return Some(Push::Changed { clock });
        }
        if let Some(observation) = self.settled.take() {
            return Some(Push::Settled(observation));
        }
        self.exited.take().map(|(exit, observation)| Push::Exited { exit, observation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(frame: u64) -> WireClock {
        WireClock {
            frame,
            content: 0,
            output_bytes: 0,
            unchanged_ms: 0,
            quiet_ms: 0,
            synchronized_update: false,
        }
    }

    #[test]
    fn only_the_newest_change_is_told() {
        let mut queue = PushQueue::default();
        queue.push(Push::Changed { clock: clock(1) });
        queue.push(Push::Changed { clock: clock(2) });
        assert!(matches!(queue.pop(), Some(Push::Changed { clock }) if clock.frame == 2));
        assert!(queue.pop().is_none() && queue.is_empty());
    }

    #[test]
    fn output_is_cut_from_the_front_and_counted() {
        let mut queue = PushQueue::default();
        let sent = OUTPUT_QUEUE_BYTES + 3 * OUTPUT_CHUNK_BYTES;
        for _ in 0..sent / 1_024 {
            queue.push_output(&[b'x'; 1_024]);
        }
        queue.push_output(b"the end");
        let (mut kept, mut lost, mut last) = (0, 0, Vec::new());
        while let Some(Push::Output { bytes, dropped }) = queue.pop() {
            kept += bytes.len();
            lost += usize::try_from(dropped).unwrap();
            last = bytes;
        }
        assert_eq!(kept + lost, sent + 7);
        assert!(kept <= OUTPUT_QUEUE_BYTES && lost >= 3 * OUTPUT_CHUNK_BYTES);
        assert!(last.ends_with(b"the end"));
    }

    #[test]
    fn the_start_comes_first_and_output_before_the_change_it_made() {
        let mut queue = PushQueue::default();
        queue.push(Push::Changed { clock: clock(1) });
        queue.push(Push::Output { bytes: vec![1], dropped: 4 });
        queue.push(Push::Started { child_pid: 9 });
        assert!(matches!(queue.pop(), Some(Push::Started { child_pid: 9 })));
        assert!(matches!(queue.pop(), Some(Push::Output { dropped: 4, .. })));
        assert!(matches!(queue.pop(), Some(Push::Changed { .. })));
    }
}
