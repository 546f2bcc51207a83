//! Bytes on their way to the program, one write at a time and in order.
//!
//! A terminal's reply to a query goes out before the next write but never into the middle of
//! one. The queue is bounded; each write knows its deadline and how much the kernel took.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use crate::limits::{
    INPUT_QUEUE_BYTES, INPUT_QUEUE_ITEMS, REPLY_QUEUE_BYTES, WRITE_DEADLINE_MAX, WRITE_RETRY,
};

/// One write, and for whom (`T`).
#[derive(Debug)]
struct Item<T> {
    bytes: Vec<u8>,
    written: usize,
    deadline: Instant,
    asker: T,
}

/// A write that is over.
#[derive(Debug, PartialEq, Eq)]
pub struct Finished<T> {
    pub asker: T,
    pub bytes_written: usize,
    pub complete: bool,
}

/// Why a write was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    TooLarge,
    TooMany,
}

#[derive(Debug)]
pub struct InputQueue<T> {
    items: VecDeque<Item<T>>,
    item_bytes: usize,
    replies: VecDeque<Vec<u8>>,
    reply_bytes: usize,
    /// How much of the first reply is out.
    reply_written: usize,
}

impl<T> Default for InputQueue<T> {
    fn default() -> Self {
        Self {
            items: VecDeque::new(),
            item_bytes: 0,
            replies: VecDeque::new(),
            reply_bytes: 0,
            reply_written: 0,
        }
    }
}

impl<T> InputQueue<T> {
    /// # Errors
    /// When it does not fit; the asker is given back.
    pub fn add(
        &mut self,
        asker: T,
        bytes: Vec<u8>,
        now: Instant,
        wait: Duration,
    ) -> Result<(), (T, Full)> {
        if bytes.len() > INPUT_QUEUE_BYTES {
            return Err((asker, Full::TooLarge));
        }
        if self.items.len() >= INPUT_QUEUE_ITEMS
            || self.item_bytes + bytes.len() > INPUT_QUEUE_BYTES
        {
            return Err((asker, Full::TooMany));
        }
        self.item_bytes += bytes.len();
        let deadline = now + wait.min(WRITE_DEADLINE_MAX);
        self.items.push_back(Item { bytes, written: 0, deadline, asker });
        Ok(())
    }

    pub fn reply(&mut self, bytes: Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        if self.reply_bytes + bytes.len() > REPLY_QUEUE_BYTES {
            return;
        }
        self.reply_bytes += bytes.len();
        self.replies.push_back(bytes);
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.replies.is_empty()
    }

    /// Hands bytes to `write` until it would block. An error other than that ends all writes.
    pub fn flush(
        &mut self,
        write: &mut impl FnMut(&[u8]) -> io::Result<usize>,
    ) -> Vec<Finished<T>> {
        let mut finished = Vec::new();
        loop {
            match self.step(write) {
                Ok(Step::Again) => {}
                Ok(Step::Done(done)) => finished.push(done),
                Ok(Step::Nothing) => return finished,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return finished,
                Err(_) => {
                    finished.extend(self.abandon());
                    return finished;
                }
            }
        }
    }

    fn step(&mut self, write: &mut impl FnMut(&[u8]) -> io::Result<usize>) -> io::Result<Step<T>> {
        let inside_item = self.items.front().is_some_and(|item| item.written > 0);
        if !inside_item && let Some(reply) = self.replies.front() {
            let rest = reply.get(self.reply_written..).unwrap_or_default();
            self.reply_written += some(write(rest)?)?;
            if self.reply_written >= reply.len() {
                self.reply_bytes -= reply.len();
                self.reply_written = 0;
                self.replies.pop_front();
            }
            return Ok(Step::Again);
        }
        let Some(item) = self.items.front_mut() else {
            return Ok(Step::Nothing);
        };
        if item.written < item.bytes.len() {
            let rest = item.bytes.get(item.written..).unwrap_or_default();
            item.written += some(write(rest)?)?;
        }
        if item.written < item.bytes.len() {
            return Ok(Step::Again);
        }
        Ok(self.finish_first().map_or(Step::Nothing, Step::Done))
    }

    fn finish_first(&mut self) -> Option<Finished<T>> {
        let item = self.items.pop_front()?;
        self.item_bytes -= item.bytes.len();
        Some(Finished {
            asker: item.asker,
            bytes_written: item.written,
            complete: item.written == item.bytes.len(),
        })
    }

    /// Writes whose deadline has passed, wherever they stand in line.
    pub fn expire(&mut self, now: Instant) -> Vec<Finished<T>> {
        let (late, rest): (VecDeque<_>, VecDeque<_>) =
            std::mem::take(&mut self.items).into_iter().partition(|item| item.deadline <= now);
        self.items = rest;
        late.into_iter()
            .map(|item| {
                self.item_bytes -= item.bytes.len();
                Finished { asker: item.asker, bytes_written: item.written, complete: false }
            })
            .collect()
    }

