//! JSON Schema (2020-12) of our wire types. The same schema is published and enforced: what
//! `input::check` refuses is what a client can read in the catalogue.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// Makes one schema; a function pointer, so that tables of types can be constants.
pub type SchemaOf = fn() -> Value;

/// Self-contained schema of a type that is read from a request.
#[must_use]
pub fn input<T: JsonSchema>() -> Value {
    make::<T>(SchemaSettings::draft2020_12())
}

/// Self-contained schema of a type that is written to a response.
#[must_use]
pub fn output<T: JsonSchema>() -> Value {
    make::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn make<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .with_transform(Plain);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    if schema.get("type").and_then(Value::as_str) == Some("object") {
        // Function-calling hosts expect the member even when a tool takes nothing.
        schema.ensure_object().entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    schema.into()
}

/// An optional member is absent, never `null`, and Rust's integer widths are not a client's
/// business.
#[derive(Debug, Clone)]
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        drop_null(schema);
        if schema.get("format").and_then(Value::as_str).is_some_and(|f| f.contains("int")) {
            schema.remove("format");
        }
        if schema.get("format").and_then(Value::as_str) == Some("double") {
            schema.remove("format");
        }
        transform_subschemas(self, schema);
    }
}

fn drop_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(names)) = schema.get_mut("enum") {
        names.retain(|name| !name.is_null());
    }
    let Some(Value::Array(branches)) = schema.get_mut("anyOf") else { return };
    branches.retain(|branch| branch.get("type").and_then(Value::as_str) != Some("null"));
    if let [Value::Object(only)] = branches.as_slice() {
        let only = only.clone();
        schema.remove("anyOf");
        for (name, value) in only {
            if schema.get(&name).is_none() {
                schema.insert(name, value);
            }
        }
    }
}
