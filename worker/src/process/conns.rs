//! Connections of the daemon: who is there, and what each is still to be told.
//!
//! One task reads and one writes per connection; the session owns the rest. A connection that
//! does not take what it is told costs a bounded amount of memory and nobody else's time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncWriteExt;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Notify, Semaphore, mpsc};

use crate::codec::{MessageReader, encode};
use crate::limits::{
    ACCEPT_RETRY, CONNECTION_INBOX, CONNECTION_REQUESTS_MAX, CONNECTIONS_MAX, HELLO_TIMEOUT,
};
use crate::process::log;
use crate::protocol::{
    PROTOCOL_VERSION, Push, Refusal, RefusalKind, Reply, Request, ToDaemon, ToWorker, WorkerHello,
};
use crate::push_queue::PushQueue;

pub type ConnectionId = u64;

/// What a connection tells the session.
#[derive(Debug)]
pub struct FromConnection {
    pub id: ConnectionId,
    pub event: Event,
}

#[derive(Debug)]
pub enum Event {
    /// It said hello in our version; it is to be greeted and from now on the daemon.
    Hello(Arc<Outbox>),
    /// It said hello in another version; it is to be greeted and closed.
    OtherVersion(Arc<Outbox>),
    Request {
        id: u64,
        body: Request,
    },
    Gone,
}

/// What one connection is still to be told.
#[derive(Debug, Default)]
pub struct Outbox {
    state: Mutex<OutboxState>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct OutboxState {
    /// Bounded by the requests a connection may have open.
    messages: VecDeque<Vec<u8>>,
    pushes: PushQueue,
    closed: bool,
}

impl Outbox {
    fn with<T>(&self, work: impl FnOnce(&mut OutboxState) -> T) -> T {
        let result = work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.wake.notify_one();
        result
    }

    pub fn greet(&self, hello: WorkerHello) {
        self.message(&ToDaemon::Hello(hello));
    }

    pub fn reply(&self, id: u64, body: Result<Reply, Refusal>) {
        self.message(&ToDaemon::Reply { id, body });
    }

    fn message(&self, message: &ToDaemon) {
        let encoded = encode(message).or_else(|error| match message {
            ToDaemon::Reply { id, .. } => {
                let refusal = Refusal { kind: RefusalKind::Internal, message: error.to_string() };
                encode(&ToDaemon::Reply { id: *id, body: Err(refusal) })
            }
            ToDaemon::Hello(_) | ToDaemon::Push(_) => Err(error),
        });
        if let Ok(bytes) = encoded {
            self.with(|state| state.messages.push_back(bytes));
        }
    }

    pub fn push(&self, push: Push) {
        self.with(|state| state.pushes.push(push));
    }

    pub fn push_output(&self, bytes: &[u8]) {
        self.with(|state| state.pushes.push_output(bytes));
    }

    pub fn clear_output(&self) {
        self.with(|state| state.pushes.clear_output());
    }

    /// Ends the connection once what is said so far is written.
    pub fn close(&self) {
        self.with(|state| state.closed = true);
    }

    /// Whether everything said is written or will never be.
    pub fn is_drained(&self) -> bool {
        self.with(|state| state.messages.is_empty() && state.pushes.is_empty())
    }

    /// The next bytes for the socket; `None` when the connection is to end.
    async fn next(&self) -> Option<(Vec<u8>, Kind)> {
        loop {
            match self.take() {
                Taken::Bytes(bytes) => return Some((bytes, Kind::Message)),
                Taken::Push(push) => match encode(&ToDaemon::Push(push)) {
                    Ok(bytes) => return Some((bytes, Kind::Push)),
                    Err(error) => log::line(&format!("a push was not sent: {error}")),
                },
                Taken::End => return None,
                Taken::Nothing => self.wake.notified().await,
            }
        }
    }

