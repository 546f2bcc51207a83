//! The root listing is the architecture.

use crate::source::{self, Source, report};

/// Folders of the root, other than hidden ones and build output.
const FOLDERS: [&str; 11] = [
    "actors", "api", "docs", "examples", "jail", "policy", "profiles", "src", "term", "tests",
    "worker",
];

/// Files that a newcomer and the tools look for.
const FILES: [&str; 12] = [
    ".ci/run",
    ".clippy.toml",
    ".config/nextest.toml",
    "CHANGELOG.md",
    "Cargo.lock",
    "LICENSE",
    "Makefile",
    "README.md",
    "docs/ARCHITECTURE.md",
    "docs/CONTRIBUTING.md",
    "docs/STYLE.md",
    "rust-toolchain.toml",
];

/// What stands beside every state machine: the printed table of what it does.
fn machines_without_table(sources: &[Source]) -> Vec<String> {
    let product = sources.iter().filter(|source| !source.is_test());
    let machines = product.filter(|source| source.file_name() == "machine.rs");
    machines
        .filter_map(|machine| {
            let table = machine.path.replace("machine.rs", "machine.golden");
            let missing = !sources.iter().any(|source| source.path == table);
            missing.then(|| format!("{}: no {table} beside it", machine.path))
        })
        .collect()
}

#[test]
fn the_root_holds_the_parts_and_nothing_else() {
    let mut complaints = Vec::new();
    for path in source::entries(source::root()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let known = FOLDERS.contains(&name.as_str()) || name.starts_with('.') || name == "target";
        if path.is_dir() && !known {
            complaints.push(format!("{name}/ is no part of the architecture"));
        }
    }
    for file in FILES {
        if !source::root().join(file).is_file() {
            complaints.push(format!("{file} is missing"));
        }
    }
    report("The root listing is the architecture.", &complaints);
}

#[test]
fn every_machine_has_its_printed_table() {
    let complaints = machines_without_table(&source::all());
    report("A change of behaviour shows in the diff of machine.golden.", &complaints);
}

#[test]
fn a_machine_without_table_is_noticed() {
    let machine = Source::fake("actors/src/a/machine.rs", "");
    let table = Source::fake("actors/src/a/machine.golden", "");
    let other = Source::fake("actors/src/b/machine.golden", "");
    assert!(machines_without_table(&[machine.clone(), table]).is_empty());
    assert_eq!(machines_without_table(&[machine, other]).len(), 1);
}
