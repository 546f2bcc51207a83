//! Handles of calls that answered pending.

use std::time::Duration;

use actix_web::HttpResponse;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call;
use crate::gate::Request;
use crate::problem::{Code, Problem};
use crate::route::{Reply, Route};
use crate::schema;
use crate::tools::{self, Context};

pub const ROUTES: &[Route] = &[Route::get(
    "/v1/calls/{handle}",
    "Collect the result of a call that answered pending",
    |request| Box::pin(collect(request)),
)
.tag("tools")
.query(schema::input::<CollectQuery>)
.reply(Reply::Tool)
.problems(&[Code::NotFound, Code::Conflict])];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CollectQuery {
    /// Seconds to wait for the result.
    #[schemars(range(min = 0, max = 45))]
    wait: Option<u64>,
}

async fn collect(request: Request) -> Result<HttpResponse, Problem> {
    let query: CollectQuery = request.query()?;
    let context = Context {
        system: request.shared.system.clone(),
        caller: request.caller()?.clone(),
        wrap: request.wrap(),
    };
    let wait = Duration::from_secs(query.wait.unwrap_or(0));
    let answer = tools::collect(&context, &request.part("handle"), wait).await?;
    Ok(call::respond(answer, None))
}
