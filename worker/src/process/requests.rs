//! What the daemon may ask of a session, and the answers.

use std::time::Duration;

use nix::sys::signal::Signal;

use crate::clock::now;
use crate::limits::{KILL_MAX, SESSION_COLS_MAX, SESSION_ROWS_MAX};
use crate::process::conns::{ConnectionId, Event, FromConnection};
use crate::process::input::Full;
use crate::process::kill;
use crate::process::program::Program;
use crate::process::session::{Asker, KillWait, Session};
use crate::protocol::{PROTOCOL_VERSION, Push, Refusal, RefusalKind, Reply, Request, WorkerHello};

type Answer = Result<Reply, Refusal>;

impl Session {
    pub fn on_message(&mut self, message: FromConnection) {
        let FromConnection { id, event } = message;
        match event {
            Event::Hello(outbox) => {
                outbox.greet(self.hello());
                if let Some((_, old)) = self.controller.replace((id, outbox)) {
                    old.close();
                }
                self.subscribed = false;
                self.life.connected();
                self.tell_state();
            }
            Event::OtherVersion(outbox) => {
                outbox.greet(self.hello());
                outbox.close();
            }
            Event::Request { id: request, body } => {
                let asker = Asker { connection: id, request };
                if self.is_controller(id)
                    && let Some(answer) = self.request(asker, body)
                {
                    self.reply(asker, answer);
                }
            }
            Event::Gone => {
                if self.is_controller(id) {
                    self.controller = None;
                    self.subscribed = false;
                    self.life.lost(now());
                }
            }
        }
    }

    fn is_controller(&self, id: ConnectionId) -> bool {
        self.controller.as_ref().is_some_and(|(controller, _)| *controller == id)
    }

    pub fn reply(&self, asker: Asker, answer: Answer) {
        if let Some((id, outbox)) = &self.controller
            && *id == asker.connection
        {
            outbox.reply(asker.request, answer);
        }
    }

    fn hello(&self) -> WorkerHello {
        WorkerHello {
            version: PROTOCOL_VERSION,
            session_id: self.session_id.clone(),
            worker_pid: self.worker,
            worker_start_ticks: self.worker_start_ticks,
            phase: self.program.phase(),
        }
    }

    /// A new daemon has missed what was pushed before it came.
    fn tell_state(&mut self) {
        match &self.program {
            Program::Exited(exit) => {
                let exit = *exit;
                let observation = self.observe(None, false);
                self.push(|| Push::Exited { exit, observation });
            }
            Program::Running { .. } => {
                if self.screen.settle.is_settled() {
                    self.push_settled();
                }
            }
            // Told when it happens, or said in the hello.
            Program::Starting | Program::Failed(_) | Program::Draining { .. } => {}
        }
    }

    /// `None` when the answer comes later.
    fn request(&mut self, asker: Asker, body: Request) -> Option<Answer> {
        match body {
            Request::Observe { history_from, history_max, with_tree } => {
                let history = history_from.map(|from| (from, history_max));
                Some(Ok(Reply::Observed(self.observe(history, with_tree))))
            }
            Request::Write { bytes, deadline_ms } => {
                self.write(asker, bytes, Duration::from_millis(deadline_ms))
            }
            Request::Resize { cols, rows } => Some(self.resize(cols, rows)),
            Request::Signal { signal, whole_tree } => self.signal(asker, signal, whole_tree),
            Request::SubscribeOutput { history_lines } => {
                let snapshot = self.screen.snapshot(history_lines);
                let size = self.screen.size();
                if let Some((_, outbox)) = &self.controller {
                    outbox.clear_output();
                }
                self.subscribed = true;
                Some(Ok(Reply::Subscribed { snapshot, cols: size.cols, rows: size.rows }))
            }
            Request::UnsubscribeOutput => {
                self.subscribed = false;
                if let Some((_, outbox)) = &self.controller {
                    outbox.clear_output();
                }
                Some(Ok(Reply::Done))
            }
            Request::Shutdown => {
                self.over = true;
                Some(Ok(Reply::Done))
            }
        }
    }

    fn write(&mut self, asker: Asker, bytes: Vec<u8>, wait: Duration) -> Option<Answer> {
        if !self.program.is_alive() || self.pty.is_none() {
            return Some(Err(not_running()));
        }
        match self.input.add(asker, bytes, now(), wait) {
            Ok(()) => {
                self.screen.settle.input();
                self.flush_input();
                None
            }
            Err((_, Full::TooLarge)) => {
                Some(Err(refusal(RefusalKind::InvalidValue, "one write is at most 1 MiB")))
            }
            Err((_, Full::TooMany)) => {
                Some(Err(refusal(RefusalKind::Busy, "earlier input still waits for the program")))
            }
        }
    }

    fn resize(&mut self, cols: u16, rows: u16) -> Answer {
        if !(1..=SESSION_COLS_MAX).contains(&cols) || !(1..=SESSION_ROWS_MAX).contains(&rows) {
            return Err(refusal(RefusalKind::InvalidValue, "no such size"));
        }
        let Some(pty) = self.pty.as_ref().filter(|_| self.program.is_alive()) else {
            return Err(not_running());
        };
        // The emulator first, so that what the program draws for the new size finds it.
        self.screen.resize(cols, rows, now());
        pty.resize(cols, rows)
            .map_err(|error| refusal(RefusalKind::Internal, &error.to_string()))?;
        Ok(Reply::Resized { cols, rows })
    }

    fn signal(&mut self, asker: Asker, signal: i32, whole_tree: bool) -> Option<Answer> {
        let Ok(signal) = Signal::try_from(signal) else {
            return Some(Err(refusal(RefusalKind::InvalidValue, "no such signal")));
        };
        if whole_tree && signal == Signal::SIGKILL {
            let _ = kill::everything(self.worker, self.program.root());
            // Answered when everything is gone.
            self.kills.push(KillWait { asker, until: now() + KILL_MAX });
            return None;
        }
        if let Program::Running { started, .. } = &self.program {
            let foreground = self.pty.as_ref().and_then(|pty| pty.foreground());
            let root = started.init_pid.unwrap_or(self.worker);
            kill::program(signal, started.program_pid, foreground, root);
        }
        Some(Ok(Reply::Signalled { alive: self.program.is_alive(), exit: self.program.exit() }))
    }
}

fn refusal(kind: RefusalKind, message: &str) -> Refusal {
    Refusal { kind, message: message.to_owned() }
}

fn not_running() -> Refusal {
    refusal(RefusalKind::NotRunning, "the program is not running")
}
