//! The live view: first a snapshot, then output bytes.
//!
//! These are the program's own bytes, neither redacted nor wrapped, so only a human's token
//! (viewer, admin) may look. An agent reads the screen.

use actix_web::{HttpResponse, web};
use actix_ws::{CloseCode, CloseReason, Message, Session};
use actors::LiveStream;
use futures_util::StreamExt;
use tokio::sync::watch;

use crate::gate::Request;
use crate::metrics::{Counted, Open};
use crate::problem::{Code, Problem};
use crate::route::{Access, Reply, Route};

pub const ROUTES: &[Route] = &[Route::get(
    "/v1/sessions/{id}/live",
    "WebSocket: a snapshot of the screen, then output bytes",
    |request| Box::pin(live(request)),
)
.access(Access::Viewer)
.tag("sessions")
.reply(Reply::WebSocket)
.problems(&[Code::NotFound, Code::Recovering, Code::InvalidValue])];

async fn live(mut request: Request) -> Result<HttpResponse, Problem> {
    let upgrade = request.http.headers().get("Upgrade").and_then(|value| value.to_str().ok());
    if !upgrade.is_some_and(|value| value.eq_ignore_ascii_case("websocket")) {
        return Err(Problem::invalid("Upgrade", "this route is a WebSocket")
            .with_status(426)
            .hint("Connect with a WebSocket client; GET /v1/sessions/{id}/screen is plain."));
    }
    let stream = request.shared.system.live(request.caller()?, &request.part("id")).await?;
    let payload = request.payload.take().ok_or_else(Problem::internal)?;
    let (response, session, messages) =
        actix_ws::handle(&request.http, payload).map_err(|error| {
            Problem::invalid("Upgrade", format!("the WebSocket handshake failed: {error}"))
        })?;
    let open = request.shared.metrics.open(Open::LiveStream);
    let stopping = request.shared.stopping.clone();
    actix_rt::spawn(pump(session, messages, stream, stopping, open));
    Ok(response)
}

/// Until either side has had enough.
async fn pump(
    mut session: Session,
    mut messages: actix_ws::MessageStream,
    mut stream: LiveStream,
    mut stopping: watch::Receiver<bool>,
    _open: Counted,
) {
    if session.binary(std::mem::take(&mut stream.snapshot)).await.is_err() {
        return;
    }
    let reason = loop {
        tokio::select! {
            output = stream.output.recv() => match output {
                Some(bytes) => {
                    if session.binary(web::Bytes::from(bytes)).await.is_err() {
                        return;
                    }
                }
                None => break close(CloseCode::Normal, "the session has ended"),
            },
            message = messages.next() => match message {
                Some(Ok(Message::Ping(bytes))) => {
                    if session.pong(&bytes).await.is_err() {
                        return;
                    }
                }
                Some(Ok(Message::Text(_) | Message::Binary(_) | Message::Continuation(_))) => {
                    break close(CloseCode::Policy, "input needs the takeover lease");
                }
                Some(Ok(Message::Pong(_) | Message::Nop)) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            _ = stopping.wait_for(|stopping| *stopping) => {
                break close(CloseCode::Away, "the service stops");
            }
        }
    };
    // The peer may be gone already.
    let _ = session.close(Some(reason)).await;
}

fn close(code: CloseCode, description: &str) -> CloseReason {
    CloseReason { code, description: Some(description.to_owned()) }
}
