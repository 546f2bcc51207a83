//! Screens: from cells to a text that may leave.

use std::ops::Range;
use std::sync::Arc;

use term::{Cell, Glyph, Row, Style};

use super::fold::{Folded, is_invisible};
use super::logical::Logical;
use super::{Format, MARKER_SANITIZED, REDACTED, Request, SafeText, Selection};
use super::{bound, lay, redact, serialise, signals, wrap};

/// Rows above the cut that are still searched for secrets reaching over it: more than the
/// longest private key has lines.
const CONTEXT_ROWS: usize = 128;

/// Bounds, redacts and wraps a selection of a frame.
#[must_use]
pub fn screen(selection: Selection<'_>, request: &Request<'_>) -> SafeText {
    let budget = request.bytes_max.saturating_sub(wrap::overhead(request));
    let candidates = Candidates::of(&selection, budget);
    let mut rows: Vec<Row> = candidates.rows.iter().map(|row| visible(row)).collect();
    let cleaned = clean(&mut rows, request.redact);
    if selection.frame.modes.reverse_screen {
        rows.iter_mut().for_each(reverse);
    }
    let mut texts: Vec<String> = Vec::new();
    let mut must_stay = None;
    for (index, row) in rows.iter().enumerate().skip(candidates.context) {
        let number = (index + candidates.start).checked_sub(selection.history.len());
        let label = match selection.changed_since {
            Some(since) if row.changed_in <= since || number.is_none() => continue,
            Some(_) => number,
            None => None,
        };
        if number == Some(usize::from(selection.frame.cursor.y)) {
            must_stay = Some(texts.len());
        }
        texts.push(fitting(row, request.format, label, budget));
    }
    let (kept, dropped) = cut(texts, must_stay, request.format, budget);
    SafeText {
        text: wrap::apply(serialise::join(&kept, request.format), request),
        redactions: cleaned.redactions,
        dropped_bytes: candidates.left_out_bytes + dropped.bytes,
        dropped_rows: candidates.left_out_rows + dropped.rows,
        injection_signals: cleaned.signals,
    }
}

/// Light and dark are swapped on the whole screen, untouched cells included.
fn reverse(row: &mut Row) {
    for cell in &mut row.cells {
        let style = Style { inverse: !cell.style.inverse, ..(*cell.style).clone() };
        cell.style = Arc::new(style);
    }
}

struct Dropped {
    bytes: u64,
    rows: u64,
}

fn cut(
    texts: Vec<String>,
    must_stay: Option<usize>,
    format: Format,
    budget: usize,
) -> (Vec<String>, Dropped) {
    let (each, once) = serialise::join_bytes(format);
    let costs: Vec<usize> = texts.iter().map(|text| text.len() + each).collect();
    let survive = bound::survivors(&costs, must_stay, budget.saturating_sub(once) + each);
    let mut dropped = Dropped { bytes: 0, rows: 0 };
    let mut kept = Vec::with_capacity(texts.len());
    for (text, survives) in texts.into_iter().zip(survive) {
        if survives {
            kept.push(text);
        } else {
            dropped.bytes += text.len() as u64 + 1;
            dropped.rows += 1;
        }
    }
    (kept, dropped)
}

/// A row alone may be longer than everything that is allowed; then its end goes.
fn fitting(row: &Row, format: Format, label: Option<usize>, budget: usize) -> String {
    let mut text = serialise::row(row, format, label);
    let mut length = row.cells.len();
    let room = budget.saturating_sub(serialise::join_bytes(format).1);
    while text.len() > room && length > 0 {
        length /= 2;
        let mut short = row.clone();
        short.cells.truncate(length);
        text = serialise::row(&short, format, label);
    }
    text
}

/// Rows that can possibly be shown, with some above them.
struct Candidates<'a> {
    rows: Vec<&'a Row>,
    /// So many of them only give context.
    context: usize,
    /// How many rows of history and screen come before the first of these.
    start: usize,
    left_out_rows: u64,
    left_out_bytes: u64,
}

