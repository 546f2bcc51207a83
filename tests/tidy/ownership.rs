//! Things that one place owns: nobody else may even name them.

use regex::Regex;

use crate::source::{self, Source, report};

/// One thing, the pattern that names it, and who may.
struct Owned {
    what: &'static str,
    pattern: &'static str,
    /// Beginnings of paths.
    owners: &'static [&'static str],
}

const OWNED: [Owned; 9] = [
    Owned {
        what: "Only jail and worker start processes",
        pattern: concat!(
            r"\bCommand::new\b|\bprocess::Command\b|\bCommandExt\b|\bCommandBuilder\b",
            r"|\bposix_spawn|\bfork\(\)|\bexecve?(at)?\(",
        ),
        owners: &["jail/src/", "worker/src/"],
    },
    Owned {
        what: "Only api knows HTTP status codes",
        pattern: r"\bStatusCode\b|\bHttpResponse\b|\bactix_web::",
        owners: &["api/src/"],
    },
    Owned {
        what: "Only src/config knows YAML",
        pattern: r"\bsaphyr(_parser)?::",
        owners: &["src/config/"],
    },
    Owned {
        what: "Of the daemon, only actors::store writes files (api binds its own socket)",
        pattern: concat!(
            r"\bfs::(write|rename|remove_\w+|create_dir\w*|set_permissions|copy)\b",
            r"|\bFile::create|\bOpenOptions\b|\bConnection::open",
        ),
        owners: &["actors/src/store/", "worker/src/", "jail/src/", "api/src/server.rs"],
    },
    Owned {
        what: "Only the clock modules ask for the time",
        pattern: r"\b(Instant|SystemTime)::now\b",
        owners: &["actors/src/clock.rs", "worker/src/clock.rs"],
    },
    Owned {
        what: "Nobody uses do_send: it ignores the limit of the mailbox",
        pattern: r"\bdo_send\(",
        owners: &[],
    },
    Owned {
        what: "Nobody blocks a thread by sleeping",
        pattern: r"\bthread::sleep\b",
        owners: &[],
    },
    Owned {
        what: "Only jail has unsafe code",
        pattern: r"\bunsafe\s*(\{|fn\b|impl\b)|\ballow\(unsafe_code\)",
        owners: &["jail/src/"],
    },
    Owned {
        what: "Only the worker holds a PTY",
        pattern: r"\bportable_pty::|\bopenpty\(",
        owners: &["worker/src/"],
    },
];

/// Whether the lines before carry the attribute with which a use explains itself to clippy.
fn explained(source: &Source, number: usize) -> bool {
    let before = source.text.lines().take(number).skip(number.saturating_sub(5));
    before.into_iter().any(|line| line.contains("clippy::disallowed_methods"))
}

fn complaints(sources: &[Source]) -> Vec<String> {
    let mut out = Vec::new();
    for owned in &OWNED {
        let pattern = Regex::new(owned.pattern).expect("the pattern is fixed");
        for source in sources.iter().filter(|source| !source.is_test()) {
            if owned.owners.iter().any(|owner| source.path.starts_with(owner)) {
                continue;
            }
            for (number, line) in source.code() {
                if explained(source, number) {
                    continue;
                }
                if let Some(found) = pattern.find(line) {
                    let found = found.as_str();
                    out.push(format!("{}:{number}: `{found}`. {}.", source.path, owned.what));
                }
            }
        }
    }
    out
}

#[test]
fn each_thing_has_one_owner() {
    report("Somebody else owns this.", &complaints(&source::rust()));
}

#[test]
fn taking_what_another_owns_is_noticed() {
    for (path, text) in [
        ("actors/src/session/actor.rs", "let c = std::process::Command::new(\"sh\");"),
        ("src/cli/demo.rs", "tokio::process::Command::new(exe)"),
        ("actors/src/error.rs", "StatusCode::NOT_FOUND"),
        ("profiles/src/lib.rs", "use saphyr::Yaml;"),
        ("actors/src/tokens/mod.rs", "std::fs::write(path, secret)?;"),
        ("src/cli/serve.rs", "let file = File::create(path)?;"),
        ("worker/src/settle.rs", "let now = Instant::now();"),
        ("actors/src/reaper/actor.rs", "self.session.do_send(Kill);"),
        ("api/src/lib.rs", "std::thread::sleep(wait);"),
        ("worker/src/pty.rs", "unsafe { libc::close(fd) }"),
        ("term/src/lib.rs", "#![allow(unsafe_code)]"),
        ("actors/src/lib.rs", "use portable_pty::PtySize;"),
    ] {
        assert_eq!(complaints(&[Source::fake(path, text)]).len(), 1, "{path}: {text}");
    }
    for (path, text) in [
        ("worker/src/launch.rs", "Command::new(exe)"),
        ("jail/src/spawn.rs", "unsafe { libc::setsid() }"),
        ("tests/service/main.rs", "std::process::Command::new(exe)"),
        ("actors/src/clock.rs", "Instant::now()"),
        ("term/src/a.rs", "/// Not `Instant::now`.\nfn a() {}"),
    ] {
        assert!(complaints(&[Source::fake(path, text)]).is_empty(), "{path}: {text}");
    }
}
