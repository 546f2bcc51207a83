//! Breaking text into lines of another width.
//!
//! Lines that were wrapped are joined and cut again; everything else keeps its line breaks.
//! History grows or shrinks at its newer end only by what no longer fits or now fits in fewer
//! lines. Lines keep identity and date as long as they are neither joined nor cut.

use crate::line::Line;
use crate::screen::{LineIds, Place};
use crate::slot::Slot;

pub(crate) struct Reflow<'a> {
    /// History, then screen.
    pub lines: Vec<Line>,
    /// Index of the first line of the screen.
    pub top: usize,
    /// Cursor, rows counted from `top`.
    pub place: Place,
    pub cols: usize,
    pub rows: usize,
    pub ids: &'a mut LineIds,
}

pub(crate) struct Reflowed {
    pub history: Vec<Line>,
    pub screen: Vec<Line>,
    pub place: Place,
}

struct Out {
    lines: Vec<Line>,
    cols: usize,
    /// Where the old first screen line and the cursor went.
    top: Option<usize>,
    cursor: Option<(usize, usize)>,
}

pub(crate) fn reflow(input: Reflow<'_>) -> Reflowed {
    let cursor_line = input.top + input.place.y;
    // Untouched lines below the cursor are not text.
    let end = input
        .lines
        .iter()
        .rposition(|line| !line.is_blank())
        .map_or(0, |last| last + 1)
        .max(cursor_line + 1)
        .max(input.top + 1)
        .min(input.lines.len());
    let mut out = Out { lines: Vec::with_capacity(end), cols: input.cols, top: None, cursor: None };
    let mut lines = input.lines;
    lines.truncate(end);
    let mut index = 0;
    let mut group: Vec<Line> = Vec::new();
    for line in lines {
        let goes_on = line.wrapped;
        group.push(line);
        if goes_on && index + group.len() < end {
            continue;
        }
        let count = group.len();
        let marks = Marks {
            top: input.top.checked_sub(index).filter(|at| *at < count),
            cursor: cursor_line
                .checked_sub(index)
                .filter(|at| *at < count)
                .map(|at| (at, cursor_column(&input.place))),
        };
        out.push_group(std::mem::take(&mut group), marks, input.ids);
        index += count;
    }
    out.finish(input.rows, input.ids)
}

/// A cursor waiting to wrap stands behind the last column.
fn cursor_column(place: &Place) -> usize {
    if place.pending { place.x + 1 } else { place.x }
}

/// Places inside a group that must be found again: line and column.
struct Marks {
    top: Option<usize>,
    cursor: Option<(usize, usize)>,
}

impl Out {
    fn push_group(&mut self, group: Vec<Line>, marks: Marks, ids: &mut LineIds) {
        let single = group.len() == 1;
        let fits = group.first().is_some_and(|line| content_len(line) <= self.cols);
        if single && fits {
            self.keep_line(group, &marks);
            return;
        }
        let stamp = group.iter().map(|line| line.stamp).max().unwrap_or(0);
        let mut text: Vec<Slot> = Vec::new();
        let (mut top_at, mut cursor_at) = (None, None);
        let last = group.len() - 1;
        for (at, line) in group.iter().enumerate() {
            if marks.top == Some(at) {
                top_at = Some(text.len());
            }
            if let Some((_, x)) = marks.cursor.filter(|(line, _)| *line == at) {
                cursor_at = Some(text.len() + x);
            }
            let len = if at == last { content_len(line) } else { line.cols() };
            text.extend(line.cells.iter().take(len).filter(|slot| !slot.is_filler()));
        }
        self.cut(&text, stamp, top_at, cursor_at, ids);
    }

    fn keep_line(&mut self, group: Vec<Line>, marks: &Marks) {
        for mut line in group {
            let at = self.lines.len();
            if marks.top.is_some() {
                self.top = Some(at);
            }
            if let Some((_, x)) = marks.cursor {
                self.cursor = Some((at, x));
            }
            line.set_cols(self.cols);
            line.touched = false;
            line.wrapped = false;
            self.lines.push(line);
        }
    }

    fn cut(
        &mut self,
        text: &[Slot],
        stamp: u64,
        top_at: Option<usize>,
        cursor_at: Option<usize>,
        ids: &mut LineIds,
    ) {
        let mut start = 0;
        loop {
            let rest = text.get(start..).unwrap_or_default();
            let take = self.piece_len(rest);
            let end = start + take;
            let last = end >= text.len();
            let at = self.lines.len();
            let holds = |mark: usize| mark >= start && (mark < end || last);
            if top_at.is_some_and(holds) {
                self.top = Some(at);
            }
            if let Some(mark) = cursor_at.filter(|mark| holds(*mark)) {
                self.cursor = Some((at, mark - start));
            }
            let mut line = Line::new(self.cols, ids.next());
            let piece = rest.get(..take).unwrap_or_default();
            line.paste(0, piece, self.cols);
            if !last && take < self.cols {
                line.put(take, Slot::filler(0));
            }
            line.wrapped = !last;
            line.touched = false;
            line.stamp = stamp;
            self.lines.push(line);
            if last {
                return;
            }
            start = end;
        }
    }

    /// How much of the text goes into one line: a wide glyph is not cut in two.
    fn piece_len(&self, text: &[Slot]) -> usize {
        if text.len() <= self.cols {
            return text.len();
        }
        let splits = text.get(self.cols).is_some_and(|slot| slot.is_spacer());
        if splits && self.cols > 1 { self.cols - 1 } else { self.cols }
    }

    fn finish(mut self, rows: usize, ids: &mut LineIds) -> Reflowed {
        let count = self.lines.len();
        let (cursor_y, cursor_x) = self.cursor.unwrap_or((count.saturating_sub(1), 0));
        // The cursor may stand in untouched space to the right.
        let mut top = self.top.unwrap_or(0).max(count.saturating_sub(rows));
        if cursor_y < top {
            top = cursor_y;
        }
        self.lines.truncate(top + rows);
        let mut screen = self.lines.split_off(top.min(self.lines.len()));
        while screen.len() < rows {
            let mut line = Line::new(self.cols, ids.next());
            line.touched = false;
            screen.push(line);
        }
        let pending = cursor_x >= self.cols;
        Reflowed {
            history: self.lines,
            screen,
            place: Place {
                x: cursor_x.min(self.cols.saturating_sub(1)),
                y: (cursor_y - top).min(rows.saturating_sub(1)),
                pending,
            },
        }
    }
}

/// Cells up to the last one that is not an untouched blank.
fn content_len(line: &Line) -> usize {
    line.cells.iter().rposition(|slot| *slot != Slot::BLANK).map_or(0, |last| last + 1)
}
