//! Pure code: decisions and pictures, with no clock, no file, no process and no runtime.

use regex::Regex;

use crate::source::{self, Source, report};

/// Whole crates that are pure.
const PURE_CRATES: [&str; 2] = ["term/src/", "policy/src/"];

/// What pure code has no business with.
const IMPURE: &str = concat!(
    r"\b(actix|actix_rt|tokio|nix|rusqlite|tracing)::",
    r"|\bstd::(fs|process|thread|net|env|os)\b",
    r"|\b(Instant|SystemTime)\b",
    r"|\b(println|eprintln|print|eprint)!",
);

fn complaints(sources: &[Source]) -> Vec<String> {
    let impure = Regex::new(IMPURE).expect("the pattern is fixed");
    let mut out = Vec::new();
    for source in sources {
        let pure_crate = PURE_CRATES.iter().any(|folder| source.path.starts_with(folder));
        let pure = pure_crate || source.file_name() == "machine.rs";
        if !pure || source.is_test() {
            continue;
        }
        for (number, line) in source.code() {
            if let Some(found) = impure.find(line) {
                out.push(format!("{}:{number}: `{}`", source.path, found.as_str()));
            }
        }
    }
    out
}

#[test]
fn term_policy_and_state_machines_are_pure() {
    let rule = "term, policy and every machine.rs are pure: time and facts are arguments, \
                effects are values.";
    report(rule, &complaints(&source::rust()));
}

#[test]
fn impure_code_is_noticed() {
    let found = |path: &str, text: &str| complaints(&[Source::fake(path, text)]).len();
    for bad in [
        "use std::fs;",
        "let now = Instant::now();",
        "use tokio::time::sleep;",
        "fn f(at: SystemTime) {}",
        "let home = std::env::var(\"HOME\");",
        "println!(\"{x}\");",
    ] {
        assert_eq!(found("policy/src/rules.rs", bad), 1, "{bad}");
        assert_eq!(found("actors/src/session/machine.rs", bad), 1, "{bad}");
        assert_eq!(found("actors/src/session/actor.rs", bad), 0, "{bad}");
        assert_eq!(found("term/tests/files.rs", bad), 0, "{bad}");
    }
    assert_eq!(found("term/src/a.rs", "use std::time::Duration; // not std::fs\n"), 1);
    assert_eq!(found("term/src/a.rs", "// Instant is not for us\nuse std::fmt;"), 0);
}
