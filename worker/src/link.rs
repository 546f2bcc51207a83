//! The daemon's side of one worker: ask, be told, know when it is gone.
//!
//! Two small tasks per link. One writes; one reads, hands replies to their askers and pushes
//! to the owner. A slow owner of `pushes` never delays a reply: what it did not take yet is
//! coalesced here. Every request is answered exactly once: by the worker, by its deadline, or
//! by the end of the link.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot};

use crate::codec::{CodecError, MessageReader, encode};
use crate::error::LinkError;
use crate::limits::{HELLO_TIMEOUT, LINK_PUSHES, LINK_QUEUE, LINK_REQUESTS_MAX};
use crate::protocol::{
    PROTOCOL_VERSION, Push, Refusal, Reply, Request, ToDaemon, ToWorker, WorkerHello,
};
use crate::push_queue::PushQueue;

/// A live connection to a worker.
#[derive(Debug)]
pub struct Link {
    pub requests: LinkSender,
    /// Closes when the worker or the connection is gone.
    pub pushes: mpsc::Receiver<Push>,
    /// With `worker_start_ticks` the identity of the process, as a descriptor keeps it.
    pub worker_pid: i32,
    pub worker_start_ticks: u64,
}

/// Asks the worker; cheap to clone. When all clones are dropped the link closes.
#[derive(Debug, Clone)]
pub struct LinkSender {
    queue: mpsc::Sender<Vec<u8>>,
    pending: Arc<Pending>,
}

type Answer = oneshot::Sender<Result<Reply, Refusal>>;

#[derive(Debug, Default)]
struct Pending {
    next_id: AtomicU64,
    /// `None` once the link is closed.
    waiting: Mutex<Option<HashMap<u64, Answer>>>,
}

impl Pending {
    fn with<T>(&self, work: impl FnOnce(&mut Option<HashMap<u64, Answer>>) -> T) -> T {
        work(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn close(&self) {
        // Dropping the senders tells every asker.
        self.with(Option::take);
    }
}

/// Forgets a request when its asker stops waiting, for whatever reason.
struct Waiting<'a> {
    pending: &'a Pending,
    id: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.pending.with(|waiting| waiting.as_mut().map(|map| map.remove(&self.id)));
    }
}

impl LinkSender {
    /// Asks and waits for the answer, at most until the deadline.
    ///
    /// # Errors
    /// When the worker refuses, does not answer in time, or is gone.
    pub async fn request(&self, request: Request, deadline: Duration) -> Result<Reply, LinkError> {
        let id = self.pending.next_id.fetch_add(1, Ordering::Relaxed);
        let message = encode(&ToWorker::Request { id, body: request })?;
        let (answer, answered) = oneshot::channel();
        self.pending.with(|waiting| match waiting {
            None => Err(LinkError::Closed),
            Some(map) if map.len() >= LINK_REQUESTS_MAX => Err(LinkError::Busy),
            Some(map) => {
                map.insert(id, answer);
                Ok(())
            }
        })?;
        let _waiting = Waiting { pending: &self.pending, id };
        let exchange = async {
            self.queue.send(message).await.map_err(|_| LinkError::Closed)?;
            answered.await.map_err(|_| LinkError::Closed)
        };
        match tokio::time::timeout(deadline, exchange).await {
            Err(_) => Err(LinkError::Timeout),
            Ok(Err(error)) => Err(error),
            Ok(Ok(Err(refusal))) => Err(LinkError::Refused(refusal)),
            Ok(Ok(Ok(reply))) => Ok(reply),
        }
    }

    /// Whether the link has ended.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.pending.with(|waiting| waiting.is_none())
    }
}

impl Link {
    /// Greets and starts the link's tasks on the current runtime.
    pub(crate) async fn open(stream: UnixStream) -> Result<(Self, WorkerHello), LinkError> {
        let (read, mut write) = stream.into_split();
        let mut reader = MessageReader::new(read);
        let greeting = async {
            let hello = encode(&ToWorker::Hello { version: PROTOCOL_VERSION })?;
            write.write_all(&hello).await.map_err(CodecError::Io)?;
            match reader.next().await? {
                Some(ToDaemon::Hello(hello)) => Ok(hello),
                Some(ToDaemon::Reply { .. } | ToDaemon::Push(_)) => Err(LinkError::Protocol(
                    CodecError::Malformed("the worker did not begin with a hello".to_owned()),
                )),
                None => Err(LinkError::Closed),
            }
        };
        let hello = tokio::time::timeout(HELLO_TIMEOUT, greeting)
            .await
            .map_err(|_| LinkError::Timeout)??;
        if hello.version != PROTOCOL_VERSION {
            return Err(LinkError::Version { theirs: hello.version });
        }
        let (queue, messages) = mpsc::channel(LINK_QUEUE);
        let (tell, pushes) = mpsc::channel(LINK_PUSHES);
        let pending = Arc::new(Pending::default());
        pending.with(|waiting| *waiting = Some(HashMap::new()));
        tokio::spawn(write_all(write, messages));
        tokio::spawn(read_all(reader, Arc::clone(&pending), tell));
        let link = Self {
            requests: LinkSender { queue, pending },
            pushes,
            worker_pid: hello.worker_pid,
            worker_start_ticks: hello.worker_start_ticks,
        };
        Ok((link, hello))
    }
}

/// Ends by itself when the last sender is dropped, which closes our half of the socket.
async fn write_all(mut socket: OwnedWriteHalf, mut messages: mpsc::Receiver<Vec<u8>>) {
    while let Some(message) = messages.recv().await {
        if socket.write_all(&message).await.is_err() {
            return;
        }
    }
}

async fn read_all(
    mut reader: MessageReader<OwnedReadHalf>,
    pending: Arc<Pending>,
    tell: mpsc::Sender<Push>,
) {
    let mut queue = PushQueue::default();
    loop {
        tokio::select! {
            message = reader.next::<ToDaemon>() => match message {
                Ok(Some(ToDaemon::Reply { id, body })) => {
                    let answer =
                        pending.with(|waiting| waiting.as_mut().and_then(|map| map.remove(&id)));
                    if let Some(answer) = answer {
                        // An asker that stopped waiting needs no answer.
                        let _ = answer.send(body);
                    }
                }
                Ok(Some(ToDaemon::Push(push))) => queue.push(push),
                Ok(Some(ToDaemon::Hello(_))) => {
                    tracing::warn!("worker link ends: a second hello");
                    break;
                }
                Ok(None) => break,
                Err(error) => {
                    tracing::warn!(%error, "worker link ends");
                    break;
                }
            },
            permit = tell.reserve(), if !queue.is_empty() => match permit {
                Ok(permit) => {
                    if let Some(push) = queue.pop() {
                        permit.send(push);
                    }
                }
                // Nobody listens any more; replies still matter.
                Err(_) => queue = PushQueue::default(),
            },
        }
    }
    pending.close();
    // What was told before the end is still worth knowing.
    while let Some(push) = queue.pop() {
        if tell.send(push).await.is_err() {
            return;
        }
    }
}
