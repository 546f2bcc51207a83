//! The catalogue in its own shape and in the two function-calling shapes.

use serde_json::{Value, json};

use super::Entry;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Native,
    Openai,
    Anthropic,
}

/// The catalogue of these tools.
#[must_use]
pub fn catalogue<'a>(entries: impl Iterator<Item = &'a Entry>, shape: Shape) -> Value {
    let one = match shape {
        Shape::Native => native,
        Shape::Openai => openai,
        Shape::Anthropic => anthropic,
    };
    json!({ "tools": entries.map(one).collect::<Vec<_>>() })
}

fn native(entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "description": entry.description,
        "inputSchema": entry.input,
        "outputSchema": entry.output,
        "annotations": {
            "readOnly": entry.annotations.read_only,
            "destructive": entry.annotations.destructive,
            "idempotent": entry.annotations.idempotent,
        },
    })
}

fn openai(entry: &Entry) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": entry.name,
            "description": entry.description,
            "parameters": entry.input,
        },
    })
}

fn anthropic(entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "description": entry.description,
        "input_schema": entry.input,
    })
}
