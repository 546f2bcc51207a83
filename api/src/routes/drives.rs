//! Promoted drives: sessions whose task outlived a wait. A drive has its session's id.

use actix_web::HttpResponse;
use actors::session_types::Summary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{self, Waiting};
use crate::gate::Request;
use crate::limits::INTEGER_MAX;
use crate::problem::{Code, Problem};
use crate::route::{Reply, Route};
use crate::schema;
use crate::wire::SessionState;

pub const ROUTES: &[Route] = &[
    Route::get("/v1/drives", "Promoted drives", |request| Box::pin(list(request)))
        .tag("drives")
        .reply(Reply::Json(schema::output::<Drives>)),
    Route::get("/v1/drives/{id}", "One drive", |request| Box::pin(one(request)))
        .tag("drives")
        .reply(Reply::Json(schema::output::<Drive>))
        .problems(&[Code::NotFound]),
    Route::get("/v1/drives/{id}/journal", "What the drive remembers", |request| {
        Box::pin(journal(request))
    })
    .tag("drives")
    .reply(Reply::Json(schema::output::<Value>))
    .problems(&[Code::NotFound]),
    Route::post("/v1/drives/{id}/usage", "Report what the drive has spent", |request| {
        Box::pin(usage(request))
    })
    .tag("drives")
    .body(schema::input::<Usage>)
    .reply(Reply::Json(schema::output::<Value>))
    .problems(&[Code::NotFound]),
];

#[derive(Debug, Serialize, JsonSchema)]
struct Drives {
    drives: Vec<Drive>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Drive {
    session_id: String,
    allow_id: String,
    agent_id: String,
    name: String,
    state: &'static str,
    session_state: SessionState,
    #[serde(skip_serializing_if = "Option::is_none")]
    promoted_at: Option<String>,
    last_activity_at: String,
    interactions: u64,
    cost_usd: f64,
}

/// Either costUsd, or model with token counts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(dead_code)]
struct Usage {
    #[schemars(range(min = 0.0))]
    cost_usd: Option<f64>,
    #[schemars(length(min = 1, max = 128))]
    model: Option<String>,
    #[schemars(range(max = INTEGER_MAX))]
    input_tokens: Option<u64>,
    #[schemars(range(max = INTEGER_MAX))]
    output_tokens: Option<u64>,
}

fn drive(summary: Summary) -> Option<Drive> {
    let drive = summary.drive?;
    Some(Drive {
        session_id: summary.session_id,
        allow_id: summary.allow_id,
        agent_id: summary.agent_id,
        name: summary.name,
        state: drive.state,
        session_state: summary.state.into(),
        promoted_at: drive.promoted_at,
        last_activity_at: summary.last_activity_at,
        interactions: summary.interactions,
        cost_usd: drive.cost_usd,
    })
}

async fn drives(request: &Request) -> Result<Vec<Drive>, Problem> {
    let sessions = request.shared.system.list(request.caller()?).await?;
    Ok(sessions.into_iter().filter_map(drive).collect())
}

async fn find(request: &Request) -> Result<Drive, Problem> {
    let id = request.part("id");
    let found = drives(request).await?.into_iter().find(|drive| drive.session_id == id);
    found.ok_or_else(|| {
        Problem::new(Code::NotFound, "there is no such drive")
            .hint("A session becomes a drive when its task outlives a wait; GET /v1/drives.")
    })
}

async fn list(request: Request) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(Drives { drives: drives(&request).await? }))
}

async fn one(request: Request) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(find(&request).await?))
}

async fn journal(request: Request) -> Result<HttpResponse, Problem> {
    let drive = find(&request).await?;
    let detail = format!("the drive {} has no journal", drive.session_id);
    Err(Problem::new(Code::NotFound, detail))
}

async fn usage(request: Request) -> Result<HttpResponse, Problem> {
    request.json()?;
    let drive = find(&request).await?;
    let work = Box::pin(async move {
        let detail = format!("the drive {} takes no reports of spend", drive.session_id);
        Err(Problem::new(Code::UnsupportedAction, detail))
    });
    call::run(&request, "drives.usage", Waiting::Always, work).await
}