    /// The program is gone: everything ends as it stands.
    pub fn abandon(&mut self) -> Vec<Finished<T>> {
        self.replies.clear();
        self.reply_bytes = 0;
        self.reply_written = 0;
        std::iter::from_fn(|| self.finish_first()).collect()
    }

    /// When to try again or to expire, if the terminal does not say that it is ready before.
    #[must_use]
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        if self.is_empty() {
            return None;
        }
        let earliest = self.items.iter().map(|item| item.deadline).min();
        let retry = now + WRITE_RETRY;
        Some(earliest.map_or(retry, |deadline| deadline.min(retry)))
    }
}

enum Step<T> {
    Again,
    Done(Finished<T>),
    Nothing,
}

/// A terminal that takes nothing is full.
fn some(written: usize) -> io::Result<usize> {
    if written == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(written) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(1);

    /// A terminal with room for so many bytes.
    fn tty(room: usize, got: &mut Vec<u8>) -> impl FnMut(&[u8]) -> io::Result<usize> {
        let mut left = room;
        move |bytes| {
            let taken = left.min(bytes.len()).min(3);
            left -= taken;
            got.extend(bytes.iter().take(taken));
            Ok(taken)
        }
    }

    #[test]
    fn writes_go_in_order_and_are_answered_once() {
        let now = crate::clock::now();
        let mut queue = InputQueue::default();
        queue.add(1, b"first".to_vec(), now, LONG).unwrap();
        queue.add(2, Vec::new(), now, LONG).unwrap();
        queue.add(3, b"third".to_vec(), now, LONG).unwrap();
        let mut got = Vec::new();
        let done = queue.flush(&mut tty(100, &mut got));
        let wanted = [(1, 5), (2, 0), (3, 5)].map(|(asker, bytes_written)| Finished {
            asker,
            bytes_written,
            complete: true,
        });
        assert_eq!(done, wanted);
        assert_eq!(got, b"firstthird");
        assert!(queue.is_empty() && queue.deadline(now).is_none());
    }

    #[test]
    fn a_full_terminal_gives_honest_counts_at_the_deadline() {
        let now = crate::clock::now();
        let mut queue = InputQueue::default();
        queue.add(1, b"0123456789".to_vec(), now, LONG).unwrap();
        queue.add(2, b"behind".to_vec(), now, LONG * 2).unwrap();
        let mut got = Vec::new();
        assert!(queue.flush(&mut tty(4, &mut got)).is_empty());
        assert!(queue.expire(now).is_empty());
        let late = queue.expire(now + LONG);
        assert_eq!(late, [Finished { asker: 1, bytes_written: 4, complete: false }]);
        let done = queue.flush(&mut tty(9, &mut got));
        assert_eq!(done, [Finished { asker: 2, bytes_written: 6, complete: true }]);
        assert_eq!(got, b"0123behind");
    }

    #[test]
    fn a_reply_goes_before_the_next_write_but_not_into_one() {
        let now = crate::clock::now();
        let mut queue = InputQueue::default();
        queue.add(1, b"paste".to_vec(), now, LONG).unwrap();
        queue.add(2, b"next".to_vec(), now, LONG).unwrap();
        let mut got = Vec::new();
        queue.flush(&mut tty(2, &mut got));
        queue.reply(b"<reply>".to_vec());
        queue.flush(&mut tty(100, &mut got));
        assert_eq!(got, b"paste<reply>next");
    }

    #[test]
    fn the_queue_is_bounded() {
        let now = crate::clock::now();
        let mut queue = InputQueue::default();
        let huge = vec![0; INPUT_QUEUE_BYTES + 1];
        assert_eq!(queue.add(0, huge, now, LONG), Err((0, Full::TooLarge)));
        for asker in 0..INPUT_QUEUE_ITEMS {
            queue.add(asker, vec![0], now, LONG).unwrap();
        }
        assert_eq!(queue.add(9, vec![0], now, LONG), Err((9, Full::TooMany)));
        for _ in 0..REPLY_QUEUE_BYTES {
            queue.reply(vec![0; 2]);
        }
        let mut got = 0;
        queue.flush(&mut |bytes| {
            // Takes the replies only: they go before the first write.
            if bytes.len() == 1 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            got += bytes.len();
            Ok(bytes.len())
        });
        assert_eq!(got, REPLY_QUEUE_BYTES);
        assert_eq!(queue.abandon().len(), INPUT_QUEUE_ITEMS);
        assert!(queue.is_empty());
    }

    #[test]
    fn a_broken_terminal_ends_everything() {
        let now = crate::clock::now();
        let mut queue = InputQueue::default();
        queue.add(1, b"x".to_vec(), now, LONG).unwrap();
        let done = queue.flush(&mut |_| Err(io::Error::from_raw_os_error(5)));
        assert_eq!(done, [Finished { asker: 1, bytes_written: 0, complete: false }]);
    }
}
