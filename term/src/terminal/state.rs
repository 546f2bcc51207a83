//! Everything a terminal remembers, and the small services the other files share.

use std::collections::VecDeque;
use std::sync::Arc;

use super::modes::{self, Mode, ModeSet};
use super::replies::Replies;
use crate::charset::Charsets;
use crate::clusters::Clusters;
use crate::events::TermEvent;
use crate::frame::{Cursor, CursorShape, Modes, Size};
use crate::limits::{CLUSTERS_MAX, EVENTS_MAX, STYLES_MAX};
use crate::palette::Palette;
use crate::pen::Pen;
use crate::picture::{Picture, Surroundings};
use crate::screen::{LineIds, Place, Region, Screen};
use crate::slot::{Slot, SlotGlyph};
use crate::style::Styles;

#[derive(Debug)]
pub(crate) struct State {
    pub size: Size,
    /// The screen in use.
    pub screen: Screen,
    /// The other one.
    pub hidden: Screen,
    pub on_alternate: bool,
    pub place: Place,
    pub shape: CursorShape,
    pub pen: Pen,
    /// Pushed by XTPUSHSGR.
    pub pens: Vec<Pen>,
    /// Numbers of the pen and of what erasing leaves; `None` after the pen changed.
    pen_number: Option<u32>,
    erase_number: Option<u32>,
    pub charsets: Charsets,
    pub region: Region,
    pub tabs: Vec<bool>,
    pub modes: ModeSet,
    pub saved_modes: Vec<(u16, bool)>,
    pub modify_other_keys: u8,
    pub last_char: Option<char>,
    /// Nothing but characters came since the last character: only then may the next one be a
    /// later part of the same emoji or syllable.
    pub in_text: bool,
    pub title: Arc<str>,
    pub title_version: u64,
    pub titles: Vec<Arc<str>>,
    pub palette: Palette,
    pub styles: Styles,
    pub clusters: Clusters,
    pub ids: LineIds,
    pub picture: Picture,
    pub replies: Replies,
    pub events: VecDeque<TermEvent>,
    /// DECSCL, 61 to 65: told when asked.
    pub level: u16,
    /// Protection was last set by SPA, which every erase respects, not by DECSCA.
    pub guarded: bool,
    /// Synchronized updates ever opened.
    pub updates: u64,
    /// So many requests for room are refused without looking.
    hopeless: u32,
}

/// About one full screen of new looks between two tries.
const HOPELESS: u32 = 100_000;

impl State {
    pub fn new(size: Size, scrollback: usize) -> Self {
        let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
        let mut ids = LineIds::default();
        let cursor = Cursor { x: 0, y: 0, visible: true, shape: CursorShape::Block };
        let around = Surroundings {
            cursor,
            modes: ModeSet::INITIAL.frame_modes(),
            title_version: 0,
            history_total: 0,
        };
        Self {
            size,
            screen: Screen::new(cols, rows, scrollback, &mut ids),
            hidden: Screen::new(cols, rows, scrollback, &mut ids),
            on_alternate: false,
            place: Place::default(),
            shape: CursorShape::Block,
            pen: Pen::default(),
            pen_number: Some(0),
            erase_number: Some(0),
            charsets: Charsets::default(),
            region: whole(cols, rows),
            tabs: default_tabs(cols),
            modes: ModeSet::INITIAL,
            saved_modes: Vec::new(),
            modify_other_keys: 0,
            last_char: None,
            in_text: false,
            title: Arc::from(""),
            title_version: 0,
            titles: Vec::new(),
            pens: Vec::new(),
            palette: Palette::default(),
            styles: Styles::new(),
            clusters: Clusters::new(),
            ids,
            picture: Picture::new(around),
            replies: Replies::default(),
            events: VecDeque::new(),
            level: super::query::LEVEL,
            guarded: false,
            updates: 0,
            hopeless: 0,
        }
    }

    pub fn cols(&self) -> usize {
        usize::from(self.size.cols)
    }

    pub fn rows(&self) -> usize {
        usize::from(self.size.rows)
    }

    pub fn has(&self, mode: Mode) -> bool {
        self.modes.has(mode)
    }

    pub fn main(&self) -> &Screen {
        if self.on_alternate { &self.hidden } else { &self.screen }
    }

    pub fn alternate(&self) -> &Screen {
        if self.on_alternate { &self.screen } else { &self.hidden }
    }

    pub fn change_pen(&mut self, pen: Pen) {
        self.pen = pen;
        self.pen_number = None;
        self.erase_number = None;
    }

    /// Number of the pen in the style table.
    pub fn pen_style(&mut self) -> u32 {
        match self.pen_number {
            Some(number) => number,
            None => {
                let number = self.intern(self.pen);
                self.pen_number = Some(number);
                number
            }
        }
    }

