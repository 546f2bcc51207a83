//! What is new on a screen since an input, the echo of the input left out.
//!
//! Pure. Rows carry the frame in which they last changed, and that number scrolls with them,
//! so old text never looks new. Two things on a new row are still not news: what stood on it
//! left of the cursor when the input began, and the text that was typed. One occurrence of
//! each typed line is taken out, on logical lines, so that a wrapped echo is found as well.

use term::{Frame, Row};

/// Where a caller's input began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The frame just before.
    pub(crate) frame: u64,
    pub(crate) history_total: u64,
    /// Line of the cursor, counted from the first line that ever scrolled off.
    pub(crate) line: u64,
    /// What stood on it left of the cursor.
    pub(crate) prefix: String,
    /// Typed lines that may be echoed; empty when nothing is echoed.
    pub(crate) echo: Vec<String>,
    /// Keys: only an echo right behind the prefix counts.
    pub(crate) keys: bool,
}

impl Mark {
    pub(crate) fn at(frame: &Frame) -> Self {
        let y = usize::from(frame.cursor.y);
        let mut prefix = String::new();
        if let Some(row) = frame.rows.get(y) {
            for cell in row.cells.iter().take(usize::from(frame.cursor.x)) {
                cell.push_to(&mut prefix);
            }
        }
        Self {
            frame: frame.number,
            history_total: frame.history_total,
            line: frame.history_total + u64::from(frame.cursor.y),
            prefix,
            echo: Vec::new(),
            keys: false,
        }
    }
}

/// The new text, one logical line per line. `history` are numbered lines above the screen.
pub(crate) fn text(frame: &Frame, history: &[(u64, Row)], since: u64, inputs: &[Mark]) -> String {
    let mut lines = logical_lines(frame, history, since);
    for input in inputs {
        strip(&mut lines, input, since);
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(line.text.trim_end());
        out.push('\n');
    }
    out
}

struct Line {
    /// Number of its first row.
    number: u64,
    text: String,
}

fn logical_lines(frame: &Frame, history: &[(u64, Row)], since: u64) -> Vec<Line> {
    let above = history.iter().map(|(number, row)| (*number, row));
    let screen = (frame.history_total..).zip(&frame.rows);
    let mut lines: Vec<Line> = Vec::new();
    let mut goes_on = false;
    for (number, row) in above.chain(screen) {
        if row.changed_in <= since {
            goes_on = false;
            continue;
        }
        let mut text = String::new();
        for cell in &row.cells {
            cell.push_to(&mut text);
        }
        match lines.last_mut().filter(|_| goes_on) {
            Some(line) => line.text.push_str(&text),
            None => lines.push(Line { number, text }),
        }
        goes_on = row.wrapped;
    }
    lines
}

fn strip(lines: &mut [Line], input: &Mark, since: u64) {
    // What stood there before the input is old only to those who look from the input on.
    let old = input.frame <= since;
    let mut echo = input.echo.iter();
    if let Some(line) = lines.iter_mut().find(|line| line.number == input.line)
        && let Some(rest) = line.text.strip_prefix(&input.prefix)
    {
        let mut rest = rest.to_owned();
        if let Some(first) = input.echo.first()
            && let Some(after) = rest.strip_prefix(first.as_str())
        {
            rest = after.to_owned();
            echo.next();
        }
        line.text = if old { rest } else { format!("{}{rest}", input.prefix) };
    }
    if input.keys {
        return;
    }
    for typed in echo.filter(|typed| !typed.is_empty()) {
        let found =
            lines.iter_mut().find_map(|line| line.text.find(typed.as_str()).map(|at| (line, at)));
        if let Some((line, at)) = found {
            line.text.replace_range(at..at + typed.len(), "");
        }
    }
}
