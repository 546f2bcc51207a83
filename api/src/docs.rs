//! The OpenAPI document as HTML: no script, nothing fetched.

use serde_json::Value;

/// The content of the page.
#[must_use]
pub fn render(document: &Value) -> String {
    let text = |value: &Value, name: &str| {
        value.get(name).and_then(Value::as_str).map(escape).unwrap_or_default()
    };
    let none = Value::Null;
    let info = document.get("info").unwrap_or(&none);
    let mut out = format!(
        "<h1>{} <span class=\"soft\">{}</span></h1>\n<p>{}. {}</p>\n\
         <p>Machine-readable: <a href=\"/openapi.json\">openapi.json</a></p>\n",
        text(info, "title"),
        text(info, "version"),
        text(info, "summary"),
        text(info, "description"),
    );
    for tag in tags(document) {
        out += &format!("<h2>{}</h2>\n", escape(&tag));
        for (path, method, operation) in operations(document) {
            if tag_of(operation) == tag {
                out += &section(path, method, operation);
            }
        }
    }
    out += "<h2>Problem</h2>\n";
    if let Some(schema) = document.pointer("/components/schemas/Problem") {
        out += &block(schema);
    }
    out
}

fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document.get("paths").and_then(Value::as_object);
    paths.into_iter().flatten().flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

fn tag_of(operation: &Value) -> &str {
    operation.pointer("/tags/0").and_then(Value::as_str).unwrap_or("service")
}

fn tags(document: &Value) -> Vec<String> {
    let mut tags = Vec::new();
    for (_, _, operation) in operations(document) {
        let tag = tag_of(operation).to_owned();
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}

fn section(path: &str, method: &str, operation: &Value) -> String {
    let text =
        |name: &str| operation.get(name).and_then(Value::as_str).map(escape).unwrap_or_default();
    let mut out = format!(
        "<section><details><summary><code>{} {}</code> — {}</summary>\n",
        method.to_uppercase(),
        escape(path),
        text("summary"),
    );
    out += &format!("<p>{}</p>\n<p class=\"soft\">{}</p>\n", text("description"), text("x-access"));
    if let Some(list) = operation.get("parameters").and_then(Value::as_array) {
        out += &parameters(list);
    }
    if let Some(schema) = operation.pointer("/requestBody/content/application~1json/schema") {
        out += "<h3>Request body</h3>\n";
        out += &block(schema);
    }
    out += "<h3>Responses</h3>\n";
    for (status, response) in
        operation.get("responses").and_then(Value::as_object).into_iter().flatten()
    {
        let description = response.get("description").and_then(Value::as_str).unwrap_or_default();
        out += &format!("<p><code>{status}</code> {}</p>\n", escape(description));
        if let Some(schema) = response.pointer("/content/application~1json/schema") {
            out += &block(schema);
        }
    }
    out + "</details></section>\n"
}

fn parameters(list: &[Value]) -> String {
    let mut out = String::from("<table>\n");
    for parameter in list {
        let field = |name: &str| parameter.get(name).and_then(Value::as_str).unwrap_or_default();
        let name = match field("name") {
            "" => field("$ref").rsplit('/').next().unwrap_or_default(),
            name => name,
        };
        let place = if field("in").is_empty() { "header" } else { field("in") };
        out += &format!(
            "<tr><td><code>{}</code></td><td class=\"soft\">{}</td><td>{}</td></tr>\n",
            escape(name),
            escape(place),
            escape(field("description")),
        );
    }
    out + "</table>\n"
}

fn block(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    format!("<pre>{}</pre>\n", escape(&text))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
