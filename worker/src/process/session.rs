//! The one task that owns terminal, emulator and program.
//!
//! ```text
//! connections --requests--> session --bytes--> pty --> program
//!             <--replies---    |    <-output--
//!             <--pushes----    |
//!                          settle clock, life clock
//! ```
//!
//! It sleeps until a request, output, a child's end or the next deadline comes, handles a
//! bounded piece of it, and sleeps again. Nothing in here waits for anybody: a program that
//! floods, never reads or never ends cannot keep a request from its answer.

use std::sync::Arc;
use std::time::Instant;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::clock::now;
use crate::limits::{DRAIN_MAX, DRAIN_QUIET, KILL_POLL, PTY_READ_BYTES, PTY_TURN_BYTES};
use crate::process::conns::{ConnectionId, FromConnection, Outbox};
use crate::process::facts::{self, Sampler};
use crate::process::input::{Finished, InputQueue};
use crate::process::life::Life;
use crate::process::program::{Failure, Launched, Program, StartResult};
use crate::process::pty::{Pty, ReadOutcome};
use crate::process::screen::Screen;
use crate::process::settle::Due;
use crate::protocol::{Push, Reply, WireExit, WireFacts, WireObservation, WorkerSpec};

/// Who waits for the outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asker {
    pub connection: ConnectionId,
    pub request: u64,
}

/// Somebody waits until everything is dead.
#[derive(Debug)]
pub struct KillWait {
    pub asker: Asker,
    pub until: Instant,
}

pub struct Session {
    pub session_id: String,
    /// This process.
    pub worker: i32,
    pub worker_start_ticks: u64,
    pub screen: Screen,
    pub pty: Option<Pty>,
    /// The terminal still has something to say.
    pub reading: bool,
    pub input: InputQueue<Asker>,
    pub program: Program,
    /// The direct child, until it is reaped.
    pub launched: Option<i32>,
    pub starting: Option<JoinHandle<StartResult>>,
    /// The direct child ended before the start was confirmed.
    pub early_exit: Option<WireExit>,
    pub controller: Option<(ConnectionId, Arc<Outbox>)>,
    pub subscribed: bool,
    pub life: Life,
    pub kills: Vec<KillWait>,
    sampler: Sampler,
    pub buffer: Vec<u8>,
    pub last_read: Instant,
    /// The session is over.
    pub over: bool,
}

/// The signals a worker listens to; made before the first child can end.
pub struct Signals {
    children: Signal,
    terminate: Signal,
}

