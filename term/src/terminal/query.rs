//! Queries and their answers. The whole list with exact bytes is `tests/replies.golden`.

use super::modes;
use super::state::State;
use crate::parser::Csi;

/// Pixels of a cell as reported to who asks; nothing here has pixels.
const CELL_WIDTH: usize = 8;
const CELL_HEIGHT: usize = 16;

/// VT220; DA1 says so.
pub(crate) const LEVEL: u16 = 62;

impl State {
    /// DA1: a VT220 with colour.
    pub fn report_primary_attributes(&mut self) {
        self.replies.push("\x1b[?62;22c");
    }

    /// DA2: the version number at which vim takes SGR mouse and bracketed paste for granted.
    pub fn report_secondary_attributes(&mut self, csi: &Csi) {
        if csi.raw(0) == 0 {
            self.replies.push("\x1b[>1;277;0c");
        }
    }

    /// DA3: unit id.
    pub fn report_tertiary_attributes(&mut self, csi: &Csi) {
        if csi.raw(0) == 0 {
            self.replies.push("\x1bP!|00000000\x1b\\");
        }
    }

    /// XTVERSION.
    pub fn report_version(&mut self, csi: &Csi) {
        if csi.raw(0) == 0 {
            let version = env!("CARGO_PKG_VERSION");
            self.replies.push(format!("\x1bP>|ttydrive({version})\x1b\\"));
        }
    }

    /// DSR.
    pub fn report_status(&mut self, what: u16) {
        match what {
            5 => self.replies.push("\x1b[0n"),
            6 => {
                let (row, column) = self.reported_position();
                self.replies.push(format!("\x1b[{row};{column}R"));
            }
            _ => self.replies.unanswered(&format!("CSI {what} n")),
        }
    }

    /// DSR with `?`.
    pub fn report_private_status(&mut self, what: u16, id: u16) {
        match what {
            // DECXCPR.
            6 => {
                let (row, column) = self.reported_position();
                self.replies.push(format!("\x1b[?{row};{column};1R"));
            }
            // No printer, keys unlocked, North American keyboard, no locator.
            15 => self.replies.push("\x1b[?13n"),
            25 => self.replies.push("\x1b[?20n"),
            26 => self.replies.push("\x1b[?27;1;0;0n"),
            53 | 55 => self.replies.push("\x1b[?50n"),
            56 => self.replies.push("\x1b[?57;0n"),
            // No room for macros and none there; no errors on the line; one session.
            62 => self.replies.push("\x1b[0*{"),
            63 => self.replies.push(format!("\x1bP{id}!~0000\x1b\\")),
            75 => self.replies.push("\x1b[?70n"),
            85 => self.replies.push("\x1b[?83n"),
            // Colour scheme: dark, as the default background is.
            996 => self.replies.push("\x1b[?997;1n"),
            _ => self.replies.unanswered(&format!("CSI ? {what} n")),
        }
    }

    fn reported_position(&self) -> (usize, usize) {
        let region = self.origin_region();
        (self.place.y.saturating_sub(region.top) + 1, self.place.x.saturating_sub(region.left) + 1)
    }

    /// DECREQTPARM.
    pub fn report_parameters(&mut self, what: u16) {
        let reply = format!("\x1b[{};1;1;128;128;1;0x", what + 2);
        self.replies.push(reply);
    }

    /// DECRQM.
    pub fn report_private_mode(&mut self, number: u16) {
        let permanent = modes::PERMANENT.iter().find(|(known, _)| *known == number);
        let value = match (self.private_mode(number), permanent) {
            (Some(true), _) => 1,
            (Some(false), _) => 2,
            (None, Some((_, value))) => *value,
            (None, None) => 0,
        };
        self.replies.push(format!("\x1b[?{number};{value}$y"));
    }

    pub fn report_ansi_mode(&mut self, number: u16) {
        let value = match modes::find(modes::ANSI, number) {
            Some(mode) if self.has(mode) => 1,
            Some(_) => 2,
            None if modes::ANSI_RESET.contains(&number) => 4,
            None => 0,
        };
        self.replies.push(format!("\x1b[{number};{value}$y"));
    }

    /// XTQMODKEYS.
    pub fn report_key_modifiers(&mut self, what: u16) {
        if what == 4 {
            let value = self.modify_other_keys;
            self.replies.push(format!("\x1b[>4;{value}m"));
        } else {
            self.replies.unanswered(&format!("CSI ? {what} m"));
        }
    }

    /// XTWINOPS: sizes are told, the title is not (it would come back as typed text), and
    /// nothing moves a window that does not exist.
    pub fn window_operation(&mut self, csi: &Csi) {
        let (cols, rows) = (self.cols(), self.rows());
        let what = csi.raw(0);
        match what {
            14 => {
                let (width, height) = (cols * CELL_WIDTH, rows * CELL_HEIGHT);
                self.replies.push(format!("\x1b[4;{height};{width}t"));
            }
            16 => self.replies.push(format!("\x1b[6;{CELL_HEIGHT};{CELL_WIDTH}t")),
            18 => self.replies.push(format!("\x1b[8;{rows};{cols}t")),
            19 => self.replies.push(format!("\x1b[9;{rows};{cols}t")),
            11 => self.replies.push("\x1b[1t"),
            22 => self.push_title(),
            23 => self.pop_title(),
            13 | 15 | 20 | 21 => self.replies.unanswered(&format!("CSI {what} t")),
            _ => {}
        }
    }

    /// DECRQCRA, with xterm's sum: what conformance suites read the screen by.
    pub fn report_checksum(&mut self, csi: &Csi) {
        let id = csi.raw(0);
        let area = self.rectangle(csi, 2);
        let mut sum: u16 = 0;
        for y in area.top..area.bottom {
            for x in area.left..area.right {
                let value = self.checksum_of(x, y);
                sum = sum.wrapping_sub(value);
            }
        }
        self.replies.push(format!("\x1bP{id}!~{sum:04X}\x1b\\"));
    }

    fn checksum_of(&self, x: usize, y: usize) -> u16 {
        let slot = self.screen.lines.get(y).and_then(|line| line.cells.get(x)).copied();
        match slot.map(crate::slot::Slot::glyph) {
            Some(crate::slot::SlotGlyph::Char(c)) => c as u32 as u16,
            Some(crate::slot::SlotGlyph::Cluster(_) | crate::slot::SlotGlyph::Spacer) | None => 0,
        }
    }
}
