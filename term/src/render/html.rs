//! Rows as HTML text: escaped, with one `span` per run of equal style. Links are not made
//! clickable: a target on a screen is as untrusted as the text.

use std::fmt::Write as _;

use crate::frame::{Color, Glyph, Row, Style, Underline};

/// One string per row, without a line break.
#[must_use]
pub fn html(rows: &[Row]) -> Vec<String> {
    rows.iter().map(row_html).collect()
}

fn row_html(row: &Row) -> String {
    let mut out = String::new();
    let mut text = String::new();
    let mut style: Option<&Style> = None;
    let length = row
        .cells
        .iter()
        .rposition(|cell| cell.glyph != Glyph::Char(' ') || !cell.style.is_plain())
        .map_or(0, |last| last + 1);
    for cell in row.cells.iter().take(length) {
        if style.is_some_and(|style| *style != *cell.style) {
            push_run(&mut out, &text, style);
            text.clear();
        }
        style = Some(&cell.style);
        cell.push_to(&mut text);
    }
    push_run(&mut out, &text, style);
    out
}

fn push_run(out: &mut String, text: &str, style: Option<&Style>) {
    if text.is_empty() {
        return;
    }
    let css = style.map(css).unwrap_or_default();
    if css.is_empty() {
        push_escaped(out, text);
        return;
    }
    let _ = write!(out, "<span style=\"{css}\">");
    push_escaped(out, text);
    out.push_str("</span>");
}

fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
}

fn css(style: &Style) -> String {
    let mut out = String::new();
    let (mut fore, mut back) = (color(style.foreground), color(style.background));
    if style.inverse {
        let ink = fore.take().unwrap_or_else(|| "var(--foreground,#ddd)".to_owned());
        let paper = back.take().unwrap_or_else(|| "var(--background,#000)".to_owned());
        (fore, back) = (Some(paper), Some(ink));
    }
    if style.hidden {
        fore = Some("transparent".to_owned());
    }
    for (name, value) in [("color", fore), ("background-color", back)] {
        if let Some(value) = value {
            let _ = write!(out, "{name}:{value};");
        }
    }
    for (set, rule) in [
        (style.bold, "font-weight:bold;"),
        (style.dim, "opacity:.6;"),
        (style.italic, "font-style:italic;"),
    ] {
        if set {
            out.push_str(rule);
        }
    }
    push_decoration(&mut out, style);
    out
}

fn push_decoration(out: &mut String, style: &Style) {
    let (line, shape) = match style.underline {
        Underline::None => ("", ""),
        Underline::Single => (" underline", ""),
        Underline::Double => (" underline", " double"),
        Underline::Curly => (" underline", " wavy"),
        Underline::Dotted => (" underline", " dotted"),
        Underline::Dashed => (" underline", " dashed"),
    };
    let strike = if style.strikethrough { " line-through" } else { "" };
    let over = if style.overline { " overline" } else { "" };
    if line.is_empty() && strike.is_empty() && over.is_empty() {
        return;
    }
    let ink = color(style.underline_color).map(|color| format!(" {color}")).unwrap_or_default();
    let value = format!("{line}{strike}{over}{shape}{ink}");
    let _ = write!(out, "text-decoration:{};", value.trim_start());
}

fn color(color: Color) -> Option<String> {
    let (r, g, b) = match color {
        Color::Default => return None,
        Color::Indexed(index) => crate::palette::rgb(index),
        Color::Rgb(r, g, b) => (r, g, b),
    };
    Some(format!("#{r:02x}{g:02x}{b:02x}"))
}
