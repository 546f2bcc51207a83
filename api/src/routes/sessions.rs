//! Sessions for reading: list, one, screen.

use actix_web::HttpResponse;
use actors::session_types as inner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gate::Request;
use crate::problem::{Code, Problem};
use crate::route::{Reply, Route};
use crate::schema;
use crate::tools::{Format, ScreenMembers, StatusMembers, status_members};
use crate::wire::{self, BackendName, Drive, SessionState};

pub const ROUTES: &[Route] = &[
    Route::get("/v1/sessions", "Sessions the caller may see", |request| Box::pin(list(request)))
        .tag("sessions")
        .reply(Reply::Json(schema::output::<Sessions>)),
    Route::get("/v1/sessions/{id}", "One session and why it is in its state", |request| {
        Box::pin(one(request))
    })
    .tag("sessions")
    .reply(Reply::Json(schema::output::<One>))
    .problems(&[Code::NotFound, Code::Recovering]),
    Route::get("/v1/sessions/{id}/screen", "The rendered screen", |request| {
        Box::pin(screen(request))
    })
    .tag("sessions")
    .query(schema::input::<ScreenQuery>)
    .reply(Reply::Json(schema::output::<ScreenMembers>))
    .problems(&[Code::NotFound, Code::Recovering]),
];

#[derive(Debug, Serialize, JsonSchema)]
struct Sessions {
    sessions: Vec<Session>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Session {
    session_id: String,
    allow_id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    agent_id: String,
    session_key: String,
    state: SessionState,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    alive: bool,
    created_at: String,
    last_activity_at: String,
    interactions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    drive: Option<Drive>,
}

impl From<inner::Summary> for Session {
    fn from(summary: inner::Summary) -> Self {
        Self {
            session_id: summary.session_id,
            allow_id: summary.allow_id,
            name: summary.name,
            project: summary.project,
            agent_id: summary.agent_id,
            session_key: summary.session_key,
            state: summary.state.into(),
            reason: summary.reason,
            kind: summary.kind,
            alive: summary.alive,
            created_at: summary.created_at,
            last_activity_at: summary.last_activity_at,
            interactions: summary.interactions,
            drive: summary.drive.map(Into::into),
        }
    }
}

/// What `terminal_session_status` says, and whose the session is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct One {
    session_id: String,
    allow_id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    agent_id: String,
    session_key: String,
    alive: bool,
    created_at: String,
    cols: u16,
    rows: u16,
    backend: BackendName,
    limits: Limits,
    #[serde(flatten)]
    status: StatusMembers,
}

/// How much of its caps the session has used.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Limits {
    wall_clock_ms: u64,
    interactions: u64,
    requests: u64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScreenQuery {
    /// How cells become text.
    format: Option<Format>,
}

async fn list(request: Request) -> Result<HttpResponse, Problem> {
    let sessions = request.shared.system.list(request.caller()?).await?;
    let sessions = sessions.into_iter().map(Into::into).collect();
    Ok(HttpResponse::Ok().json(Sessions { sessions }))
}

async fn one(request: Request) -> Result<HttpResponse, Problem> {
    let status = request.shared.system.status(request.caller()?, &request.part("id")).await?;
    let session = status.session.clone();
    Ok(HttpResponse::Ok().json(One {
        session_id: session.session_id,
        allow_id: session.allow_id,
        name: session.name,
        project: session.project,
        agent_id: session.agent_id,
        session_key: session.session_key,
        alive: session.alive,
        created_at: session.created_at,
        cols: status.cols,
        rows: status.rows,
        backend: status.backend.into(),
        limits: Limits {
            wall_clock_ms: wire::millis(status.limits.wall_clock),
            interactions: status.limits.interactions,
            requests: status.limits.requests,
        },
        status: status_members(status),
    }))
}

async fn screen(request: Request) -> Result<HttpResponse, Problem> {
    let query: ScreenQuery = request.query()?;
    let read = inner::Read {
        format: query.format.unwrap_or_default().into(),
        scrollback: 0,
        mode: None,
        since_frame: None,
        wrap: request.wrap(),
    };
    let reply = request.shared.system.read(request.caller()?, &request.part("id"), read).await?;
    Ok(HttpResponse::Ok().json(ScreenMembers::from(reply)))
}
