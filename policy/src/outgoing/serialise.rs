//! Clean rows to strings, one per row.

use std::fmt::Write as _;

use term::{Color, Glyph, Row, Style, Underline};

use super::Format;

/// A row in a format, labelled with its number when there is one.
#[must_use]
pub fn row(row: &Row, format: Format, number: Option<usize>) -> String {
    let text = match format {
        Format::Text => term::render::text(row),
        Format::Ansi => term::render::ansi(std::slice::from_ref(row)).concat(),
        Format::Html => term::render::html(std::slice::from_ref(row)).concat(),
        Format::Cells => return cells(row, number),
    };
    match number {
        Some(number) => format!("{number}| {text}"),
        None => text,
    }
}

/// Rows of a screen put together.
#[must_use]
pub fn join(rows: &[String], format: Format) -> String {
    match format {
        Format::Text | Format::Ansi | Format::Html => rows.join("\n"),
        Format::Cells if rows.is_empty() => "[]".to_owned(),
        Format::Cells => format!("[\n{}\n]", rows.join(",\n")),
    }
}

/// Bytes that joining adds, per row and once.
#[must_use]
pub fn join_bytes(format: Format) -> (usize, usize) {
    match format {
        Format::Text | Format::Ansi | Format::Html => (1, 0),
        Format::Cells => (2, 4),
    }
}

fn cells(row: &Row, number: Option<usize>) -> String {
    let length = row
        .cells
        .iter()
        .rposition(|cell| cell.glyph != Glyph::Char(' ') || !cell.style.is_plain())
        .map_or(0, |last| last + 1);
    let mut runs: Vec<(usize, &Style, String)> = Vec::new();
    for (column, cell) in row.cells.iter().enumerate().take(length) {
        match runs.last_mut() {
            Some((_, style, text)) if **style == *cell.style => cell.push_to(text),
            Some(_) | None => {
                let mut text = String::new();
                cell.push_to(&mut text);
                runs.push((column, &cell.style, text));
            }
        }
    }
    let runs: Vec<String> = runs.iter().map(|(x, style, text)| run(*x, style, text)).collect();
    match number {
        Some(number) => format!("{{\"row\":{number},\"cells\":[{}]}}", runs.join(",")),
        None => format!("[{}]", runs.join(",")),
    }
}

fn run(x: usize, style: &Style, text: &str) -> String {
    let mut out = format!("{{\"x\":{x},\"text\":\"");
    push_escaped(&mut out, text);
    out.push('"');
    for (name, color) in [("fg", style.foreground), ("bg", style.background)] {
        push_color(&mut out, name, color);
    }
    for (name, set) in [
        ("bold", style.bold),
        ("dim", style.dim),
        ("italic", style.italic),
        ("underline", style.underline != Underline::None),
        ("blink", style.blink),
        ("inverse", style.inverse),
        ("hidden", style.hidden),
        ("strikethrough", style.strikethrough),
        ("overline", style.overline),
    ] {
        if set {
            let _ = write!(out, ",\"{name}\":true");
        }
    }
    if let Some(link) = &style.link {
        out.push_str(",\"link\":\"");
        push_escaped(&mut out, link);
        out.push('"');
    }
    out.push('}');
    out
}

fn push_color(out: &mut String, name: &str, color: Color) {
    let _ = match color {
        Color::Default => Ok(()),
        Color::Indexed(index) => write!(out, ",\"{name}\":{index}"),
        Color::Rgb(r, g, b) => write!(out, ",\"{name}\":\"#{r:02x}{g:02x}{b:02x}\""),
    };
}

fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' || c == '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}
