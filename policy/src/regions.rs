//! The named parts of a screen that patterns of profiles are looked for in.

use profiles::Region;

use crate::structure::is_rule;
use crate::view::View;

/// Regions of one screen, each read once.
pub struct Regions<'v, 'f> {
    view: &'v View<'f>,
    read: Vec<(Region, String)>,
}

impl<'v, 'f> Regions<'v, 'f> {
    #[must_use]
    pub fn of(view: &'v View<'f>) -> Self {
        Self { view, read: Vec::new() }
    }

    pub fn text(&mut self, region: Region) -> &str {
        let place = self.read.iter().position(|(known, _)| *known == region);
        let place = place.unwrap_or_else(|| {
            self.read.push((region, text(self.view, region)));
            self.read.len() - 1
        });
        self.read.get(place).map_or("", |(_, text)| text)
    }
}

/// The text of a region, rows joined by line breaks.
#[must_use]
pub fn text(view: &View<'_>, region: Region) -> String {
    match region {
        Region::Title => view.frame.title.to_string(),
        Region::CursorRow => view.cursor_row().to_owned(),
        Region::Bottom(count) => {
            let mut rows: Vec<&str> = view.trailing(count).map(|(_, row)| row).collect();
            rows.reverse();
            rows.join("\n")
        }
        Region::AfterLastRule => after_last_rule(view),
        Region::Box => inside_last_box(view),
    }
}

fn after_last_rule(view: &View<'_>) -> String {
    let heavy =
        |row: &str| is_rule(row) && row.trim_start().starts_with(['─', '━', '═', '▔', '╭', '┌']);
    let rule = view.rows.iter().rposition(|row| heavy(row));
    let rows: Vec<&str> =
        view.rows.iter().skip(rule.map_or(0, |row| row + 1)).map(String::as_str).collect();
    rows.join("\n").trim_matches('\n').to_owned()
}

fn inside_last_box(view: &View<'_>) -> String {
    let edge = |row: &str, corners: [char; 3]| row.trim_start().starts_with(corners);
    let bottom = view.rows.iter().rposition(|row| edge(row, ['╰', '└', '╚']));
    let Some(bottom) = bottom else { return String::new() };
    let top = view.rows.iter().take(bottom).rposition(|row| edge(row, ['╭', '┌', '╔']));
    let Some(top) = top else { return String::new() };
    let inner = |row: &String| row.trim().trim_matches(['│', '┃', '║']).trim_end().to_owned();
    let rows: Vec<String> = view.rows.iter().take(bottom).skip(top + 1).map(inner).collect();
    rows.join("\n")
}
