//! The list of routes is one table: the server registers it, the gate enforces it, and the
//! OpenAPI document prints it.

use actix_web::HttpResponse;
use actix_web::http::Method;
use futures_util::future::LocalBoxFuture;

use crate::gate::Request;
use crate::problem::{Code, Problem};
use crate::schema::SchemaOf;

pub type Handled = LocalBoxFuture<'static, Result<HttpResponse, Problem>>;
pub type Handler = fn(Request) -> Handled;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Get,
    Post,
}

impl Verb {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// Who may come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// No token; says nothing but what everybody may know.
    Public,
    /// Any valid token; what it may see or call is decided further in.
    Token,
    /// Sees what all agents do.
    Viewer,
    Admin,
}

/// What a route answers when all is well.
#[derive(Clone, Copy)]
pub enum Reply {
    Json(SchemaOf),
    /// Some other content type.
    Text(&'static str),
    EventStream,
    WebSocket,
    /// A tool's own reply; the document lists every tool as a path of its own.
    Tool,
}

/// One row.
pub struct Route {
    pub verb: Verb,
    /// With `{name}` placeholders.
    pub path: &'static str,
    pub access: Access,
    pub tag: &'static str,
    pub summary: &'static str,
    pub query: Option<SchemaOf>,
    pub body: Option<SchemaOf>,
    pub reply: Reply,
    /// Problems beyond those every route of its kind has.
    pub problems: &'static [Code],
    pub handler: Handler,
}

impl Route {
    /// Probes ask public routes with HEAD.
    #[must_use]
    pub fn methods(&self) -> Vec<Method> {
        match (self.verb, self.access) {
            (Verb::Get, Access::Public) => vec![Method::GET, Method::HEAD],
            (Verb::Get, Access::Token | Access::Viewer | Access::Admin) => vec![Method::GET],
            (Verb::Post, _) => vec![Method::POST],
        }
    }

    #[must_use]
    pub const fn get(path: &'static str, summary: &'static str, handler: Handler) -> Self {
        Self {
            verb: Verb::Get,
            path,
            access: Access::Token,
            tag: "service",
            summary,
            query: None,
            body: None,
            reply: Reply::Text("text/plain"),
            problems: &[],
            handler,
        }
    }

    #[must_use]
    pub const fn post(path: &'static str, summary: &'static str, handler: Handler) -> Self {
        Self { verb: Verb::Post, ..Self::get(path, summary, handler) }
    }

    #[must_use]
    pub const fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    #[must_use]
    pub const fn tag(mut self, tag: &'static str) -> Self {
        self.tag = tag;
        self
    }

    #[must_use]
    pub const fn query(mut self, schema: SchemaOf) -> Self {
        self.query = Some(schema);
        self
    }

    #[must_use]
    pub const fn body(mut self, schema: SchemaOf) -> Self {
        self.body = Some(schema);
        self
    }

    #[must_use]
    pub const fn reply(mut self, reply: Reply) -> Self {
        self.reply = reply;
        self
    }

    #[must_use]
    pub const fn problems(mut self, problems: &'static [Code]) -> Self {
        self.problems = problems;
        self
    }
}
