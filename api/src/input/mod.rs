//! From bytes to typed arguments: JSON, then the published schema, then serde.
//!
//! The schema decides and names the field, so serde can only fail where a schema says less
//! than the type; that is reported too, without a field.

mod check;
mod query;

pub use check::{check, nearest};
pub use query::parse as query;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::{Code, Problem};

/// Reads a JSON object. An empty body is an error like any other that is not JSON.
///
/// # Errors
/// `invalid_value` when it is not a JSON object.
pub fn json(body: &[u8]) -> Result<Value, Problem> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        let detail = format!(
            "the body is not valid JSON (line {}, column {})",
            error.line(),
            error.column()
        );
        Problem::new(Code::InvalidValue, detail).hint("Send one JSON object.")
    })?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(Problem::new(Code::InvalidValue, "the body must be a JSON object")
            .hint("Send one JSON object, {} when there is nothing to say."))
    }
}

/// Checks a value against a schema and makes it a type.
///
/// # Errors
/// `invalid_value` or `missing_param` with the field's path.
pub fn typed<T: DeserializeOwned>(schema: &Value, mut value: Value) -> Result<T, Problem> {
    check(schema, &mut value)?;
    serde_json::from_value(value)
        .map_err(|error| Problem::new(Code::InvalidValue, format!("not acceptable: {error}")))
}
