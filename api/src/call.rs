//! How a POST runs: once per idempotency key, in the background when the caller prefers.
//!
//! - Without a key and without `Prefer`, the work belongs to the connection and is dropped
//!   with it.
//! - With a key it runs to its end: the client that comes back gets the outcome.
//! - With `Prefer: wait=N` it belongs to the connection until the handle has been given out.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actors::calls::{CallStart, CallTicket, HandOut, IdempotencyKey, StoredResponse};
use futures_util::future::LocalBoxFuture;
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::gate::{Request, idempotency_key, prefer_wait};
use crate::problem::{CONTENT_TYPE, Problem};
use crate::tools::{Answer, Pending};

/// The work of a call; it owns what it needs.
pub type Work = LocalBoxFuture<'static, Result<Answer, Problem>>;

/// Whether `Prefer: wait` means something for this call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// A tool call.
    Preferred,
    /// Another POST; it is quick.
    Always,
}

/// Runs the work of a request under the rules above.
///
/// # Errors
/// A key that cannot be one or that was used for something else.
pub async fn run(
    request: &Request,
    name: &str,
    waiting: Waiting,
    work: Work,
) -> Result<HttpResponse, Problem> {
    let key = idempotency_key(&request.http)?;
    let asked = match waiting {
        Waiting::Preferred => prefer_wait(&request.http),
        Waiting::Always => None,
    };
    let patience = match waiting {
        Waiting::Preferred => asked.or(request.shared.foreground),
        Waiting::Always => None,
    };
    let answer = if key.is_none() && patience.is_none() {
        settle(work.await, &request.id)
    } else {
        tracked(request, name, key, patience, work).await?
    };
    Ok(respond(answer, asked))
}

async fn tracked(
    request: &Request,
    name: &str,
    key: Option<String>,
    patience: Option<Duration>,
    work: Work,
) -> Result<Answer, Problem> {
    let system = &request.shared.system;
    let caller = request.caller()?;
    let keyed = key.is_some();
    let key = key.map(|key| IdempotencyKey { key, body_sha256: digest(request) });
    match system.call_begin(caller, name, key, patience).await? {
        CallStart::Replay(stored) => Ok(stored.into()),
        CallStart::Pending { handle, tool } => pending(&handle, &tool),
        CallStart::Fresh(ticket) => {
            let handle = ticket.handle().to_owned();
            let mut running = start(request, ticket, work, keyed);
            let Some(patience) = patience else { return running.finished().await };
            match tokio::time::timeout(patience, running.finished()).await {
                Ok(answer) => answer,
                Err(_) => match system.call_hand_out(&handle).await {
                    Ok(HandOut::Pending) => {
                        running.outlives_connection();
                        pending(&handle, name)
                    }
                    // It has just finished, or the handle could not be stored: then the
                    // caller gets the outcome when it is there.
                    Ok(HandOut::Finished) | Err(_) => running.finished().await,
                },
            }
        }
    }
}

/// Work on its own task, ended with the connection unless told otherwise.
struct Running {
    task: JoinHandle<()>,
    answer: oneshot::Receiver<Answer>,
    bound_to_connection: bool,
}

fn start(request: &Request, ticket: CallTicket, work: Work, keyed: bool) -> Running {
    let system = request.shared.system.clone();
    let id = request.id.clone();
    let (tell, answer) = oneshot::channel();
    let span = tracing::Span::current();
    let body = async move {
        let outcome = settle(work.await, &id);
        let stored = StoredResponse {
            status: outcome.status,
            content_type: outcome.content_type.clone(),
            body: outcome.body.clone(),
        };
        if let Err(error) = system.call_finish(ticket, stored).await {
            tracing::error!(%error, "the outcome of a call could not be kept");
        }
        // Nobody may be waiting any more; the outcome is kept either way.
        let _ = tell.send(outcome);
    };
    let task = actix_rt::spawn(tracing::Instrument::instrument(body, span));
    Running { task, answer, bound_to_connection: !keyed }
}

impl Running {
    async fn finished(&mut self) -> Result<Answer, Problem> {
        (&mut self.answer).await.map_err(|_| {
            tracing::error!("a call ended without an outcome");
            Problem::internal()
        })
    }

    fn outlives_connection(&mut self) {
        self.bound_to_connection = false;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.bound_to_connection {
            self.task.abort();
        }
    }
}

/// A problem is an outcome like any other: it is stored and replayed with its request id.
fn settle(result: Result<Answer, Problem>, id: &str) -> Answer {
    match result {
        Ok(answer) => answer,
        Err(problem) => {
            let problem = problem.with_request_id(id);
            tracing::debug!(%problem, "refused");
            Answer {
                status: problem.status,
                content_type: CONTENT_TYPE.to_owned(),
                body: problem.to_json().to_string().into_bytes(),
                retry_after_secs: problem.retry_after_secs(),
            }
        }
    }
}

fn pending(handle: &str, tool: &str) -> Result<Answer, Problem> {
    Answer::json(202, &Pending::new(handle, tool, None))
}

/// The response of an answer; `asked` is the preference that was honoured.
#[must_use]
pub fn respond(answer: Answer, asked: Option<Duration>) -> HttpResponse {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut response = HttpResponse::build(status);
    response.content_type(answer.content_type);
    if let Some(secs) = answer.retry_after_secs {
        response.insert_header(("Retry-After", secs.to_string()));
    }
    if let Some(asked) = asked {
        response.insert_header(("Preference-Applied", format!("wait={}", asked.as_secs())));
    }
    response.body(answer.body)
}

/// The same key for another route, session key or body is another request.
fn digest(request: &Request) -> [u8; 32] {
    let mut hash = Sha256::new();
    let session_key = request.caller().map_or("", |caller| caller.owner.session_key.as_str());
    for part in [request.http.path().as_bytes(), session_key.as_bytes(), request.body.as_ref()] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
