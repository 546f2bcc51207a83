//! What exactly is approved: the SHA-256 of the request in one canonical spelling.

use std::fmt;

use serde_json::Value;
use sha2::{Digest, Sha256};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub(super) [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Fingerprint({self})")
    }
}

/// Members in the order of their names at every level, no spaces; all else as it is.
#[must_use]
pub fn fingerprint(request: &Value) -> Fingerprint {
    let mut canonical = String::new();
    write_canonical(request, &mut canonical);
    Fingerprint(Sha256::digest(canonical).into())
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (at, (name, member)) in sorted.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                write_canonical(member, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            out.push_str(&value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::fingerprint;

    #[test]
    fn order_of_members_does_not_matter_and_everything_else_does() {
        let one = fingerprint(&json!({"a": [1, 2], "b": {"x": "1", "y": null}}));
        assert_eq!(one, fingerprint(&json!({"b": {"y": null, "x": "1"}, "a": [1, 2]})));
        for other in [
            json!({"a": [2, 1], "b": {"x": "1", "y": null}}),
            json!({"a": [1, 2], "b": {"x": 1, "y": null}}),
            json!({"a": [1, 2], "b": {"x": "1"}}),
            json!({"a": "[1,2]", "b": {"x": "1", "y": null}}),
        ] {
            assert_ne!(one, fingerprint(&other), "{other}");
        }
    }

    #[test]
    fn the_spelling_is_fixed() {
        // printf '%s' '{"a":"\n","b":[1,true]}' | sha256sum
        assert_eq!(
            fingerprint(&json!({"b": [1, true], "a": "\n"})).to_string(),
            "be87a3f4b2d44ab72f11d138d0485c0ffaed8b4a32ba34804b54866223ee183f"
        );
    }
}
