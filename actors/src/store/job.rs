//! One piece of work for a store thread, with the caller's reply slot.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::StoreError;

pub(super) trait Job: Send {
    /// Does the work. The reply is held back until `settle`.
    fn run(&mut self, connection: &Connection) -> Result<(), StoreError>;
    /// Answers the caller: with its own failure, else with `committed`.
    fn settle(self: Box<Self>, committed: Result<(), StoreError>);
}

pub(super) struct Typed<T, F> {
    work: Option<F>,
    outcome: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Typed<T, F>
where
    T: Send + 'static,
    F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
{
    pub(super) fn new(work: F) -> (Box<Self>, oneshot::Receiver<Result<T, StoreError>>) {
        let (reply, answer) = oneshot::channel();
        let job = Self { work: Some(work), outcome: None, reply };
        (Box::new(job), answer)
    }
}

impl<T, F> Job for Typed<T, F>
where
    T: Send + 'static,
    F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
{
    fn run(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let Some(work) = self.work.take() else {
            return Err(StoreError::Stopped);
        };
        // A panic in one caller's closure must not end the thread that serves all.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(connection)))
            .unwrap_or_else(|_| Err(StoreError::Database("a store job panicked".to_owned())));
        match outcome {
            Ok(value) => {
                self.outcome = Some(Ok(value));
                Ok(())
            }
            Err(error) => {
                self.outcome = Some(Err(error.clone()));
                Err(error)
            }
        }
    }

    fn settle(self: Box<Self>, committed: Result<(), StoreError>) {
        let answer = match (self.outcome, committed) {
            (Some(Err(error)), _) | (_, Err(error)) => Err(error),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => Err(StoreError::Stopped),
        };
        // The caller may have gone; what was committed stays.
        let _ = self.reply.send(answer);
    }
}
