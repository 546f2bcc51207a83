//! What must not stand in the repository: paths of one machine, and hosts of registries.

use regex::Regex;

use crate::source::{self, Source, report};

/// Written in pieces, so that this file does not break its own rule.
fn forbidden() -> Vec<(Regex, &'static str)> {
    let pattern = |text: &str| Regex::new(text).expect("the pattern is fixed");
    vec![
        (
            pattern(concat!(r"(^|[\s`'(=:", "\"", r"])/wo", r"rk/")),
            "a path of a developer's machine",
        ),
        (
            pattern(concat!(r"/root/\.(ca", r"rgo|py", r"env|ru", r"stup)")),
            "a path of a developer's machine",
        ),
        (
            pattern(concat!(
                r"\b(index|static)\.cra",
                r"tes\.io|\bpy",
                r"pi\.org|\bregistry\.np",
                r"mjs\.org",
                r"|\bdeb\.deb",
                r"ian\.org",
            )),
            "a registry's host",
        ),
        (pattern(concat!(r"BEGIN [A-Z ]*PRIVATE", r" KEY-----\n[A-Za-z0-9+/]{40}")), "a key"),
    ]
}

fn complaints(sources: &[Source]) -> Vec<String> {
    let forbidden = forbidden();
    let mut out = Vec::new();
    for source in sources.iter().filter(|source| source.path != "Cargo.lock") {
        for (index, line) in source.text.lines().enumerate() {
            for (pattern, what) in &forbidden {
                if let Some(found) = pattern.find(line) {
                    let found = found.as_str();
                    out.push(format!("{}:{}: `{found}` is {what}", source.path, index + 1));
                }
            }
        }
    }
    out
}

#[test]
fn nothing_of_one_machine_is_in_the_repository() {
    report("The repository works on every machine alike.", &complaints(&source::all()));
}

#[test]
fn packages_come_from_the_public_registry() {
    let lock = source::all().into_iter().find(|source| source.path == "Cargo.lock");
    let lock = lock.expect("the lock file is committed");
    let elsewhere: Vec<String> = lock
        .text
        .lines()
        .filter(|line| line.starts_with("source = "))
        .filter(|line| !line.contains("\"registry+https://github.com/rust-lang/crates.io-index\""))
        .map(str::to_owned)
        .collect();
    report("Every package comes from the public registry.", &elsewhere);
}

#[test]
fn what_must_not_be_there_is_noticed() {
    let found = |text: &str| complaints(&[Source::fake("docs/a.md", text)]).len();
    assert_eq!(found(concat!("see /wo", "rk/main for it")), 1);
    assert_eq!(found(concat!("HOME=/root/.ca", "rgo")), 1);
    assert_eq!(found(concat!("https://index.cra", "tes.io/x")), 1);
    assert_eq!(found("the folder artwork/is fine, so is net/work/x and <https://docs.rs>"), 0);
}
