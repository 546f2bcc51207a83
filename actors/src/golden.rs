//! Test helper: compares text with a file beside the source. `UPDATE_GOLDEN=1` rewrites it;
//! the diff is what a reviewer reads.

use std::path::PathBuf;

/// `path` is relative to `actors/`.
pub(crate) fn check(path: &str, actual: &str) {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&full, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&full).unwrap_or_default();
    assert!(
        expected == actual,
        "{path} differs; look at it and run again with UPDATE_GOLDEN=1\n--- now:\n{actual}"
    );
}
