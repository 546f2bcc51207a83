//! The only place that writes to standard output.

use std::io::Write;
use std::process::ExitCode;

/// Prints one line. A reader that went away (`| head`) is not worth a word.
pub fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    drop(writeln!(out, "{text}").and_then(|()| out.flush()));
}

/// Prints a value as one pretty JSON document.
pub fn json(value: &serde_json::Value) {
    line(&format!("{value:#}"));
}

/// Text that somebody else chose, such as a session's name, cannot steer the terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Reports a failure on standard error with what to do about it.
pub fn fail(message: &str, hint: Option<&str>) -> ExitCode {
    let mut err = std::io::stderr().lock();
    drop(writeln!(err, "ttydrive: {message}"));
    if let Some(hint) = hint {
        drop(writeln!(err, "  hint: {hint}"));
    }
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(
            printable("a\u{1b}]0;x\u{7}\u{9b}2J\nü"),
            "a\u{fffd}]0;x\u{fffd}\u{fffd}2J\u{fffd}ü"
        );
    }
}
