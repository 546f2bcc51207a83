//! Query strings, checked against a schema like bodies are. The text of a value becomes what
//! the schema says it is.

use serde_json::{Map, Value};

use super::check;
use crate::problem::Problem;

/// # Errors
/// An unknown, repeated, missing or wrong parameter, by name.
pub fn parse(schema: &Value, query: &str) -> Result<Value, Problem> {
    let mut members = Map::new();
    for (name, text) in form(query) {
        let inner = schema.get("properties").and_then(|known| known.get(&name));
        let value = typed(inner, &text);
        if members.contains_key(&name) {
            return Err(Problem::invalid(&name, format!("`{name}` is given twice")));
        }
        members.insert(name, value);
    }
    let mut value = Value::Object(members);
    check(schema, &mut value)?;
    Ok(value)
}

/// A text that does not fit stays a text, and the check says what was expected.
fn typed(schema: Option<&Value>, text: &str) -> Value {
    let as_text = || Value::String(text.to_owned());
    let branches = schema.and_then(|schema| schema.get("anyOf")).and_then(Value::as_array);
    if let Some(branches) = branches {
        // The first reading that is more than a text.
        let mut readings = branches.iter().map(|branch| typed(Some(branch), text));
        return readings.find(|value| !value.is_string()).unwrap_or_else(as_text);
    }
    match schema.and_then(|schema| schema.get("type")).and_then(Value::as_str) {
        Some("integer") => text.parse::<i64>().map_or_else(|_| as_text(), Value::from),
        Some("boolean") => text.parse::<bool>().map_or_else(|_| as_text(), Value::from),
        _ => as_text(),
    }
}

fn form(query: &str) -> impl Iterator<Item = (String, String)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(name), decode(text))
    })
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high * 16 + low);
                    rest = after;
                }
                _ => bytes.push(b'%'),
            },
            (other, _) => bytes.push(*other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde_json::json;

    use super::*;

    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[allow(dead_code)]
    struct Sample {
        session_id: Option<String>,
        #[schemars(range(min = 0, max = 45))]
        wait: Option<u64>,
    }

    fn read(query: &str) -> Result<Value, Problem> {
        parse(&crate::schema::input::<Sample>(), query)
    }

    #[test]
    fn values_are_decoded_and_typed() {
        assert_eq!(read("").expect("empty"), json!({}));
        assert_eq!(
            read("sessionId=a%20b%2Bc+d&wait=45").expect("fits"),
            json!({"sessionId": "a b+c d", "wait": 45})
        );
        assert_eq!(read("sessionId=7").expect("fits"), json!({"sessionId": "7"}));
        assert_eq!(read("sessionId=%zz%4").expect("fits"), json!({"sessionId": "%zz%4"}));
    }

    #[test]
    fn wrong_unknown_and_repeated_ones_are_named() {
        for (query, field) in [
            ("wait=46", "wait"),
            ("wait=x", "wait"),
            ("token=1", "token"),
            ("wait=1&wait=2", "wait"),
        ] {
            let problem = read(query).expect_err(query);
            assert_eq!(problem.field.as_deref(), Some(field), "{query}");
        }
    }
}
