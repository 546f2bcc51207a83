//! Files and lines stay small enough to read. Function length is clippy's.

use crate::source::{self, Source, report};

/// Past this a file is split.
const FILE_LINES_MAX: usize = 500;
/// Past this somebody looks whether it should be.
const FILE_LINES_LOOK: usize = 300;
const LINE_COLUMNS_MAX: usize = 100;

fn complaints(sources: &[Source]) -> Vec<String> {
    let mut out = Vec::new();
    for source in sources {
        let lines = source.text.lines().count();
        if lines > FILE_LINES_MAX {
            out.push(format!("{}: {lines} lines, split it", source.path));
        }
        for (index, line) in source.text.lines().enumerate() {
            let columns = line.chars().count();
            if columns > LINE_COLUMNS_MAX {
                out.push(format!("{}:{}: {columns} columns", source.path, index + 1));
            }
        }
    }
    out
}

#[test]
fn files_and_lines_are_short() {
    let sources = source::rust();
    for source in &sources {
        let lines = source.text.lines().count();
        if lines > FILE_LINES_LOOK {
            println!("look again: {} has {lines} lines", source.path);
        }
    }
    let rule = format!("Files have {FILE_LINES_MAX} lines and {LINE_COLUMNS_MAX} columns at most.");
    report(&rule, &complaints(&sources));
}

#[test]
fn long_ones_are_noticed() {
    let fake = |text: &str| complaints(&[Source::fake("a.rs", text)]).len();
    assert_eq!(fake(&"a\n".repeat(FILE_LINES_MAX)), 0);
    assert_eq!(fake(&"a\n".repeat(FILE_LINES_MAX + 1)), 1);
    assert_eq!(fake(&"é".repeat(LINE_COLUMNS_MAX)), 0);
    assert_eq!(fake(&"é".repeat(LINE_COLUMNS_MAX + 1)), 1);
}
