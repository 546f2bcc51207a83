use schemars::JsonSchema;
use serde_json::json;

use super::check;
use crate::problem::{Code, Problem};

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(dead_code)]
struct Sample {
    session_id: String,
    #[schemars(range(min = 2, max = 500))]
    cols: Option<u16>,
    #[schemars(length(min = 1, max = 3))]
    keys: Option<Vec<String>>,
    mode: Option<Mode>,
    nested: Option<Nested>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code)]
enum Mode {
    Digest,
    Full,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(dead_code)]
struct Nested {
    cost_usd: f64,
}

fn fault(mut value: serde_json::Value) -> Problem {
    let schema = crate::schema::input::<Sample>();
    check(&schema, &mut value).expect_err("must be refused")
}

fn fields(value: serde_json::Value) -> (Code, String) {
    let problem = fault(value);
    (problem.code, problem.field.expect("every fault names its field"))
}

#[test]
fn what_fits_passes_and_whole_floats_become_integers() {
    let schema = crate::schema::input::<Sample>();
    let mut value = json!({
        "sessionId": "ts_1", "cols": 80.0, "keys": ["Enter"], "mode": "full",
        "nested": {"costUsd": 1},
    });
    check(&schema, &mut value).expect("fits");
    assert_eq!(value["cols"], json!(80));
    assert!(value["cols"].is_i64() || value["cols"].is_u64());
}

#[test]
fn each_fault_names_its_field() {
    let id = "ts_1";
    let invalid = |path: &str| (Code::InvalidValue, path.to_owned());
    assert_eq!(fields(json!({})), (Code::MissingParam, "sessionId".to_owned()));
    assert_eq!(fields(json!({"sessionId": 1})), invalid("sessionId"));
    assert_eq!(fields(json!({"sessionId": id, "cols": 1})), invalid("cols"));
    assert_eq!(fields(json!({"sessionId": id, "cols": 501})), invalid("cols"));
    assert_eq!(fields(json!({"sessionId": id, "cols": -1})), invalid("cols"));
    assert_eq!(fields(json!({"sessionId": id, "cols": 80.5})), invalid("cols"));
    assert_eq!(fields(json!({"sessionId": id, "cols": "80"})), invalid("cols"));
    assert_eq!(fields(json!({"sessionId": id, "cols": null})), invalid("cols"));
    assert_eq!(fields(json!({"sessionId": id, "keys": []})), invalid("keys"));
    assert_eq!(fields(json!({"sessionId": id, "keys": "Enter"})), invalid("keys"));
    assert_eq!(fields(json!({"sessionId": id, "keys": ["a", 2]})), invalid("keys[1]"));
    assert_eq!(fields(json!({"sessionId": id, "mode": "fulll"})), invalid("mode"));
    assert_eq!(
        fields(json!({"sessionId": id, "nested": {"costUsd": "1"}})),
        invalid("nested.costUsd")
    );
    assert_eq!(
        fields(json!({"sessionId": id, "nested": {}})),
        (Code::MissingParam, "nested.costUsd".to_owned())
    );
    assert_eq!(fields(json!({"sessionId": id, "sesionId": 1})), invalid("sesionId"));
}

#[test]
fn the_hint_names_the_nearest_field() {
    let hint = |value| fault(value).hint.expect("a hint");
    assert_eq!(hint(json!({"session_id": "x"})), "Did you mean `sessionId`?");
    assert_eq!(hint(json!({"sessionId": "x", "mode": "Full"})), "Did you mean `full`?");
    assert!(hint(json!({"zzz": 1})).starts_with("Known fields: sessionId, cols"));
}