impl<'a> Candidates<'a> {
    fn of(selection: &Selection<'a>, budget: usize) -> Self {
        let frame = selection.frame;
        let cursor = usize::from(frame.cursor.y);
        let shown = frame.last_text_row().map_or(0, |last| last + 1).max(cursor + 1);
        let history = selection.history;
        let all: Vec<&Row> = history.iter().chain(frame.rows.iter().take(shown)).collect();
        let mut first = all.len();
        let mut bytes = 0;
        // A row's text is never longer than what it becomes in any format.
        while first > 0 && (bytes <= budget || first > history.len() + cursor) {
            first -= 1;
            bytes += all.get(first).map_or(0, |row| row.text().len() + 1);
        }
        let start = first.saturating_sub(CONTEXT_ROWS);
        let left_out = all.get(..first).unwrap_or_default();
        let left_out_bytes = left_out.iter().map(|row| row.text().len() as u64 + 1).sum();
        Self {
            context: first - start,
            start,
            left_out_rows: left_out.len() as u64,
            left_out_bytes,
            rows: all.get(start..).unwrap_or_default().to_vec(),
        }
    }
}

/// A copy without characters that show nothing, except where they make an emoji.
fn visible(row: &Row) -> Row {
    let mut row = row.clone();
    for cell in &mut row.cells {
        if let Some(glyph) = visible_glyph(cell) {
            cell.glyph = glyph;
        }
    }
    row
}

fn visible_glyph(cell: &Cell) -> Option<Glyph> {
    match &cell.glyph {
        Glyph::Char(c) if is_invisible(*c) || c.is_control() => Some(Glyph::Char(' ')),
        Glyph::Char(_) => None,
        Glyph::Cluster(text) if cell.width == 2 && !text.is_ascii() => None,
        Glyph::Cluster(text) => {
            let hidden = |c: char| is_invisible(c) || c.is_control();
            if !text.contains(hidden) {
                return None;
            }
            let rest: String = text.chars().filter(|c| !hidden(*c)).collect();
            let mut chars = rest.chars();
            Some(match (chars.next(), chars.next()) {
                (None, _) => Glyph::Char(' '),
                (Some(only), None) => Glyph::Char(only),
                (Some(_), Some(_)) => Glyph::Cluster(Arc::from(rest.as_str())),
            })
        }
    }
}

struct Cleaned {
    redactions: u32,
    signals: Vec<&'static str>,
}

/// Takes secrets and imitated delimiters out of the rows.
fn clean(rows: &mut [Row], redact: bool) -> Cleaned {
    let logical = Logical::of(rows);
    let folded = Folded::of(&logical.text);
    let secrets = if redact { redact::find(&logical.text) } else { Vec::new() };
    let imitations = wrap::imitations(&folded);
    let mut signals = signals::detect(&folded.text);
    if !imitations.is_empty() {
        signals.push(signals::MARKER_IMITATION);
    }
    let mut redactions = u32::try_from(secrets.len()).unwrap_or(u32::MAX);
    let mut parts: Vec<(Range<usize>, &str)> =
        secrets.iter().map(|part| (part.clone(), REDACTED)).collect();
    let apart = |a: &Range<usize>, b: &Range<usize>| a.end <= b.start || b.end <= a.start;
    for imitation in imitations {
        if secrets.iter().all(|secret| apart(secret, &imitation)) {
            parts.push((imitation, MARKER_SANITIZED));
        }
    }
    // From the end, so that what moves is behind what is still to be replaced.
    parts.sort_by_key(|(part, _)| std::cmp::Reverse(part.start));
    for (part, marker) in parts {
        lay::put(rows, &logical.segments(&part), marker);
    }
    redactions = redactions.saturating_add(clean_links(rows, redact));
    Cleaned { redactions, signals }
}

/// Targets of links are text too: one with a secret or a delimiter in it is no link any more.
fn clean_links(rows: &mut [Row], redact: bool) -> u32 {
    let mut removed = 0;
    let mut known: Vec<(Arc<Style>, Arc<Style>)> = Vec::new();
    for cell in rows.iter_mut().flat_map(|row| row.cells.iter_mut()) {
        let Some(link) = &cell.style.link else { continue };
        let seen = known.iter().find(|(old, _)| Arc::ptr_eq(old, &cell.style));
        if let Some((_, new)) = seen {
            cell.style = Arc::clone(new);
            continue;
        }
        let unsafe_text = link.chars().any(|c| c.is_control() || is_invisible(c))
            || !wrap::imitations(&Folded::of(link)).is_empty();
        let secrets = if redact { redact::find(link).len() } else { 0 };
        let new = if unsafe_text || secrets > 0 {
            Arc::new(Style { link: None, ..(*cell.style).clone() })
        } else {
            Arc::clone(&cell.style)
        };
        removed += u32::try_from(secrets).unwrap_or(u32::MAX);
        known.push((Arc::clone(&cell.style), Arc::clone(&new)));
        cell.style = new;
    }
    removed
}
