//! One operation of the document.

use serde_json::{Map, Value, json};

use super::parts;
use crate::problem::Code;
use crate::route::{Access, Reply, Route, Verb};
use crate::tools::{self, Entry, Pending};

/// An operation as its row says.
pub fn plain(route: &Route) -> Value {
    let body = route.body.map(|schema| schema());
    let body = body.or_else(|| any_object(route));
    let ok = match route.reply {
        Reply::Json(schema) => json!({ "200": parts::json("Success.", &schema()) }),
        Reply::Text(kind) => json!({ "200": {
            "description": "Success.",
            "headers": parts::answer_headers(),
            "content": { kind: { "schema": { "type": "string" } } },
        }}),
        Reply::EventStream => json!({ "200": parts::event_stream() }),
        Reply::WebSocket => json!({ "101": {
            "description": "A WebSocket: the first binary message repaints the screen, each \
                later one is output. Closes with a reason.",
        }}),
        Reply::Tool => json!({
            "200": parts::json("The tool's own reply.", &json!({ "type": "object" })),
            "202": pending(),
        }),
    };
    assemble(route, &id(route), route.summary, "", body, ok)
}

/// A tool call as a path of its own, with its own schemas.
pub fn tool(route: &Route, tool: &Entry) -> Value {
    let ok = json!({
        "200": parts::json("The reply.", &tool.output),
        "202": pending(),
    });
    let summary = tool.name.replace('_', " ");
    assemble(route, tool.name, &summary, tool.description, Some(tool.input.clone()), ok)
}

fn pending() -> Value {
    let schema = crate::schema::output::<Pending>();
    parts::json("Not finished within `Prefer: wait`; redeem the handle later.", &schema)
}

/// A POST without a schema of its own still takes one JSON object.
fn any_object(route: &Route) -> Option<Value> {
    (route.verb == Verb::Post).then(|| json!({ "type": "object" }))
}

fn assemble(
    route: &Route,
    id: &str,
    summary: &str,
    description: &str,
    body: Option<Value>,
    ok: Value,
) -> Value {
    let mut operation = Map::new();
    let mut put = |name: &str, value: Value| operation.insert(name.to_owned(), value);
    put("operationId", id.into());
    put("tags", json!([route.tag]));
    put("summary", summary.into());
    if !description.is_empty() {
        put("description", description.into());
    }
    if route.access == Access::Public {
        put("security", json!([]));
    }
    put("x-access", access(route.access).into());
    let is_tool = !description.is_empty();
    put("parameters", parameters(route, is_tool));
    if let Some(schema) = body {
        put(
            "requestBody",
            json!({ "required": true, "content": { "application/json": { "schema": schema } } }),
        );
    }
    let mut responses = ok.as_object().cloned().unwrap_or_default();
    if route.path == "/readyz" {
        let not_ready = responses.get("200").cloned().unwrap_or_default();
        responses.insert("503".to_owned(), not_ready);
    }
    for (status, response) in parts::problems(&codes(route), route.verb) {
        responses.insert(status, response);
    }
    put("responses", responses.into());
    operation.into()
}

fn access(access: Access) -> &'static str {
    match access {
        Access::Public => "public",
        Access::Token => "any token",
        Access::Viewer => "viewer or admin",
        Access::Admin => "admin",
    }
}

/// Codes of the row and those every route of its kind has.
fn codes(route: &Route) -> Vec<Code> {
    // A foreign Host is refused on every route.
    let mut codes = vec![Code::PermissionDenied, Code::Internal];
    if route.access != Access::Public {
        codes.extend([Code::Unauthenticated, Code::InvalidValue]);
    }
    if route.query.is_some() {
        codes.push(Code::InvalidValue);
    }
    if route.verb == Verb::Post {
        codes.extend([Code::InvalidValue, Code::TooLarge, Code::Conflict]);
    }
    if route.body.is_some() {
        codes.push(Code::MissingParam);
    }
    codes.extend(route.problems);
    codes.sort_by_key(|code| *code as usize);
    codes.dedup();
    codes
}

fn id(route: &Route) -> String {
    let mut id = route.verb.as_str().to_ascii_lowercase();
    for word in route.path.split(|c: char| !c.is_ascii_alphanumeric()) {
        if !word.is_empty() {
            id.push('_');
            id.push_str(word);
        }
    }
    id
}

fn parameters(route: &Route, concrete: bool) -> Value {
    let mut list = Vec::new();
    if !concrete {
        for name in placeholders(route.path) {
            list.push(json!({
                "name": name, "in": "path", "required": true, "schema": part(route),
            }));
        }
    }
    if let Some(schema) = route.query.map(|schema| schema()) {
        list.extend(query(&schema));
    }
    list.extend(parts::request_headers(route));
    list.into()
}

/// The tools have paths of their own in the document, with their own schemas, so the
/// placeholder stands for any other name.
fn part(route: &Route) -> Value {
    if matches!(route.reply, Reply::Tool) && route.verb == Verb::Post {
        let names: Vec<&str> = tools::list().iter().map(|tool| tool.name).collect();
        return json!({ "type": "string", "not": { "enum": names } });
    }
    json!({ "type": "string" })
}

fn placeholders(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

fn query(schema: &Value) -> Vec<Value> {
    let required = schema.get("required").and_then(Value::as_array);
    let members = schema.get("properties").and_then(Value::as_object);
    members
        .into_iter()
        .flatten()
        .map(|(name, member)| {
            let mut member = member.clone();
            let description = member.as_object_mut().and_then(|m| m.remove("description"));
            let mut parameter = json!({
                "name": name,
                "in": "query",
                "required": required.is_some_and(|names| names.contains(&json!(name))),
                "schema": member,
            });
            if let (Some(text), Some(parameter)) = (description, parameter.as_object_mut()) {
                parameter.insert("description".to_owned(), text);
            }
            parameter
        })
        .collect()
}
