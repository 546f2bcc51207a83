//! A checker for the part of JSON Schema our types produce. It stops at the first fault and
//! names the field, which a generic validator's report does not do well.

use serde_json::{Map, Value};

use crate::limits::{JSON_DEPTH_MAX, NAME_SHOWN_CHARS_MAX};
use crate::problem::Problem;

/// Checks `value`; a whole number written as `3.0` becomes `3`.
///
/// # Errors
/// The first field that does not fit.
pub fn check(schema: &Value, value: &mut Value) -> Result<(), Problem> {
    at(schema, value, &Path::default(), 0)
}

#[derive(Default, Clone)]
struct Path(String);

impl Path {
    fn member(&self, name: &str) -> Self {
        let name = shown(name);
        if self.0.is_empty() { Self(name) } else { Self(format!("{}.{name}", self.0)) }
    }

    fn item(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    fn fault(&self, what: &str) -> Problem {
        let name = if self.0.is_empty() { "the request" } else { self.0.as_str() };
        Problem::invalid(name, format!("`{name}` {what}"))
    }
}

fn at(schema: &Value, value: &mut Value, path: &Path, depth: usize) -> Result<(), Problem> {
    if depth > JSON_DEPTH_MAX {
        return Err(path.fault("is nested too deeply"));
    }
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
        && !allowed.contains(value)
    {
        return Err(not_one_of(value, allowed, path));
    }
    if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        return any_of(branches, value, path, depth);
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => object(schema, value, path, depth),
        Some("array") => array(schema, value, path, depth),
        Some("string") => string(schema, value, path),
        Some("integer") => integer(schema, value, path),
        Some("number") => number(schema, value, path),
        Some("boolean") if !value.is_boolean() => Err(path.fault("must be true or false")),
        _ => Ok(()),
    }
}

fn any_of(branches: &[Value], value: &mut Value, path: &Path, depth: usize) -> Result<(), Problem> {
    let mut first = None;
    for branch in branches {
        match at(branch, value, path, depth + 1) {
            Ok(()) => return Ok(()),
            Err(problem) => first = first.or(Some(problem)),
        }
    }
    first.map_or(Ok(()), Err)
}

fn object(schema: &Value, value: &mut Value, path: &Path, depth: usize) -> Result<(), Problem> {
    let Some(members) = value.as_object_mut() else {
        return Err(path.fault("must be an object"));
    };
    let none = Map::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    if schema.get("additionalProperties") == Some(&Value::Bool(false))
        && let Some(name) = members.keys().find(|name| !known.contains_key(*name))
    {
        return Err(unknown(name, known, path));
    }
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !members.contains_key(name) {
            return Err(Problem::missing(path.member(name).0));
        }
    }
    for (name, member) in members {
        if let Some(inner) = known.get(name) {
            at(inner, member, &path.member(name), depth + 1)?;
        }
    }
    Ok(())
}

fn unknown(name: &str, known: &Map<String, Value>, path: &Path) -> Problem {
    let problem = path.member(name).fault("is not a known field");
    match nearest(name, known.keys().map(String::as_str)) {
        Some(near) => problem.hint(format!("Did you mean `{near}`?")),
        None if known.is_empty() => problem.hint("This takes no fields."),
        None => {
            let names = known.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            problem.hint(format!("Known fields: {names}."))
        }
    }
}

fn array(schema: &Value, value: &mut Value, path: &Path, depth: usize) -> Result<(), Problem> {
    let Some(items) = value.as_array_mut() else {
        return Err(path.fault("must be an array"));
    };
    let len = items.len() as u64;
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    if let Some(min) = bound("minItems").filter(|min| len < *min) {
        return Err(path.fault(&format!("must have at least {min} items")));
    }
    if let Some(max) = bound("maxItems").filter(|max| len > *max) {
        return Err(path.fault(&format!("must have at most {max} items")));
    }
    if let Some(inner) = schema.get("items") {
        for (index, item) in items.iter_mut().enumerate() {
            at(inner, item, &path.item(index), depth + 1)?;
        }
    }
    Ok(())
}

fn string(schema: &Value, value: &Value, path: &Path) -> Result<(), Problem> {
    let Some(text) = value.as_str() else {
        return Err(path.fault("must be a string"));
    };
    let len = text.chars().count() as u64;
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    if let Some(min) = bound("minLength").filter(|min| len < *min) {
        return Err(path.fault(&format!("must have at least {min} characters")));
    }
    if let Some(max) = bound("maxLength").filter(|max| len > *max) {
        return Err(path.fault(&format!("must have at most {max} characters")));
    }
    Ok(())
}

fn integer(schema: &Value, value: &mut Value, path: &Path) -> Result<(), Problem> {
    if let Some(whole) = value.as_f64().filter(|_| value.is_f64()) {
        // Beyond 2^53 a float no longer says which integer is meant.
        if whole.fract() != 0.0 || whole.abs() > 9_007_199_254_740_992.0 {
            return Err(path.fault("must be a whole number"));
        }
        #[allow(clippy::cast_possible_truncation)]
        let exact = whole as i64;
        *value = exact.into();
    }
    if !(value.is_u64() || value.is_i64()) {
        return Err(path.fault("must be a whole number"));
    }
    number(schema, value, path)
}

fn number(schema: &Value, value: &Value, path: &Path) -> Result<(), Problem> {
    let Some(number) = value.as_f64() else {
        return Err(path.fault("must be a number"));
    };
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let (min, max) = (bound("minimum"), bound("maximum"));
    if min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max) {
        let range = match (schema.get("minimum"), schema.get("maximum")) {
            (Some(min), Some(max)) => format!("must be between {min} and {max}"),
            (Some(min), None) => format!("must be at least {min}"),
            (None, Some(max)) => format!("must be at most {max}"),
            (None, None) => "is out of range".to_owned(),
        };
        return Err(path.fault(&range));
    }
    Ok(())
}

fn not_one_of(value: &Value, allowed: &[Value], path: &Path) -> Problem {
    let names = allowed.iter().filter_map(Value::as_str);
    let list = names.clone().collect::<Vec<_>>().join(", ");
    let problem = path.fault(&format!("must be one of: {list}"));
    match value.as_str().and_then(|given| nearest(given, names)) {
        Some(near) => problem.hint(format!("Did you mean `{near}`?")),
        None => problem,
    }
}

/// The known name a wrong one was most likely meant to be.
pub fn nearest<'a>(given: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = shown(given).to_lowercase();
    known
        .map(|name| (strsim::jaro_winkler(&given, &name.to_lowercase()), name))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// A name from a request, short enough for a message and free of control characters.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(NAME_SHOWN_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests;
