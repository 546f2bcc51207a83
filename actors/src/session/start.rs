//! From a worker's link to a running session actor.

use std::sync::Arc;

use actix::{Actor, Addr, AsyncContext, Context};
use futures_util::stream::poll_fn;
use tokio::sync::watch;
use worker::Link;

use super::actor::SessionActor;
use super::handle::Session;
use super::info::Info;
use super::machine::State;
use super::view::View;
use crate::classifier::Classifier;
use crate::session_limits::RELOOK_FIRST;
use crate::records::Records;

/// Starts the actor on the current arbiter. The worker's pushes become its stream, whose end
/// means that the worker is gone.
pub fn start(info: Info, link: Link, records: Records, classifier: Addr<Classifier>) -> Session {
    let info = Arc::new(info);
    let (view, seen) = watch::channel(View::new(info.created_ms));
    let requests = link.requests.clone();
    let mut pushes = link.pushes;
    let actor = SessionActor::create(|ctx: &mut Context<SessionActor>| {
        ctx.add_stream(poll_fn(move |task| pushes.poll_recv(task)));
        SessionActor {
            info: Arc::clone(&info),
            state: State::Created,
            link: link.requests,
            view,
            records: records.clone(),
            classifier,
            waiting_for_end: Vec::new(),
            look_timer: None,
            kill_timer: None,
            relook: RELOOK_FIRST,
            unsettled_since_ms: None,
            detached: false,
        }
    });
    Session::new(info, actor, requests, seen, records)
}
