//! What each message does.

use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};

use super::actor::{CallsActor, elapsed, new_handle};
use super::machine::{Event, State};
use super::messages::{
    Abandon, Begin, CallError, Collect, Collected, Finish, HandOut, HandOutCall,
};
use super::rows::{self, Asked};
use crate::clock;
use crate::store::StoreError;

/// Calls that run at once: 200 waits on each of some 20 sessions.
const OPEN_MAX: usize = 4_096;
/// Rows on disk; a key lives for 24 hours.
const ROWS_MAX: u64 = 500_000;
/// The largest reply of a tool is far below (a screen of 64 KiB, as JSON).
const RESPONSE_BYTES_MAX: usize = 4 * 1024 * 1024;
const MAILBOX_MAX: usize = 8_192;
const PRUNE_EVERY: Duration = Duration::from_secs(30);

impl Actor for CallsActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(MAILBOX_MAX);
        ctx.run_interval(PRUNE_EVERY, Self::prune);
    }
}

impl Handler<Begin> for CallsActor {
    type Result = ();

    fn handle(&mut self, begin: Begin, ctx: &mut Self::Context) {
        if let Some(key) = &begin.key {
            let name = (begin.caller.token_id.clone(), key.key.clone());
            if let Some(handle) = self.keys.get(&name).cloned() {
                let asked = Asked {
                    owner: begin.caller.owner.clone(),
                    tool: begin.tool.clone(),
                    body_sha256: key.body_sha256,
                };
                let _ = begin.reply.send(self.join(&handle, asked));
                return;
            }
        }
        let full = self.open.len() >= OPEN_MAX || (begin.key.is_some() && self.rows >= ROWS_MAX);
        match new_handle() {
            Ok(handle) if !full => self.claim(begin, handle, ctx),
            Ok(_) => {
                let _ = begin.reply.send(Err(CallError::TooMany));
            }
            Err(error) => {
                let _ = begin.reply.send(Err(error));
            }
        }
    }
}

impl Handler<HandOutCall> for CallsActor {
    type Result = ();

    fn handle(&mut self, hand_out: HandOutCall, ctx: &mut Self::Context) {
        let HandOutCall { handle, reply } = hand_out;
        match self.open.get(&handle).map(|open| open.state) {
            Some(State::Running | State::Pending) => {
                let stored = move |stored: Result<(), StoreError>| {
                    let _ = reply.send(stored.map(|()| HandOut::Pending).map_err(Into::into));
                };
                self.step(&handle, Event::HandedOut, stored, ctx);
            }
            Some(State::Finished { .. } | State::Gone) | None => {
                let _ = reply.send(Ok(HandOut::Finished));
            }
        }
    }
}

impl Handler<Finish> for CallsActor {
    type Result = ();

    fn handle(&mut self, finish: Finish, ctx: &mut Self::Context) {
        let Finish { handle, response, reply } = finish;
        let bytes = response.body.len();
        let now_ms = clock::unix_ms();
        if bytes > RESPONSE_BYTES_MAX {
            self.step(&handle, Event::Abandoned { now_ms }, |_| {}, ctx);
            let _ = reply.send(Err(CallError::TooLarge { bytes }));
            return;
        }
        if let Some(open) = self.open.get_mut(&handle) {
            open.response = Some(response);
        }
        let stored = move |stored: Result<(), StoreError>| {
            let _ = reply.send(stored.map_err(Into::into));
        };
        self.step(&handle, Event::Finished { now_ms }, stored, ctx);
    }
}

impl Handler<Abandon> for CallsActor {
    type Result = ();

    fn handle(&mut self, abandon: Abandon, ctx: &mut Self::Context) {
        let now_ms = clock::unix_ms();
        self.step(&abandon.handle, Event::Abandoned { now_ms }, |_| {}, ctx);
    }
}

impl Handler<Collect> for CallsActor {
    type Result = ();

    fn handle(&mut self, collect: Collect, ctx: &mut Self::Context) {
        let Collect { caller, handle, reply } = collect;
        if let Some(open) = self.open.get_mut(&handle) {
            let answer = if !caller.may_see(&open.call.caller.owner) {
                Err(CallError::NotFound)
            } else if let Some(response) = &open.response {
                Ok(Collected::Finished(response.clone()))
            } else {
                let elapsed = elapsed(open.call.started_ms, clock::unix_ms());
                let tool = open.call.tool.clone();
                open.wait(None).map(|outcome| Collected::Running { tool, elapsed, outcome })
            };
            let _ = reply.send(answer);
            return;
        }
        let (store, now_ms) = (self.store.clone(), clock::unix_ms());
        let found = async move { store.read(move |tx| rows::by_handle(tx, &handle, now_ms)).await };
        ctx.spawn(found.into_actor(self).map(move |found, _, _| {
            let answer = match found {
                Err(error) => Err(error.into()),
                Ok(Some(known)) if caller.may_see(&known.owner) => {
                    known.response.map(Collected::Finished).ok_or(CallError::Interrupted)
                }
                Ok(Some(_) | None) => Err(CallError::NotFound),
            };
            let _ = reply.send(answer);
        }));
    }
}
