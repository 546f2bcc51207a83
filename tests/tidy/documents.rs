//! What must explain itself: limits, messages of actors, modules, ignored tests.

use crate::source::{self, Source, report};

/// A module's doc is read at one sitting.
const MODULE_DOC_LINES_MAX: usize = 40;

/// Numbers of the lines of items that `is_item` picks, given the line and the attributes
/// before it, and that no doc comment precedes.
fn undocumented(source: &Source, is_item: impl Fn(&str, &str) -> bool) -> Vec<usize> {
    let mut documented = false;
    let mut attributes = String::new();
    let mut out = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("///") {
            documented = true;
        } else if line.starts_with("#[") || line.starts_with(')') {
            attributes.push_str(line);
        } else {
            if is_item(line, &attributes) && !documented {
                out.push(index + 1);
            }
            documented = false;
            attributes.clear();
        }
    }
    out
}

fn is_limit(line: &str, _attributes: &str) -> bool {
    let line =
        line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub(super) ")).unwrap_or(line);
    let line = line.strip_prefix("pub ").unwrap_or(line);
    line.starts_with("const ") && !line.starts_with("const _") && !line.starts_with("const fn")
}

/// Something an actor receives; what it answers may speak for itself.
fn is_message(line: &str, attributes: &str) -> bool {
    let item = line.contains("struct ") || line.contains("enum ");
    item && (attributes.contains("rtype(") || attributes.contains("Message)"))
}

fn complaints(source: &Source) -> Vec<String> {
    let mut out = Vec::new();
    let mut say = |line: usize, what: &str| out.push(format!("{}:{line}: {what}", source.path));
    if source.file_name() == "limits.rs" {
        for line in undocumented(source, is_limit) {
            say(line, "a limit without its reason");
        }
    }
    if source.file_name() == "messages.rs" {
        for line in undocumented(source, is_message) {
            say(line, "a message without a doc");
        }
    }
    let doc = source.text.lines().take_while(|line| line.starts_with("//!")).count();
    if doc == 0 && !source.is_test() {
        say(1, "a module without a doc");
    }
    if doc > MODULE_DOC_LINES_MAX {
        say(1, "a module doc of more than 40 lines");
    }
    for (index, line) in source.text.lines().enumerate() {
        if line.trim() == concat!("#[", "ignore]") {
            say(index + 1, "an ignored test that does not say why");
        }
    }
    out
}

#[test]
fn what_must_explain_itself_does() {
    let complaints: Vec<String> = source::rust().iter().flat_map(complaints).collect();
    report("Say what it is and why.", &complaints);
}

#[test]
fn silence_is_noticed() {
    let found = |path: &str, text: &str| complaints(&Source::fake(path, text)).len();
    let limits = "//! Limits.\n";
    assert_eq!(found("a/limits.rs", &format!("{limits}/// Why.\npub const A: u8 = 1;\n")), 0);
    assert_eq!(found("a/limits.rs", &format!("{limits}pub const A: u8 = 1;\n")), 1);
    assert_eq!(
        found("a/limits.rs", &format!("{limits}/// A.\nconst A: u8 = 1;\nconst B: u8 = 1;")),
        1
    );
    assert_eq!(found("a/limits.rs", &format!("{limits}const _: () = assert!(true);")), 0);
    assert_eq!(
        found("a/messages.rs", "//! M.\n/// Ends it.\n#[derive(Debug)]\npub struct Kill;"),
        0
    );
    assert_eq!(found("a/messages.rs", "//! M.\n#[derive(Message)]\npub struct Kill;"), 1);
    assert_eq!(found("a/messages.rs", "//! M.\n#[derive(Debug)]\npub struct Answer;"), 0);
    assert_eq!(found("a/b.rs", "use std::fmt;\n"), 1);
    assert_eq!(found("a/b.rs", &"//! Much.\n".repeat(41)), 1);
    assert_eq!(found("a/b.rs", concat!("//! B.\n#[", "ignore]\n#[test]\nfn a() {}")), 1);
    assert_eq!(found("a/b.rs", "//! B.\n#[ignore = \"needs a network\"]\nfn a() {}"), 0);
}
