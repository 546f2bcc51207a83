//! Text that is no screen: titles, exit tails, excerpts.

use std::ops::Range;

use super::fold::{Folded, is_invisible};
use super::{MARKER_SANITIZED, REDACTED, Request, SafeText};
use super::{bound, redact, signals, wrap};

/// Text in front of the cut that is still searched for secrets reaching over it.
const CONTEXT_BYTES: usize = 16 * 1024;

/// Bounds, redacts and wraps plain text; the end survives.
#[must_use]
pub fn plain(text: &str, request: &Request<'_>) -> SafeText {
    let budget = request.bytes_max.saturating_sub(wrap::overhead(request));
    let near = bound::tail(text, budget.saturating_add(CONTEXT_BYTES));
    let cleaned = clean(near, request.redact);
    let cut = last_lines(&cleaned.text, budget);
    let gone = cleaned.text.get(..cleaned.text.len() - cut.len()).unwrap_or_default();
    let before = text.get(..text.len() - near.len()).unwrap_or_default();
    let rows = |part: &str| part.bytes().filter(|byte| *byte == b'\n').count() as u64;
    SafeText {
        dropped_bytes: (before.len() + gone.len()) as u64,
        dropped_rows: rows(before) + rows(gone),
        text: wrap::apply(cut.to_owned(), request),
        redactions: cleaned.redactions,
        injection_signals: cleaned.signals,
    }
}

/// One clean line for excerpts: line breaks become spaces, the beginning survives.
#[must_use]
pub fn line(text: &str, bytes_max: usize) -> SafeText {
    let near = bound::head(text, bytes_max.saturating_add(CONTEXT_BYTES));
    let cleaned = clean(near, true);
    let flat = cleaned.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = bound::head(&flat, bytes_max);
    SafeText {
        dropped_bytes: (text.len() - near.len() + flat.len() - cut.len()) as u64,
        dropped_rows: 0,
        text: cut.to_owned(),
        redactions: cleaned.redactions,
        injection_signals: cleaned.signals,
    }
}

/// Whole lines from the end, or the end of the last line when even that is too long.
fn last_lines(text: &str, bytes_max: usize) -> &str {
    if text.len() <= bytes_max {
        return text;
    }
    let cut = bound::tail(text, bytes_max);
    let begins_a_line = text.get(..text.len() - cut.len()).is_some_and(|gone| gone.ends_with('\n'));
    if begins_a_line {
        return cut;
    }
    match cut.trim_end_matches('\n').find('\n') {
        Some(end) => cut.get(end + 1..).unwrap_or_default(),
        None => cut,
    }
}

struct Cleaned {
    text: String,
    redactions: u32,
    signals: Vec<&'static str>,
}

fn clean(text: &str, redact: bool) -> Cleaned {
    let shown = |c: &char| !is_invisible(*c) && (!c.is_control() || matches!(c, '\n' | '\t'));
    let text: String = text.chars().filter(shown).collect();
    let folded = Folded::of(&text);
    let secrets = if redact { redact::find(&text) } else { Vec::new() };
    let mut found = signals::detect(&folded.text);
    let imitations = wrap::imitations(&folded);
    if !imitations.is_empty() {
        found.push(signals::MARKER_IMITATION);
    }
    let redactions = u32::try_from(secrets.len()).unwrap_or(u32::MAX);
    let mut parts: Vec<(Range<usize>, &str)> =
        secrets.into_iter().map(|part| (part, REDACTED)).collect();
    parts.extend(imitations.into_iter().map(|part| (part, MARKER_SANITIZED)));
    parts.sort_by_key(|(part, _)| part.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (part, marker) in parts {
        if part.start < at {
            at = at.max(part.end);
            continue;
        }
        out.push_str(text.get(at..part.start).unwrap_or_default());
        out.push_str(marker);
        at = part.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Cleaned { text: out, redactions, signals: found }
}
