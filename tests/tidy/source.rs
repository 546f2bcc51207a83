//! The files of the repository, as text.

use std::fs;
use std::path::{Path, PathBuf};

/// One file, its path relative to the repository with `/` between the parts.
#[derive(Debug, Clone)]
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    /// A made-up file, for tests of a rule.
    pub fn fake(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    pub fn is_test(&self) -> bool {
        let in_folder = |name: &str| {
            self.path.starts_with(&format!("{name}/")) || self.path.contains(&format!("/{name}/"))
        };
        let ends = ["tests.rs", "/test_support.rs", "/golden.rs"];
        let test_file = ends.iter().any(|end| self.path.ends_with(end));
        test_file
            || in_folder("tests")
            || in_folder("golden")
            || in_folder("benches")
            || in_folder("examples")
    }

    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The numbered lines of product code: no comments, nothing after an inline test module.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let end = self.text.find("#[cfg(test)]\nmod tests {").unwrap_or(self.text.len());
        self.text[..end]
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line))
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every text file of the project, without build output and hidden folders other than the
/// project's own.
pub fn all() -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.unwrap_or_default();
            let own = !name.starts_with('.') || name == ".ci" || name == ".config";
            if path.is_dir() {
                if own && name != "target" && name != "node_modules" {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.push(Source { path: relative(&path), text });
            }
        }
    }
    found.sort_by(|left, right| left.path.cmp(&right.path));
    assert!(found.len() > 50, "the repository was not found at {}", root().display());
    found
}

/// The Rust files.
pub fn rust() -> Vec<Source> {
    all().into_iter().filter(Source::is_rust).collect()
}

pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(folder).expect("a folder of the repository can be listed");
    listing.map(|entry| entry.expect("an entry can be read").path()).collect()
}

fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("the file was found below the root");
    path.to_string_lossy().replace('\\', "/")
}

/// Fails with one complaint a line.
pub fn report(rule: &str, complaints: &[String]) {
    assert!(complaints.is_empty(), "{rule}\n  {}\n", complaints.join("\n  "));
}
