//! How a session begins, ends, and takes everything along.

use std::time::{Duration, Instant};

use crate::clock::now;
use crate::limits::{FAREWELL_MAX, KILL_MAX, KILL_POLL};
use crate::process::kill;
use crate::process::program::{self, Failure, Program, StartResult};
use crate::process::session::Session;
use crate::protocol::{Push, Reply, WireExit};

impl Session {
    pub fn on_started(&mut self, result: Result<StartResult, tokio::task::JoinError>) {
        self.starting = None;
        match result {
            Ok((guard, Ok(started))) => {
                self.push(|| Push::Started { child_pid: started.program_pid });
                self.program = Program::Running { started, guard };
                // Whoever waited for the start has not looked at earlier reports.
                self.screen.settle.output(now());
                if let Some(exit) = self.early_exit.take() {
                    self.ended(exit);
                }
            }
            Ok((_, Err(error))) => self.failed(error.into()),
            Err(error) => self.failed(Failure::internal(error)),
        }
    }

    pub fn failed(&mut self, failure: Failure) {
        let _ = kill::everything(self.worker, None);
        let Failure { kind, message, hint } = failure.clone();
        self.push(|| Push::SpawnFailed { kind, message, hint });
        self.program = Program::Failed(failure);
        self.close_terminal();
    }

    pub fn on_child(&mut self) {
        if let Some(exit) = program::reap(self.launched) {
            self.launched = None;
            if self.starting.is_some() {
                self.early_exit = Some(exit);
            } else {
                self.ended(exit);
            }
        }
    }

    /// The direct child was reaped; the jail knows how the program itself ended.
    pub fn ended(&mut self, own: WireExit) {
        if let Program::Running { guard, .. } = &mut self.program {
            let exit = guard.exit().map_or(own, WireExit::from);
            let since = now();
            self.last_read = since;
            self.program = Program::Draining { exit, since };
        }
    }

    /// All output is read: tell it.
    pub fn exited(&mut self, exit: WireExit) {
        // What it left behind ends with it, in a jail and without one.
        let _ = kill::everything(self.worker, None);
        self.program = Program::Exited(exit);
        self.close_terminal();
        let observation = self.observe(None, false);
        self.push(|| Push::Exited { exit, observation });
    }

    pub fn close_terminal(&mut self) {
        self.reading = false;
        self.pty = None;
        self.screen.end();
        self.buffer = Vec::new();
        self.life.ended(now());
        let unwritten = self.input.abandon();
        self.written(unwritten);
    }

    pub fn check_kills(&mut self, now: Instant) {
        if self.kills.is_empty() {
            return;
        }
        let gone = kill::everything(self.worker, None) == 0 && !self.program.is_alive();
        let told = matches!(self.program, Program::Exited(_) | Program::Failed(_));
        for wait in std::mem::take(&mut self.kills) {
            if (gone && told) || now >= wait.until {
                let reply = Reply::Signalled { alive: !gone, exit: self.program.exit() };
                self.reply(wait.asker, Ok(reply));
            } else {
                self.kills.push(wait);
            }
        }
    }

    /// Ends everything and gives the last words a moment to be heard.
    pub async fn farewell(mut self) {
        let until = now() + KILL_MAX;
        while kill::everything(self.worker, None) > 0 && now() < until {
            tokio::time::sleep(KILL_POLL).await;
            let _ = program::reap(self.launched);
        }
        if let Some((_, outbox)) = self.controller.take() {
            outbox.close();
            let until = now() + FAREWELL_MAX;
            while !outbox.is_drained() && now() < until {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    }
}
