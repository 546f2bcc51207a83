//! Approvals: what waits for a human, and the human's word.

use actix_web::HttpResponse;
use actors::approvals::{ApprovalInfo, Decision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{self, Waiting};
use crate::gate::Request;
use crate::input;
use crate::problem::{Code, Problem};
use crate::route::{Access, Reply, Route};
use crate::schema;
use crate::tools::Answer;

pub const ROUTES: &[Route] = &[
    Route::get("/v1/approvals", "Pending approvals, oldest first", |request| {
        Box::pin(list(request))
    })
    .tag("approvals")
    .reply(Reply::Json(schema::output::<Approvals>)),
    Route::post("/v1/approvals/{id}", "Approve or deny", |request| Box::pin(decide(request)))
        .access(Access::Admin)
        .tag("approvals")
        .body(schema::input::<Decide>)
        .reply(Reply::Json(schema::output::<Decided>))
        .problems(&[Code::NotFound]),
];

#[derive(Debug, Serialize, JsonSchema)]
struct Approvals {
    approvals: Vec<Approval>,
}

/// The exact request that waits, with its fingerprint.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Approval {
    approval_id: String,
    kind: String,
    agent_id: String,
    session_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    request: Value,
    fingerprint: String,
    requested_at: String,
    expires_at: String,
}

impl From<ApprovalInfo> for Approval {
    fn from(info: ApprovalInfo) -> Self {
        Self {
            approval_id: info.id,
            kind: info.kind,
            agent_id: info.owner.agent_id,
            session_key: info.owner.session_key,
            session_id: info.session_id,
            request: info.summary,
            fingerprint: info.fingerprint,
            requested_at: info.requested_at,
            expires_at: info.expires_at,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Decide {
    decision: Word,
    /// Told to whoever asked.
    #[schemars(length(max = 1024))]
    note: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Word {
    Approve,
    Deny,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Decided {
    approval_id: String,
    decision: Word,
}

async fn list(request: Request) -> Result<HttpResponse, Problem> {
    let pending = request.shared.system.approvals(request.caller()?).await?;
    let approvals = pending.into_iter().map(Into::into).collect();
    Ok(HttpResponse::Ok().json(Approvals { approvals }))
}

async fn decide(request: Request) -> Result<HttpResponse, Problem> {
    let system = request.shared.system.clone();
    let caller = request.caller()?.clone();
    let id = request.part("id");
    let body = request.body.clone();
    let work = Box::pin(async move {
        let Decide { decision: word, note } =
            input::typed(&schema::input::<Decide>(), input::json(&body)?)?;
        let decision = match word {
            Word::Approve => Decision::Approve,
            Word::Deny => Decision::Deny,
        };
        system.decide(&caller, &id, decision, note).await?;
        Answer::json(200, &Decided { approval_id: id, decision: word })
    });
    call::run(&request, "approvals.decide", Waiting::Always, work).await
}