    fn take(&self) -> Taken {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = state.messages.pop_front() {
            return Taken::Bytes(bytes);
        }
        match state.pushes.pop() {
            Some(push) => Taken::Push(push),
            None if state.closed => Taken::End,
            None => Taken::Nothing,
        }
    }
}

enum Taken {
    Bytes(Vec<u8>),
    Push(Push),
    End,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Message,
    Push,
}

/// Takes connections for ever.
pub async fn serve(listener: UnixListener, inbox: mpsc::Sender<FromConnection>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut next_id: ConnectionId = 0;
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                log::line(&format!("accept: {error}"));
                tokio::time::sleep(ACCEPT_RETRY).await;
                continue;
            }
        };
        let own = nix::unistd::geteuid().as_raw();
        if !stream.peer_cred().is_ok_and(|peer| peer.uid() == own) {
            log::line("a connection of another user was refused");
            continue;
        }
        next_id += 1;
        let inbox = inbox.clone();
        let id = next_id;
        tokio::spawn(async move {
            converse(id, stream, inbox).await;
            drop(place);
        });
    }
}

async fn converse(id: ConnectionId, stream: UnixStream, inbox: mpsc::Sender<FromConnection>) {
    let (read, write) = stream.into_split();
    let outbox = Arc::new(Outbox::default());
    let open = Arc::new(Semaphore::new(CONNECTION_REQUESTS_MAX));
    let writer = write_out(write, Arc::clone(&outbox), Arc::clone(&open));
    let reader = read_in(id, read, &inbox, &outbox, &open);
    tokio::pin!(writer);
    tokio::select! {
        () = &mut writer => {}
        outcome = reader => {
            if let Err(complaint) = outcome {
                log::line(&format!("connection ends: {complaint}"));
            }
            outbox.close();
            // The other side may still read, for example why its hello was refused.
            let _ = tokio::time::timeout(HELLO_TIMEOUT, writer).await;
        }
    }
    let _ = inbox.send(FromConnection { id, event: Event::Gone }).await;
}

async fn write_out(mut socket: OwnedWriteHalf, outbox: Arc<Outbox>, open: Arc<Semaphore>) {
    while let Some((bytes, kind)) = outbox.next().await {
        if socket.write_all(&bytes).await.is_err() {
            return;
        }
        if kind == Kind::Message {
            open.add_permits(1);
        }
    }
}

async fn read_in(
    id: ConnectionId,
    socket: OwnedReadHalf,
    inbox: &mpsc::Sender<FromConnection>,
    outbox: &Arc<Outbox>,
    open: &Semaphore,
) -> Result<(), String> {
    let mut reader = MessageReader::new(socket);
    let hello = tokio::time::timeout(HELLO_TIMEOUT, reader.next::<ToWorker>())
        .await
        .map_err(|_| "no hello in time".to_owned())?;
    match hello.map_err(|error| error.to_string())? {
        Some(ToWorker::Hello { version }) if version == PROTOCOL_VERSION => {
            let event = Event::Hello(Arc::clone(outbox));
            if inbox.send(FromConnection { id, event }).await.is_err() {
                return Ok(());
            }
        }
        Some(ToWorker::Hello { version }) => {
            let event = Event::OtherVersion(Arc::clone(outbox));
            let _ = inbox.send(FromConnection { id, event }).await;
            // The session closes the outbox, which ends the conversation from the other side.
            tokio::time::sleep(HELLO_TIMEOUT).await;
            return Err(format!("it speaks protocol {version}, this worker {PROTOCOL_VERSION}"));
        }
        Some(ToWorker::Request { .. }) => return Err("a request before the hello".to_owned()),
        None => return Ok(()),
    }
    loop {
        // A place for the reply, given back when that is written.
        let Ok(place) = open.acquire().await else { return Ok(()) };
        place.forget();
        let event = match reader.next().await.map_err(|error| error.to_string())? {
            Some(ToWorker::Request { id, body }) => Event::Request { id, body },
            Some(ToWorker::Hello { .. }) => return Err("a second hello".to_owned()),
            None => return Ok(()),
        };
        if inbox.send(FromConnection { id, event }).await.is_err() {
            return Ok(());
        }
    }
}

/// The channel between connections and the session.
#[must_use]
pub fn inbox() -> (mpsc::Sender<FromConnection>, mpsc::Receiver<FromConnection>) {
    mpsc::channel(CONNECTION_INBOX)
}
