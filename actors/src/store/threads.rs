//! The two threads of the store and the queues in front of them.

use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::mpsc;

use super::StoreError;
use super::job::{Job, Typed};

/// Jobs that may wait for one thread. Two seconds of the busiest load planned for (500 events
/// and 200 calls a second), before callers are held back.
const QUEUE_JOBS_MAX: usize = 1_024;
/// Jobs in one transaction: bounds how long the first of them waits for its commit.
const BATCH_JOBS_MAX: usize = 256;
/// How long a caller waits for a place in the queue before it is refused.
const QUEUE_WAIT_MAX: Duration = Duration::from_secs(5);

pub(super) struct Queue {
    jobs: mpsc::Sender<Box<dyn Job>>,
}

impl Queue {
    pub(super) async fn call<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (job, answer) = Typed::new(work);
        match self.jobs.send_timeout(job, QUEUE_WAIT_MAX).await {
            Ok(()) => answer.await.unwrap_or(Err(StoreError::Stopped)),
            Err(mpsc::error::SendTimeoutError::Timeout(_)) => Err(StoreError::Overloaded),
            Err(mpsc::error::SendTimeoutError::Closed(_)) => Err(StoreError::Stopped),
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }
}

pub(super) fn start_writer(connection: Connection) -> Result<Queue, StoreError> {
    start("store-writer", move |jobs| write_loop(&connection, jobs))
}

pub(super) fn start_reader(connection: Connection) -> Result<Queue, StoreError> {
    start("store-reader", move |mut jobs| {
        while let Some(mut job) = jobs.blocking_recv() {
            // The job keeps its own failure for the reply.
            let _ = job.run(&connection);
            job.settle(Ok(()));
        }
    })
}

fn start<L>(name: &str, body: L) -> Result<Queue, StoreError>
where
    L: FnOnce(mpsc::Receiver<Box<dyn Job>>) + Send + 'static,
{
    let (jobs, waiting) = mpsc::channel(QUEUE_JOBS_MAX);
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || body(waiting))
        .map_err(|e| StoreError::Database(format!("cannot start {name}: {e}")))?;
    Ok(Queue { jobs })
}

fn write_loop(connection: &Connection, mut jobs: mpsc::Receiver<Box<dyn Job>>) {
    while let Some(first) = jobs.blocking_recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH_JOBS_MAX
            && let Ok(next) = jobs.try_recv()
        {
            batch.push(next);
        }
        write_batch(connection, batch);
    }
}

/// One transaction for all jobs. A failing job is undone alone, unless SQLite gave up the
/// whole transaction (full disk): then everybody before it is told so, and the rest get a
/// transaction of their own.
fn write_batch(connection: &Connection, batch: Vec<Box<dyn Job>>) {
    let mut in_transaction: Vec<Box<dyn Job>> = Vec::with_capacity(batch.len());
    for mut job in batch {
        if in_transaction.is_empty()
            && let Err(error) = begin(connection)
        {
            job.settle(Err(error));
            continue;
        }
        let ran = run_in_savepoint(connection, job.as_mut());
        if connection.is_autocommit() {
            let error = ran.err().unwrap_or(StoreError::DiskFull);
            settle_all(in_transaction.drain(..), &Err(error.clone()));
            job.settle(Err(error));
            continue;
        }
        in_transaction.push(job);
    }
    if !in_transaction.is_empty() {
        let committed = commit(connection);
        settle_all(in_transaction.into_iter(), &committed);
    }
}

fn settle_all(jobs: impl Iterator<Item = Box<dyn Job>>, committed: &Result<(), StoreError>) {
    for job in jobs {
        job.settle(committed.clone());
    }
}

fn begin(connection: &Connection) -> Result<(), StoreError> {
    if !connection.is_autocommit() {
        // A commit that failed and could not be rolled back; try once more.
        connection.execute_batch("ROLLBACK")?;
    }
    Ok(connection.execute_batch("BEGIN IMMEDIATE")?)
}

fn run_in_savepoint(connection: &Connection, job: &mut dyn Job) -> Result<(), StoreError> {
    connection.execute_batch("SAVEPOINT job")?;
    let ran = job.run(connection);
    if !connection.is_autocommit() {
        if ran.is_err() {
            connection.execute_batch("ROLLBACK TO job")?;
        }
        connection.execute_batch("RELEASE job")?;
    }
    ran
}

fn commit(connection: &Connection) -> Result<(), StoreError> {
    let committed = connection.execute_batch("COMMIT").map_err(StoreError::from);
    if committed.is_err() && !connection.is_autocommit() {
        // Nothing of a failed batch may come back with a later one.
        let _ = connection.execute_batch("ROLLBACK");
    }
    committed
}
