//! Pages and the document they render. No external request, no script, a strict policy.

use std::sync::LazyLock;

use actix_web::HttpResponse;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::docs;
use crate::openapi;
use crate::problem::Problem;
use crate::route::{Access, Reply, Route};

pub const ROUTES: &[Route] = &[
    Route::get("/openapi.json", "This document", |_| Box::pin(async { openapi() }))
        .access(Access::Public)
        .reply(Reply::Json(|| json!({ "type": "object" }))),
    Route::get("/docs", "This document as a page", |_| Box::pin(async { Ok(page(&DOCS)) }))
        .access(Access::Public)
        .reply(Reply::Text("text/html; charset=utf-8")),
    Route::get("/", "Where to go from here", |_| Box::pin(async { Ok(page(&HOME)) }))
        .access(Access::Public)
        .reply(Reply::Text("text/html; charset=utf-8")),
];

const STYLE: &str = include_str!("../pages/style.css");
const START: &str = include_str!("../pages/start.html");

static DOCS: LazyLock<String> =
    LazyLock::new(|| framed("ttydrive API", &docs::render(openapi::document())));
static HOME: LazyLock<String> = LazyLock::new(|| framed("ttydrive", START));
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let style = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
});

fn openapi() -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(openapi::document()))
}

fn page(text: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header(("Content-Security-Policy", POLICY.as_str()))
        .body(text)
}

fn framed(title: &str, content: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{content}\n\
         </main>\n</body>\n</html>\n"
    )
}
