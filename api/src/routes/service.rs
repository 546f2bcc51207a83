//! Liveness, readiness, metrics. The first two say nothing but their state.

use actix_web::HttpResponse;
use actors::Readiness;
use serde_json::json;

use crate::gate::Request;
use crate::metrics::gauge;
use crate::problem::Problem;
use crate::route::{Access, Reply, Route};

pub const ROUTES: &[Route] = &[
    Route::get("/healthz", "Whether the process answers", |request| {
        Box::pin(async move { health(&request) })
    })
    .access(Access::Public)
    .reply(Reply::Json(state_schema)),
    Route::get("/readyz", "Whether recovery has finished (503 until then)", |request| {
        Box::pin(async move { ready(&request) })
    })
    .access(Access::Public)
    .reply(Reply::Json(state_schema)),
    Route::get("/metrics", "Counters in Prometheus' text format", |request| {
        Box::pin(metrics(request))
    })
    .access(Access::Admin)
    .reply(Reply::Text("text/plain; version=0.0.4")),
];

fn state_schema() -> serde_json::Value {
    json!({
        "type": "object",
        "properties": { "status": { "type": "string" } },
        "required": ["status"],
    })
}

fn health(_: &Request) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(json!({ "status": "ok" })))
}

fn ready(request: &Request) -> Result<HttpResponse, Problem> {
    let readiness = request.shared.system.readiness();
    let body = json!({ "status": word(readiness) });
    Ok(if readiness == Readiness::Ready {
        HttpResponse::Ok().json(body)
    } else {
        HttpResponse::ServiceUnavailable().insert_header(("Retry-After", "1")).json(body)
    })
}

fn word(readiness: Readiness) -> &'static str {
    match readiness {
        Readiness::Booting => "booting",
        Readiness::Recovering => "recovering",
        Readiness::Ready => "ready",
        Readiness::Draining => "draining",
        Readiness::Stopped => "stopped",
    }
}

async fn metrics(request: Request) -> Result<HttpResponse, Problem> {
    let mut text = request.shared.metrics.text();
    let sessions = request.shared.system.list(request.caller()?).await.unwrap_or_default();
    let alive = sessions.iter().filter(|session| session.alive).count();
    let dead = sessions.len() - alive;
    let log = request.shared.system.event_log().await;
    for (name, help, value) in [
        ("ttydrive_sessions_alive", "Sessions whose program runs.", alive as u64),
        ("ttydrive_sessions_ended", "Sessions that are still readable.", dead as u64),
        ("ttydrive_events_last_id", "The id of the last event.", log.last_id.unsigned_abs()),
        ("ttydrive_events_subscribers", "Readers of the event log.", log.subscribers as u64),
        ("ttydrive_events_waiting", "Events on their way to the disk.", log.waiting as u64),
        ("ttydrive_events_lost", "Events that could not be stored.", log.lost),
        ("ttydrive_events_cut_off", "Readers that were too slow.", log.cut_off),
    ] {
        gauge(&mut text, name, help, value);
    }
    Ok(HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(text))
}
