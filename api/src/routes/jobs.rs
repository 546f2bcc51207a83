//! Background jobs. Nothing starts one yet, so the list is empty and every id is unknown.

use actix_web::HttpResponse;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::problem::{Code, Problem};
use crate::route::{Reply, Route};
use crate::schema;

pub const ROUTES: &[Route] = &[
    Route::get("/v1/jobs", "Background jobs", |_| {
        Box::pin(async { Ok(HttpResponse::Ok().json(Jobs { jobs: Vec::new() })) })
    })
    .tag("jobs")
    .reply(Reply::Json(schema::output::<Jobs>)),
    Route::get("/v1/jobs/{id}", "One background job", |_| {
        Box::pin(async { Err(Problem::new(Code::NotFound, "there is no such job")) })
    })
    .tag("jobs")
    .reply(Reply::Json(schema::output::<Value>))
    .problems(&[Code::NotFound]),
];

#[derive(Debug, Serialize, JsonSchema)]
struct Jobs {
    jobs: Vec<Value>,
}
