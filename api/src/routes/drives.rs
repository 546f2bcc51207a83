//! Promoted drives: sessions whose task outlived a wait. A drive has its session's id.

use actix_web::HttpResponse;
use actors::drive::DriveInfo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{self, Waiting};
use crate::gate::Request;
use crate::input;
use crate::limits::INTEGER_MAX;
use crate::problem::{Code, Problem};
use crate::route::{Reply, Route};
use crate::schema;
use crate::tools::Answer;

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
    .reply(Reply::Json(|| serde_json::json!({ "type": "object" })))
    .problems(&[Code::NotFound]),
    Route::post("/v1/drives/{id}/usage", "Report what the drive has spent", |request| {
        Box::pin(usage(request))
    })
    .tag("drives")
    .body(schema::input::<Usage>)
    .reply(Reply::Json(schema::output::<Spent>))
    .problems(&[Code::NotFound, Code::UnsupportedAction]),
];

#[derive(Debug, Serialize, JsonSchema)]
struct Drives {
    drives: Vec<Drive>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Drive {
    session_id: String,
    agent_id: String,
    session_key: String,
    state: &'static str,
    promoted_at: String,
    cost_usd: f64,
}

impl From<DriveInfo> for Drive {
    fn from(drive: DriveInfo) -> Self {
        Self {
            session_id: drive.session_id,
            agent_id: drive.owner.agent_id,
            session_key: drive.owner.session_key,
            state: drive.state,
            promoted_at: drive.promoted_at,
            cost_usd: drive.cost_usd,
        }
    }
}

/// Either costUsd, or model with inputTokens and outputTokens.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
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

/// What the drive has spent by now.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Spent {
    session_id: String,
    cost_usd: f64,
}

async fn list(request: Request) -> Result<HttpResponse, Problem> {
    let drives = request.shared.system.drives(request.caller()?).await;
    let drives = drives.into_iter().map(Into::into).collect();
    Ok(HttpResponse::Ok().json(Drives { drives }))
}

async fn one(request: Request) -> Result<HttpResponse, Problem> {
    let id = request.part("id");
    let drives = request.shared.system.drives(request.caller()?).await;
    let found = drives.into_iter().find(|drive| drive.session_id == id);
    let drive = found.ok_or_else(|| {
        Problem::new(Code::NotFound, "there is no such drive")
            .hint("A session becomes a drive when its task outlives a wait; GET /v1/drives.")
    })?;
    Ok(HttpResponse::Ok().json(Drive::from(drive)))
}

/// As it stands in its file: fingerprints, enums and counts.
async fn journal(request: Request) -> Result<HttpResponse, Problem> {
    let system = &request.shared.system;
    let journal = system.drive_journal(request.caller()?, &request.part("id")).await?;
    Ok(HttpResponse::Ok().content_type("application/json").body(journal.to_json()))
}

async fn usage(request: Request) -> Result<HttpResponse, Problem> {
    let system = request.shared.system.clone();
    let caller = request.caller()?.clone();
    let (id, body) = (request.part("id"), request.body.clone());
    let work = Box::pin(async move {
        let usage: Usage = input::typed(&schema::input::<Usage>(), input::json(&body)?)?;
        let total = system.drive_usage(&caller, &id, amount(&usage)?).await?;
        Answer::json(200, &Spent { session_id: id, cost_usd: total })
    });
    call::run(&request, "drives.usage", Waiting::Always, work).await
}

/// Tokens would need a table of prices, which the service does not have.
fn amount(usage: &Usage) -> Result<f64, Problem> {
    if let Some(usd) = usage.cost_usd {
        return Ok(usd);
    }
    let Some(model) = &usage.model else { return Err(Problem::missing("costUsd")) };
    for (field, tokens) in
        [("inputTokens", usage.input_tokens), ("outputTokens", usage.output_tokens)]
    {
        if tokens.is_none() {
            return Err(Problem::missing(field));
        }
    }
    let detail = format!("no price is known for the model `{model}`");
    Err(Problem::new(Code::UnsupportedAction, detail).hint("Report the spend as costUsd."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: serde_json::Value) -> Result<f64, Problem> {
        amount(&input::typed(&schema::input::<Usage>(), body)?)
    }

    #[test]
    fn spend_is_an_amount_or_tokens_of_a_model() {
        use serde_json::json;
        assert_eq!(read(json!({ "costUsd": 0.25 })).expect("an amount").to_string(), "0.25");
        let field = |body| read(body).expect_err("refused").field;
        assert_eq!(field(json!({})).as_deref(), Some("costUsd"));
        assert_eq!(field(json!({ "costUsd": -1 })).as_deref(), Some("costUsd"));
        assert_eq!(
            field(json!({ "model": "m", "inputTokens": 1 })).as_deref(),
            Some("outputTokens")
        );
        let tokens = json!({ "model": "m", "inputTokens": 1, "outputTokens": 2 });
        assert_eq!(read(tokens).expect_err("no price").code, Code::UnsupportedAction);
    }
}