impl Signals {
    pub fn listen() -> std::io::Result<Self> {
        Ok(Self {
            children: signal(SignalKind::child())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }
}

impl Session {
    #[must_use]
    pub fn new(spec: &WorkerSpec) -> Self {
        let now = now();
        let worker = std::process::id().cast_signed();
        Self {
            session_id: spec.session_id.clone(),
            worker,
            worker_start_ticks: facts::proc::stat(worker).map_or(0, |stat| stat.started),
            screen: Screen::new(spec.cols, spec.rows, spec.scrollback_lines, spec.ring_bytes, now),
            pty: None,
            reading: false,
            input: InputQueue::default(),
            program: Program::Starting,
            launched: None,
            starting: None,
            early_exit: None,
            controller: None,
            subscribed: false,
            life: Life::new(spec.durable, now),
            kills: Vec::new(),
            sampler: Sampler::default(),
            buffer: vec![0; PTY_READ_BYTES],
            last_read: now,
            over: false,
        }
    }

    /// Takes over a program that was put on its terminal, or learns why it was not.
    pub fn launched(&mut self, launched: Result<Launched, Failure>) {
        match launched {
            Ok(Launched { pty, pid, starting }) => {
                self.pty = Some(pty);
                self.reading = true;
                self.launched = Some(pid);
                self.starting = Some(starting);
            }
            Err(failure) => self.failed(failure),
        }
    }

    pub async fn run(mut self, mut inbox: mpsc::Receiver<FromConnection>, mut signals: Signals) {
        while !self.over {
            let deadline = self.deadline();
            let sleep = tokio::time::sleep_until(deadline.unwrap_or_else(now).into());
            tokio::select! {
                Some(message) = inbox.recv() => self.on_message(message),
                _ = signals.children.recv() => self.on_child(),
                _ = signals.terminate.recv() => self.over = true,
                result = joined(&mut self.starting), if self.starting.is_some() => {
                    self.on_started(result);
                }
                () = readable(self.pty.as_ref()), if self.reading => self.on_readable(),
                () = writable(self.pty.as_ref()), if !self.input.is_empty() => self.flush_input(),
                () = sleep, if deadline.is_some() => {}
            }
            self.on_time();
        }
        self.farewell().await;
    }

    fn deadline(&self) -> Option<Instant> {
        let now = now();
        let drain = match &self.program {
            Program::Draining { since, .. } => {
                Some((*since + DRAIN_MAX).min(self.last_read.max(*since) + DRAIN_QUIET))
            }
            Program::Starting
            | Program::Running { .. }
            | Program::Failed(_)
            | Program::Exited(_) => None,
        };
        let kills = self.kills.iter().map(|wait| wait.until.min(now + KILL_POLL)).min();
        [
            self.screen.settle.deadline(),
            self.input.deadline(now),
            self.life.deadline(),
            drain,
            kills,
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn on_time(&mut self) {
        let now = now();
        if self.life.deadline().is_some_and(|at| now >= at) {
            self.over = true;
        }
        self.flush_input();
        let late = self.input.expire(now);
        self.written(late);
        if let Program::Draining { exit, since } = self.program {
            let quiet = now >= self.last_read.max(since) + DRAIN_QUIET;
            if !self.reading || quiet || now >= since + DRAIN_MAX {
                self.exited(exit);
            }
        }
        while let Some(due) = self.screen.settle.due(now) {
            match due {
                Due::Evaluate => self.screen.evaluate(now),
                Due::ReleaseSync => self.screen.release_sync(),
                Due::Changed => {
                    let clock = self.screen.clock(now);
                    self.push(|| Push::Changed { clock });
                }
                Due::Settled => self.push_settled(),
            }
        }
        self.check_kills(now);
    }

    fn on_readable(&mut self) {
        let mut turn = 0;
        while turn < PTY_TURN_BYTES {
            let Some(pty) = &self.pty else { return };
            match pty.read(&mut self.buffer) {
                ReadOutcome::Bytes(bytes) => {
                    turn += bytes;
                    self.took_output(bytes);
                }
                ReadOutcome::Empty => break,
                ReadOutcome::Ended => {
                    self.reading = false;
                    break;
                }
            }
        }
        self.flush_input();
    }

    fn took_output(&mut self, bytes: usize) {
        let now = now();
        self.last_read = now;
        let output = self.buffer.get(..bytes).unwrap_or_default();
        for reply in self.screen.output(output, now) {
            self.input.reply(reply);
        }
        if self.subscribed
            && let Some((_, outbox)) = &self.controller
        {
            outbox.push_output(output);
        }
    }

    pub fn flush_input(&mut self) {
        if self.input.is_empty() {
            return;
        }
        if let Some(pty) = &self.pty {
            let done = self.input.flush(&mut |bytes| pty.write(bytes));
            self.written(done);
        }
    }

    pub fn written(&mut self, done: Vec<Finished<Asker>>) {
        for Finished { asker, bytes_written, complete } in done {
            let bytes_written = u64::try_from(bytes_written).unwrap_or(u64::MAX);
            self.reply(asker, Ok(Reply::Written { bytes_written, complete }));
        }
    }

    /// A full look with the facts of this moment.
    pub fn observe(&mut self, history: Option<(u64, u32)>, tree: bool) -> Box<WireObservation> {
        let mut facts = match &self.pty {
            Some(pty) => {
                let root = self.program.root().unwrap_or(self.worker);
                facts::of_kernel(pty, root, tree.then_some(&mut self.sampler))
            }
            None => WireFacts::default(),
        };
        facts.exit = self.program.exit();
        self.screen.observe(facts, history, now())
    }

    pub fn push_settled(&mut self) {
        // Nobody to tell: the next daemon gets a full look when it comes.
        if self.controller.is_some() {
            let observation = self.observe(None, true);
            self.push(|| Push::Settled(observation));
        }
    }

    pub fn push(&self, push: impl FnOnce() -> Push) {
        if let Some((_, outbox)) = &self.controller {
            outbox.push(push());
        }
    }
}

async fn joined(
    starting: &mut Option<JoinHandle<StartResult>>,
) -> Result<StartResult, tokio::task::JoinError> {
    match starting {
        Some(handle) => handle.await,
        None => std::future::pending().await,
    }
}

async fn readable(pty: Option<&Pty>) {
    match pty {
        Some(pty) => pty.readable().await,
        None => std::future::pending().await,
    }
}

async fn writable(pty: Option<&Pty>) {
    match pty {
        Some(pty) => pty.writable().await,
        None => std::future::pending().await,
    }
}
