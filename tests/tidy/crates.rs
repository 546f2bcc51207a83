//! Which crate may use which: dependencies only point down.

use toml::Table;

use crate::source::{self, Source, report};

/// Crates of the project, and the crates of the project that each may use.
const MAY_USE: [(&str, &[&str]); 8] = [
    ("ttydrive", &["api", "actors", "worker", "policy", "profiles", "jail", "term"]),
    ("api", &["actors", "policy"]),
    ("actors", &["worker", "policy", "profiles", "term", "jail"]),
    ("worker", &["term", "jail"]),
    ("policy", &["profiles", "term"]),
    ("profiles", &["term"]),
    ("jail", &[]),
    ("term", &[]),
];

/// Libraries that only some crates may use, with the reason.
const RESERVED: [(&str, &[&str], &str); 12] = [
    ("actix", &["actors", "api"], "the actor system is theirs"),
    ("actix-web", &["api"], "only api knows HTTP"),
    ("actix-ws", &["api"], "only api knows HTTP"),
    ("prometheus", &["api"], "only api exports metrics"),
    ("rusqlite", &["actors"], "only actors::store has a database"),
    ("saphyr", &["ttydrive"], "only src/config knows YAML"),
    ("saphyr-parser", &["ttydrive"], "only src/config knows YAML"),
    ("portable-pty", &["worker"], "only the worker holds a PTY"),
    ("landlock", &["jail"], "confinement is the jail's"),
    ("seccompiler", &["jail"], "confinement is the jail's"),
    (
        "tokio",
        &["ttydrive", "api", "actors", "worker", "jail"],
        "term, policy and profiles are pure",
    ),
    (
        "nix",
        &["ttydrive", "actors", "worker", "jail", "profiles"],
        "term and policy make no system calls; api knows no processes",
    ),
];

/// One crate's manifest: its name and the names of what it depends on.
#[derive(Debug)]
struct Manifest {
    path: String,
    name: String,
    /// What the product is built from.
    uses: Vec<String>,
    /// What only its tests use.
    tests_use: Vec<String>,
    inherits_lints: bool,
}

fn manifests(sources: &[Source]) -> Vec<Manifest> {
    let files = sources.iter().filter(|source| source.file_name() == "Cargo.toml");
    files.map(manifest).collect()
}

fn manifest(source: &Source) -> Manifest {
    let table: Table = source.text.parse().expect("a manifest is TOML");
    let section = |name: &str| -> Vec<String> {
        let section = table.get(name).and_then(|value| value.as_table());
        section.map(|section| section.keys().cloned().collect()).unwrap_or_default()
    };
    let inside = |section: &str, key: &str| table.get(section).and_then(|t| t.get(key));
    let name = inside("package", "name").and_then(|name| name.as_str());
    let mut uses = section("dependencies");
    uses.extend(section("build-dependencies"));
    Manifest {
        path: source.path.clone(),
        name: name.unwrap_or_default().to_owned(),
        uses,
        tests_use: section("dev-dependencies"),
        inherits_lints: inside("lints", "workspace").and_then(|w| w.as_bool()) == Some(true),
    }
}

fn complaints(sources: &[Source]) -> Vec<String> {
    let mut out = Vec::new();
    for manifest in manifests(sources) {
        let path = &manifest.path;
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == manifest.name) else {
            out.push(format!("{path}: the crate `{}` is not in the table", manifest.name));
            continue;
        };
        for used in manifest.uses.iter().chain(&manifest.tests_use) {
            let ours = MAY_USE.iter().any(|(name, _)| name == used);
            if ours && !allowed.contains(&used.as_str()) {
                out.push(format!("{path}: `{}` may not use `{used}`", manifest.name));
            }
        }
        for (library, crates, why) in RESERVED {
            let used = manifest.uses.iter().any(|used| used == library);
            if used && !crates.contains(&manifest.name.as_str()) {
                out.push(format!("{path}: `{}` may not use `{library}`: {why}", manifest.name));
            }
        }
        if !manifest.inherits_lints {
            out.push(format!("{path}: has no `[lints] workspace = true`"));
        }
    }
    out
}

#[test]
fn crates_depend_only_downwards() {
    let sources = source::all();
    let found: Vec<String> = manifests(&sources).into_iter().map(|m| m.name).collect();
    for (name, _) in MAY_USE {
        assert!(found.iter().any(|found| found == name), "the crate `{name}` was not found");
    }
    report("Dependencies between crates point down the list.", &complaints(&sources));
}

#[test]
fn a_dependency_that_points_up_is_noticed() {
    let fake = |text: &str| complaints(&[Source::fake("x/Cargo.toml", text)]);
    let lints = "[lints]\nworkspace = true\n";
    let term = format!("[package]\nname = \"term\"\n{lints}");
    assert!(fake(&term).is_empty());
    for bad in [
        format!("{term}[dependencies]\npolicy.workspace = true\n"),
        format!("{term}[dependencies]\ntokio.workspace = true\n"),
        format!("{term}[dev-dependencies]\nworker.workspace = true\n"),
        format!("{term}[build-dependencies]\njail.workspace = true\n"),
        format!("[package]\nname = \"api\"\n{lints}[dependencies]\nsaphyr = \"1\"\n"),
        format!("[package]\nname = \"other\"\n{lints}"),
        "[package]\nname = \"term\"\n".to_owned(),
    ] {
        assert_eq!(fake(&bad).len(), 1, "{bad}");
    }
}
