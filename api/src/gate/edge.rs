//! Around everything: request id, span, host check, panics, headers every answer has.

use std::panic::AssertUnwindSafe;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpResponse, ResponseError, web};
use futures_util::FutureExt;
use tracing::Instrument;

use super::Shared;
use crate::problem::{Code, Problem};

pub static REQUEST_ID: HeaderName = HeaderName::from_static("ttydrive-request-id");

/// Names a request in its answer, in a problem and in the log.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

impl RequestId {
    fn new() -> Self {
        let mut bytes = [0_u8; 8];
        // Without randomness an id is merely less telling; nothing relies on it being secret.
        let _ = getrandom::fill(&mut bytes);
        Self(format!("req_{}", hex::encode(bytes)))
    }
}

/// The outermost middleware.
///
/// # Errors
/// Never: a problem becomes a response here.
pub async fn edge(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let id = RequestId::new();
    request.extensions_mut().insert(id.clone());
    let span = tracing::info_span!(
        "request",
        requestId = %id.0,
        method = %request.method(),
        path = %request.path(),
    );
    let shared = request.app_data::<web::Data<Shared>>().cloned();
    let hosts = shared.as_ref().map(|shared| shared.hosts.clone());
    let refused = match hosts {
        Some(hosts) => hosts.check(request.uri().authority(), request.headers()).err(),
        None => Some(Problem::internal()),
    };
    let response = match refused {
        Some(problem) => request.into_response(answer(&problem, &id)),
        None => finish(caught(request, next, &id).instrument(span.clone()).await?, &id),
    };
    span.in_scope(|| tracing::debug!(status = response.status().as_u16(), "answered"));
    if let Some(shared) = shared {
        shared.metrics.answered(response.status().as_u16());
    }
    Ok(with_headers(response, &id))
}

/// A panic ends one request and is told as `internal`; the service lives on.
async fn caught(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    id: &RequestId,
) -> Result<ServiceResponse<BoxBody>, Error> {
    match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(result) => Ok(result?.map_into_boxed_body()),
        Err(_) => {
            tracing::error!("a handler panicked");
            Err(Problem::internal().with_request_id(&id.0).into())
        }
    }
}

/// A problem leaves with the id of its request; an error of the framework becomes a problem.
fn finish(response: ServiceResponse<BoxBody>, id: &RequestId) -> ServiceResponse<BoxBody> {
    let Some(error) = response.response().error() else { return response };
    let problem = match error.as_error::<Problem>() {
        Some(problem) => problem.clone(),
        None => foreign(response.status().as_u16(), &error.to_string()),
    };
    let answer = answer(&problem, id);
    response.into_response(answer)
}

fn foreign(status: u16, error: &str) -> Problem {
    match status {
        413 => Problem::new(Code::TooLarge, "the request is too large"),
        404 => Problem::new(Code::NotFound, "there is no such route"),
        400..=499 => {
            Problem::new(Code::InvalidValue, "the request is malformed").with_status(status)
        }
        _ => {
            tracing::error!(status, error, "the framework failed");
            Problem::internal()
        }
    }
}

fn answer(problem: &Problem, id: &RequestId) -> HttpResponse {
    tracing::debug!(requestId = %id.0, %problem, "refused");
    problem.clone().with_request_id(&id.0).error_response()
}

fn with_headers(
    mut response: ServiceResponse<BoxBody>,
    id: &RequestId,
) -> ServiceResponse<BoxBody> {
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id.0) {
        headers.insert(REQUEST_ID.clone(), value);
    }
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"),
        ("cache-control", "no-store"),
    ] {
        let name = HeaderName::from_static(name);
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use actix_web::dev::Service;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, init_service};
    use actix_web::{App, HttpResponse, web};

    use super::*;

    async fn broken() -> HttpResponse {
        panic!("a secret cause")
    }

    /// The part of `edge` behind the host check.
    async fn inside(
        request: ServiceRequest,
        next: Next<impl MessageBody + 'static>,
    ) -> Result<ServiceResponse<BoxBody>, Error> {
        caught(request, next, &RequestId("req_1".to_owned())).await
    }

    #[actix_web::test]
    async fn a_panic_is_an_internal_problem_without_its_cause() {
        let app = App::new().route("/", web::get().to(broken)).wrap(from_fn(inside));
        let app = init_service(app).await;
        let error = app.call(TestRequest::get().uri("/").to_request()).await.expect_err("caught");
        let response = error.error_response();
        assert_eq!(response.status(), 500);
        let body = actix_web::body::to_bytes(response.into_body()).await.expect("a body");
        let text = String::from_utf8_lossy(&body).into_owned();
        assert!(text.contains("\"internal\"") && text.contains("req_1"), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
}
