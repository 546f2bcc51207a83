//! Links between the documents lead somewhere.

use std::path::Path;

use regex::Regex;

use crate::source::{self, Source, report};

/// Links of Markdown files to other files of the repository that are not there.
fn dead(source: &Source, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let link = Regex::new(r"\]\(([^)\s]+)\)").expect("the pattern is fixed");
    let folder = Path::new(&source.path).parent().unwrap_or(Path::new(""));
    let targets = link.captures_iter(&source.text).map(|found| found[1].to_owned());
    targets
        .filter(|target| !target.contains("://") && !target.starts_with('#'))
        .filter(|target| !exists(&folder.join(target.split('#').next().unwrap_or(target))))
        .map(|target| format!("{}: {target} is not there", source.path))
        .collect()
}

fn documents() -> Vec<Source> {
    let all = source::all().into_iter();
    all.filter(|source| source.path.ends_with(".md") && !source.path.contains("/frames/")).collect()
}

#[test]
fn links_lead_somewhere() {
    let exists = |path: &Path| source::root().join(path).exists();
    let complaints: Vec<String> =
        documents().iter().flat_map(|source| dead(source, exists)).collect();
    report("A link leads somewhere.", &complaints);
}

#[test]
fn a_dead_link_is_noticed() {
    let text = "[a](there.md) [b](gone.md#part) [c](https://example.org) [d](#here)";
    let source = Source::fake("docs/x.md", text);
    let found = dead(&source, |path| path == Path::new("docs/there.md"));
    assert_eq!(found, ["docs/x.md: gone.md#part is not there"]);
}