    /// What erasing leaves in a cell.
    pub fn erased(&mut self) -> Slot {
        let number = match self.erase_number {
            Some(number) => number,
            None => {
                let number = self.intern(self.pen.erased());
                self.erase_number = Some(number);
                number
            }
        };
        Slot::blank(number)
    }

    fn intern(&mut self, pen: Pen) -> u32 {
        if self.styles.is_full() {
            self.make_room();
        }
        self.styles.intern(pen)
    }

    pub fn event(&mut self, event: TermEvent) {
        if self.events.len() >= EVENTS_MAX {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    pub fn whole(&self) -> Region {
        whole(self.cols(), self.rows())
    }

    pub fn frame_modes(&self) -> Modes {
        Modes {
            alternate_screen: self.on_alternate,
            modify_other_keys: self.modify_other_keys,
            kitty_flags: self.screen.kitty_flags(),
            ..self.modes.frame_modes()
        }
    }

    pub fn cursor(&self) -> Cursor {
        Cursor {
            x: self.place.x.min(self.cols().saturating_sub(1)) as u16,
            y: self.place.y.min(self.rows().saturating_sub(1)) as u16,
            visible: self.has(modes::CURSOR_VISIBLE),
            shape: self.shape,
        }
    }

    /// Compares the screen with the last picture and keeps the new one. Also while a
    /// synchronized update is open: whoever calls has decided.
    pub fn take_picture(&mut self) -> crate::picture::Taken {
        let around = Surroundings {
            cursor: self.cursor(),
            modes: self.frame_modes(),
            title_version: self.title_version,
            history_total: self.main().history.total(),
        };
        self.picture.title = Arc::clone(&self.title);
        self.picture.take(self.screen.lines.make_contiguous(), around, &self.styles)
    }

    /// Bytes of cells and tables, without the fixed parts.
    pub fn memory_bytes(&self) -> usize {
        let lines = [&self.screen, &self.hidden]
            .into_iter()
            .flat_map(|screen| screen.lines.iter().chain(screen.history.lines()));
        let cells: usize =
            lines.map(|line| size_of_val(line) + line.cells.capacity() * size_of::<Slot>()).sum();
        cells + self.styles.memory_bytes() + self.clusters.memory_bytes()
    }

    /// Frees looks and clusters that no cell uses any more. When that frees too little, the
    /// older half of the history loses its looks and joined marks rather than its text. When
    /// all are in use on the screen itself, looking again at every new one would be a crawl:
    /// then the next ones go without.
    pub fn make_room(&mut self) {
        if self.hopeless > 0 {
            self.hopeless -= 1;
            return;
        }
        loop {
            let (styles, clusters) = self.mark();
            let pens = [self.pen, self.screen.saved.pen, self.hidden.saved.pen];
            self.styles.collect(&styles, &pens);
            self.clusters.collect(&clusters);
            (self.pen_number, self.erase_number) = (None, None);
            let crowded = self.styles.live() > STYLES_MAX / 4 * 3
                || self.clusters.live() > CLUSTERS_MAX / 4 * 3
                || self.styles.links_full();
            if !crowded {
                return;
            }
            if !self.strip_oldest() {
                self.hopeless = HOPELESS;
                return;
            }
        }
    }

    fn mark(&self) -> (Vec<bool>, Vec<bool>) {
        let mut styles = vec![false; self.styles.capacity()];
        let mut clusters = vec![false; self.clusters.capacity()];
        let mut mark = |cells: &[Slot]| {
            for slot in cells {
                if let Some(place) = styles.get_mut(slot.style as usize) {
                    *place = true;
                }
                if let SlotGlyph::Cluster(number) = slot.glyph()
                    && let Some(place) = clusters.get_mut(number as usize)
                {
                    *place = true;
                }
            }
        };
        for screen in [&self.screen, &self.hidden] {
            for line in screen.lines.iter().chain(screen.history.lines()) {
                mark(&line.cells);
            }
        }
        for row in &self.picture.rows {
            mark(&row.cells);
        }
        (styles, clusters)
    }

    /// Plain text for the older half of both histories; false when no line was left.
    fn strip_oldest(&mut self) -> bool {
        let mut stripped = false;
        for screen in [&mut self.screen, &mut self.hidden] {
            for line in screen.history.next_oldest_half() {
                stripped = true;
                for slot in &mut line.cells {
                    *slot = slot.plain(&self.clusters);
                }
            }
        }
        stripped
    }
}

pub(crate) fn whole(cols: usize, rows: usize) -> Region {
    Region { top: 0, bottom: rows, left: 0, right: cols }
}

pub(crate) fn default_tabs(cols: usize) -> Vec<bool> {
    (0..cols).map(|x| x % 8 == 0 && x > 0).collect()
}
