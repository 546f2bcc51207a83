//! What the terminal says back, one entry per answered query, and what it did not answer.

use crate::limits::{REPLIES_MAX, UNANSWERED_MAX, UNANSWERED_NAME_BYTES_MAX};

#[derive(Debug, Default)]
pub(crate) struct Replies {
    queue: Vec<Vec<u8>>,
    unanswered: Vec<String>,
}

impl Replies {
    pub fn push(&mut self, reply: impl Into<Vec<u8>>) {
        if self.queue.len() < REPLIES_MAX {
            self.queue.push(reply.into());
        }
    }

    pub fn take(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.queue)
    }

    /// Remembers a query by name. The name comes from the program: printable, short, once.
    pub fn unanswered(&mut self, name: &str) {
        let name: String = name
            .chars()
            .map(|c| if c.is_control() { '?' } else { c })
            .take(UNANSWERED_NAME_BYTES_MAX / 4)
            .collect();
        if self.unanswered.len() < UNANSWERED_MAX && !self.unanswered.contains(&name) {
            self.unanswered.push(name);
        }
    }

    pub fn unanswered_names(&self) -> Vec<String> {
        self.unanswered.clone()
    }
}
