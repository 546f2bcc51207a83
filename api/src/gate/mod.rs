//! The one door to every handler: token, role, content type, body, query — in this order, so
//! that nobody without a token learns more than that one is needed.

mod auth;
mod body;
mod edge;
mod headers;
mod hosts;

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use actors::{Caller, Role, System};
use policy::outgoing::Wrap;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::watch;

use crate::budget::CallBudget;
use crate::input;
use crate::metrics::Metrics;
use crate::problem::{Code, Problem};
use crate::route::{Access, Route, Verb};

pub use edge::{RequestId, edge};
pub use headers::{idempotency_key, prefer_wait};
pub use hosts::Hosts;

/// What all requests share.
#[derive(Clone)]
pub struct Shared {
    pub system: System,
    pub hosts: Arc<Hosts>,
    pub foreground: Option<std::time::Duration>,
    pub metrics: Arc<Metrics>,
    pub budget: Arc<CallBudget>,
    /// Becomes true when the server stops; streams end then.
    pub stopping: watch::Receiver<bool>,
}

/// A request that has passed the gate.
pub struct Request {
    pub shared: Shared,
    pub id: String,
    /// `None` on public routes only.
    caller: Option<Caller>,
    pub http: HttpRequest,
    pub body: web::Bytes,
    /// Checked against the route's schema.
    pub query: Value,
    /// The raw stream, for the WebSocket.
    pub payload: Option<web::Payload>,
}

impl Request {
    /// Who asks.
    ///
    /// # Errors
    /// `unauthenticated` on a public route, which must not ask.
    pub fn caller(&self) -> Result<&Caller, Problem> {
        self.caller.as_ref().ok_or_else(|| Problem::new(Code::Unauthenticated, "no token"))
    }

    /// A placeholder of the path.
    #[must_use]
    pub fn part(&self, name: &str) -> String {
        self.http.match_info().query(name).to_owned()
    }

    /// # Errors
    /// Never for a query that passed the gate, unless its schema says less than its type.
    pub fn query<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_json::from_value(self.query.clone())
            .map_err(|error| Problem::new(Code::InvalidValue, format!("query: {error}")))
    }

    /// Viewer and admin tokens may ask for a bare screen: `Accept: application/json; wrap=none`.
    #[must_use]
    pub fn wrap(&self) -> Wrap {
        let trusted = self.caller.as_ref().is_some_and(|caller| match caller.role {
            Role::Viewer | Role::Admin => true,
            Role::Agent => false,
        });
        if trusted && headers::asks_for_bare_screen(&self.http) {
            Wrap::None
        } else {
            Wrap::Untrusted
        }
    }
}

/// Takes a request through the gate to its handler.
///
/// # Errors
/// The problem to answer with.
pub async fn dispatch(
    route: &'static Route,
    http: HttpRequest,
    payload: web::Payload,
    shared: web::Data<Shared>,
) -> Result<HttpResponse, Problem> {
    let shared = shared.get_ref().clone();
    let caller = match route.access {
        Access::Public => None,
        Access::Token | Access::Viewer | Access::Admin => {
            let caller = auth::caller(&shared.system, &http).await?;
            auth::admit(route, &caller)?;
            Some(caller)
        }
    };
    let id = http.extensions().get::<RequestId>().map_or_else(String::new, |id| id.0.clone());
    let (body, payload) = match route.verb {
        Verb::Get => (web::Bytes::new(), Some(payload)),
        Verb::Post => {
            headers::require_json(&http)?;
            (body::read(&http, payload).await?, None)
        }
    };
    let query = match route.query {
        Some(schema) => input::query(&schema(), http.query_string())?,
        None => Value::Null,
    };
    let request = Request { shared, id, caller, http, body, query, payload };
    (route.handler)(request).await
}

/// A path that exists, with a method it does not have.
#[must_use]
pub fn wrong_method(method: &Method, path: &str, routes: &[&'static Route]) -> Problem {
    let methods = routes.iter().flat_map(|route| route.methods());
    let allow = methods.map(|method| method.to_string()).collect::<Vec<_>>().join(", ");
    let problem = Problem::new(Code::UnsupportedAction, format!("{path} does not take {method}"))
        .with_status(405)
        .hint(format!("Use {allow}."));
    Problem { allow: Some(allow), ..problem }
}

/// A path that does not exist. Below `/v1` only a token learns even that.
///
/// # Errors
/// Always.
pub async fn no_such_path(
    http: HttpRequest,
    shared: web::Data<Shared>,
) -> Result<HttpResponse, Problem> {
    if http.path().starts_with("/v1") {
        auth::caller(&shared.system, &http).await?;
    }
    Err(Problem::new(Code::NotFound, "there is no such route")
        .hint("GET /openapi.json lists every route."))
}
