//! Catalogue and tool calls.

use actix_web::HttpResponse;
use actors::{Readiness, clock};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{self, Waiting};
use crate::gate::Request;
use crate::input;
use crate::limits::RESTART_WAIT;
use crate::metrics::Open;
use crate::problem::{Code, Problem};
use crate::route::{Reply, Route};
use crate::schema;
use crate::tools::{self, Context, Entry, Shape};

pub const ROUTES: &[Route] = &[
    Route::get("/v1/tools", "The tools this caller may use", |request| {
        Box::pin(async move { catalogue(&request) })
    })
    .tag("tools")
    .query(schema::input::<CatalogueQuery>)
    .reply(Reply::Json(schema::output::<Catalogue>)),
    Route::post("/v1/tools/{name}", "Call a tool", |request| Box::pin(call(request)))
        .tag("tools")
        .reply(Reply::Tool)
        .problems(&[
            Code::InvalidValue,
            Code::MissingParam,
            Code::PermissionDenied,
            Code::ApprovalRequired,
            Code::NotFound,
            Code::Conflict,
            Code::UnsupportedAction,
            Code::RateLimited,
            Code::SandboxUnavailable,
            Code::Recovering,
        ]),
];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CatalogueQuery {
    /// The shape of the entries.
    format: Option<CatalogueFormat>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum CatalogueFormat {
    Native,
    Openai,
    Anthropic,
}

/// The shape of `format=native`; the others carry the same in function-calling shapes.
#[derive(Debug, Serialize, JsonSchema)]
struct Catalogue {
    tools: Vec<Value>,
}

fn catalogue(request: &Request) -> Result<HttpResponse, Problem> {
    let query: CatalogueQuery = request.query()?;
    let shape = match query.format {
        Some(CatalogueFormat::Openai) => Shape::Openai,
        Some(CatalogueFormat::Anthropic) => Shape::Anthropic,
        Some(CatalogueFormat::Native) | None => Shape::Native,
    };
    let settings = request.shared.system.settings();
    let caller = request.caller()?;
    let allowed =
        tools::list().iter().filter(|entry| tools::refusal(&settings, caller, entry).is_none());
    Ok(HttpResponse::Ok().json(tools::catalogue(allowed, shape)))
}

async fn call(request: Request) -> Result<HttpResponse, Problem> {
    let name = request.part("name");
    let Some(entry) = tools::find(&name) else {
        return Err(unknown(&name));
    };
    not_stopping(request.shared.system.readiness())?;
    let caller = request.caller()?.clone();
    if let Some(refusal) = tools::refusal(&request.shared.system.settings(), &caller, entry) {
        return Err(refusal.problem(entry.name));
    }
    within_budget(&request, entry)?;
    let context = Context { system: request.shared.system.clone(), caller, wrap: request.wrap() };
    let body = request.body.clone();
    let running = request.shared.metrics.open(Open::Call);
    let work = Box::pin(async move {
        let _running = running;
        let value = input::json(&body)?;
        entry.run(context, value).await
    });
    call::run(&request, entry.name, Waiting::Preferred, work).await
}

/// Redeeming a handle is part of the call it belongs to.
fn within_budget(request: &Request, entry: &Entry) -> Result<(), Problem> {
    let settings = request.shared.system.settings();
    let agent_id = &request.caller()?.owner.agent_id;
    let cap = settings.agents.get(agent_id).and_then(|a| a.budget.tool_calls_per_hour_max);
    match cap {
        Some(cap) if entry.name != "collect_result" => {
            request.shared.budget.take(agent_id, cap, clock::monotonic_ms().unsigned_abs())
        }
        Some(_) | None => Ok(()),
    }
}

/// A call that began now could be cut off in the middle.
fn not_stopping(readiness: Readiness) -> Result<(), Problem> {
    match readiness {
        Readiness::Booting | Readiness::Recovering | Readiness::Ready => Ok(()),
        Readiness::Draining | Readiness::Stopped => {
            let problem = Problem::new(Code::Recovering, "the service is stopping");
            Err(Problem { retry_after: Some(RESTART_WAIT), ..problem }
                .hint("Repeat the request when the service is back; /readyz tells."))
        }
    }
}

fn unknown(name: &str) -> Problem {
    let problem = Problem::new(Code::NotFound, "there is no such tool");
    let names = tools::list().iter().map(|entry| entry.name);
    match input::nearest(name, names) {
        Some(near) => problem.hint(format!("Did you mean `{near}`?")),
        None => problem.hint("GET /v1/tools lists the tools you may call."),
    }
}
