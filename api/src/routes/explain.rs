//! Why the service thinks that a session is in its state.

use actix_web::HttpResponse;
use actors::session_types as inner;
use policy::outgoing::Format;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{self, Waiting};
use crate::gate::Request;
use crate::input;
use crate::problem::{Code, Problem};
use crate::route::{Reply, Route};
use crate::schema;
use crate::tools::Answer;
use crate::wire::{Evidence, SessionState};

pub const ROUTES: &[Route] = &[Route::post(
    "/v1/explain",
    "The verdict on a session's screen, with its evidence",
    |request| Box::pin(explain(request)),
)
.tag("sessions")
.body(schema::input::<Explain>)
.reply(Reply::Json(schema::output::<Explained>))
.problems(&[Code::NotFound, Code::Recovering])];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Explain {
    #[schemars(length(min = 1, max = 64))]
    session_id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Explained {
    state: SessionState,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<&'static str>,
    /// The rule that fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    evidence: Vec<Evidence>,
    screen: String,
}

async fn explain(request: Request) -> Result<HttpResponse, Problem> {
    let system = request.shared.system.clone();
    let caller = request.caller()?.clone();
    let (body, wrap) = (request.body.clone(), request.wrap());
    let work = Box::pin(async move {
        let Explain { session_id } =
            input::typed(&schema::input::<Explain>(), input::json(&body)?)?;
        let read = inner::Read {
            format: Format::Text,
            scrollback: 0,
            mode: None,
            since_frame: None,
            wrap,
        };
        let status = system.status(&caller, &session_id).await?;
        let read = system.read(&caller, &session_id, read).await?;
        let verdict = status.classification.as_ref();
        Answer::json(
            200,
            &Explained {
                state: status.state.into(),
                confidence: verdict.map(|verdict| verdict.confidence.as_str()),
                reason: verdict.map(|verdict| verdict.reason.as_str()),
                kind: verdict.and_then(|verdict| verdict.kind).map(policy::Kind::as_str),
                evidence: status.evidence.into_iter().map(Into::into).collect(),
                screen: read.screen.as_str().to_owned(),
            },
        )
    });
    call::run(&request, "explain", Waiting::Always, work).await
}
