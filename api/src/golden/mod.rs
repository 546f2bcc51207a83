//! The contract as files a reviewer reads. `UPDATE_GOLDEN=1` rewrites them.

use std::path::PathBuf;
use std::time::Duration;

use actors::{ConflictReason, Error};
use serde_json::Value;

use crate::problem::{Code, Problem, TABLE};
use crate::tools::{self, Shape};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Compares with the file, or rewrites it.
fn check(name: &str, value: &Value) {
    let path = folder().join(name);
    let text = serde_json::to_string_pretty(value).expect("JSON") + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the golden folder");
        std::fs::write(&path, text).expect("the golden file");
        return;
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == text,
        "{} differs from what the code makes; run with UPDATE_GOLDEN=1 and read the diff",
        path.display()
    );
}

#[test]
fn the_catalogue_in_three_shapes() {
    for (name, shape) in [
        ("tools.json", Shape::Native),
        ("tools.openai.json", Shape::Openai),
        ("tools.anthropic.json", Shape::Anthropic),
    ] {
        check(name, &tools::catalogue(tools::list().iter(), shape));
    }
}

#[test]
fn the_openapi_document() {
    check("openapi.json", crate::openapi::document());
}

/// One error of the actors, or one of ours, per code.
fn sample(code: Code) -> Problem {
    let hint = || Some("What to do next.".to_owned());
    let detail = || "what happened".to_owned();
    match code {
        Code::InvalidValue => {
            Error::InvalidValue { field: "cols".to_owned(), detail: detail(), hint: hint() }.into()
        }
        Code::MissingParam => Error::MissingParam { field: "sessionId".to_owned() }.into(),
        Code::Unauthenticated => Error::Unauthenticated.into(),
        Code::PermissionDenied => {
            Error::PermissionDenied { reason: "not_allowed", detail: detail(), hint: hint() }.into()
        }
        Code::ApprovalRequired => Error::ApprovalRequired {
            approval_id: "ap_01".to_owned(),
            detail: detail(),
            hint: hint(),
        }
        .into(),
        Code::NotFound => Error::NotFound { what: detail() }.into(),
        Code::Conflict => {
            Error::Conflict { reason: ConflictReason::DialogOpen, detail: detail(), hint: hint() }
                .into()
        }
        Code::TooLarge => Error::TooLarge { detail: detail(), hint: hint() }.into(),
        Code::UnsupportedAction => Error::UnsupportedAction { detail: detail(), hint: None }.into(),
        Code::RateLimited => {
            Error::RateLimited { retry_after: Duration::from_millis(1_500), detail: detail() }
                .into()
        }
        Code::SandboxUnavailable => {
            Error::SandboxUnavailable { detail: detail(), hint: hint() }.into()
        }
        Code::Recovering => Error::Recovering.into(),
        Code::Internal => Error::Internal { detail: "a secret cause".to_owned() }.into(),
    }
}

#[test]
fn one_problem_document_per_code() {
    for row in &TABLE {
        let problem = sample(row.code).with_request_id("req_0123456789abcdef");
        assert_eq!(problem.code, row.code);
        assert_eq!(problem.status, row.status);
        let document = problem.to_json();
        assert!(!document.to_string().contains("secret cause"), "internal never shows its cause");
        check(&format!("problems/{}.json", row.name), &document);
    }
}

#[test]
fn every_conflict_has_its_reason() {
    let reason = |reason| {
        Problem::from(Error::Conflict { reason, detail: String::new(), hint: None }).reason
    };
    assert_eq!(reason(ConflictReason::DialogOpen), Some("dialog_open"));
    assert_eq!(reason(ConflictReason::SessionExited), Some("session_exited"));
    assert_eq!(reason(ConflictReason::ForeignDraft), Some("foreign_draft"));
    assert_eq!(reason(ConflictReason::Busy), Some("busy"));
}

/// References that lead nowhere would break every client generator.
#[test]
fn every_reference_in_the_document_resolves() {
    let document = crate::openapi::document();
    let mut open = vec![document];
    let mut seen = 0;
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                if let Some(target) = members.get("$ref").and_then(Value::as_str) {
                    let pointer = target.strip_prefix('#').expect("a local reference");
                    assert!(document.pointer(pointer).is_some(), "{target}");
                    seen += 1;
                }
                open.extend(members.values());
            }
            Value::Array(items) => open.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    assert!(seen > 20, "the document uses its components: {seen}");
}

#[test]
fn operation_ids_are_unique() {
    let document = crate::openapi::document();
    let mut ids = Vec::new();
    for methods in document["paths"].as_object().expect("paths").values() {
        for operation in methods.as_object().expect("methods").values() {
            ids.push(operation["operationId"].as_str().expect("an id").to_owned());
        }
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}
