//! The OpenAPI 3.1 document, made from the table of routes and the list of tools.

mod operation;
mod parts;

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::route::{Reply, Route};
use crate::routes;
use crate::tools;

static DOCUMENT: LazyLock<Value> = LazyLock::new(build);

/// The document; made once.
#[must_use]
pub fn document() -> &'static Value {
    &DOCUMENT
}

fn build() -> Value {
    let mut paths = Map::new();
    for route in routes::all() {
        if matches!(route.reply, Reply::Tool) && route.path.ends_with("tools/{name}") {
            for tool in tools::list() {
                let path = route.path.replace("{name}", tool.name);
                insert(&mut paths, &path, route, operation::tool(route, tool));
            }
        }
        insert(&mut paths, route.path, route, operation::plain(route));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "ttydrive",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Drive interactive terminal programs over HTTP",
            "description": "Every error is an application/problem+json document with a stable \
                `code` and a `hint`. Every answer carries the header Ttydrive-Request-Id.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "bearer": [] }],
        "paths": paths,
        "components": parts::components(),
    })
}

fn insert(paths: &mut Map<String, Value>, path: &str, route: &Route, operation: Value) {
    let entry = paths.entry(path.to_owned()).or_insert_with(|| json!({}));
    if let Some(methods) = entry.as_object_mut() {
        methods.insert(route.verb.as_str().to_ascii_lowercase(), operation);
    }
}
