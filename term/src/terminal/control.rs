//! The parser's actions: controls and escape sequences here, the rest handed on.

use super::modes::{self, KEYPAD, ModeSet};
use super::state::{State, default_tabs};
use crate::charset::{Charset, Charsets};
use crate::events::TermEvent;
use crate::frame::CursorShape;
use crate::parser::{Actor, Csi, Ending, StringKind};
use crate::pen::Pen;
use crate::screen::{Place, Saved};

impl Actor for State {
    fn print_ascii(&mut self, run: &[u8]) {
        State::print_ascii(self, run);
    }

    fn print_char(&mut self, c: char) {
        State::print_char(self, c);
        self.in_text = true;
    }

    fn execute(&mut self, control: u8) {
        self.in_text = false;
        match control {
            0x07 => self.event(TermEvent::Bell),
            0x08 => self.backspace(),
            0x09 => self.tab(1),
            0x0a..=0x0c => self.new_line(),
            0x0d => self.carriage_return(),
            0x0e => self.charsets.active = 1,
            0x0f => self.charsets.active = 0,
            // SUB shows that something was broken off.
            0x1a => self.print_char(char::REPLACEMENT_CHARACTER),
            _ => {}
        }
    }

    fn escape(&mut self, intermediates: &[u8], last: u8) {
        self.in_text = false;
        match (intermediates, last) {
            ([], _) => self.plain_escape(last),
            ([b'#'], b'8') => self.alignment_pattern(),
            ([slot @ (b'(' | b')' | b'*' | b'+')], set) => {
                self.designate(usize::from(*slot - b'('), set);
            }
            // 96-character sets; the ones in use differ from ASCII only in what UTF-8 covers.
            ([slot @ (b'-' | b'.' | b'/')], _) => {
                self.designate(usize::from(*slot - b'-') + 1, b'B');
            }
            _ => {}
        }
    }

    fn csi(&mut self, csi: &Csi) {
        self.in_text = false;
        self.dispatch_csi(csi);
    }

    fn string(&mut self, kind: StringKind, data: &[u8], ending: Ending) {
        self.in_text = false;
        match kind {
            StringKind::Osc => self.operating_system_command(data, ending),
            StringKind::Dcs => self.device_control(data),
            StringKind::Title => self.set_title(data),
            StringKind::Apc => self.application_command(data),
            StringKind::Ignored => {}
        }
    }
}

impl State {
    /// Nothing is understood here, but who asks for kitty graphics waits for an answer.
    fn application_command(&mut self, data: &[u8]) {
        let control = data.split(|byte| *byte == b';').next().unwrap_or_default();
        let is_query = |pair: &[u8]| pair == b"a=q";
        if let Some(pairs) = control.strip_prefix(b"G")
            && pairs.split(|byte| *byte == b',').any(is_query)
        {
            self.replies.unanswered("APC G a=q");
        }
    }

    fn plain_escape(&mut self, last: u8) {
        match last {
            b'6' => self.back_index(),
            b'7' => self.save_cursor(),
            b'8' => self.restore_cursor(),
            b'9' => self.forward_index(),
            b'=' => self.modes.set(KEYPAD, true),
            b'>' => self.modes.set(KEYPAD, false),
            b'D' => self.line_feed(),
            b'E' => {
                self.line_feed();
                self.carriage_return();
            }
            b'H' => self.set_tab(),
            b'M' => self.reverse_line_feed(),
            b'N' => self.charsets.single = Some(2),
            b'O' => self.charsets.single = Some(3),
            b'V' => {
                self.guarded = true;
                self.protect(true);
            }
            b'W' => self.protect(false),
            b'Z' => self.report_primary_attributes(),
            b'c' => self.reset(),
            b'n' => self.charsets.active = 2,
            b'o' => self.charsets.active = 3,
            _ => {}
        }
    }

    fn designate(&mut self, slot: usize, set: u8) {
        let set = match set {
            b'0' | b'2' => Charset::LineDrawing,
            b'A' => Charset::British,
            _ => Charset::Ascii,
        };
        if let Some(place) = self.charsets.slots.get_mut(slot) {
            *place = set;
        }
    }

    /// DECBI: left, or everything right at the left margin.
    fn back_index(&mut self) {
        if self.place.x == self.region.left && self.region.holds(self.place.x, self.place.y) {
            self.shift_columns(self.region.left, 1, |line, shift| {
                line.insert(shift.from, shift.count, shift.right, shift.fill);
            });
        } else {
            self.place.x = self.place.x.saturating_sub(1);
        }
        self.place.pending = false;
    }

    /// DECFI: right, or everything left at the right margin.
    fn forward_index(&mut self) {
        if self.place.x + 1 == self.region.right && self.region.holds(self.place.x, self.place.y) {
            self.shift_columns(self.region.left, 1, |line, shift| {
                line.delete(shift.from, shift.count, shift.right, shift.fill);
            });
        } else if self.place.x + 1 < self.cols() {
            self.place.x += 1;
        }
        self.place.pending = false;
    }

    /// DECSTR: modes, margins and looks, not the text.
    pub fn soft_reset(&mut self) {
        for (mode, on) in [
            (modes::CURSOR_VISIBLE, true),
            (modes::AUTOWRAP, true),
            (modes::ORIGIN, false),
            (modes::INSERT, false),
            (modes::CURSOR_KEYS, false),
            (modes::KEYPAD, false),
            (modes::KEYBOARD_LOCK, false),
            (modes::SIDE_MARGINS, false),
            (modes::REVERSE_WRAP, false),
        ] {
            self.modes.set(mode, on);
        }
        self.region = self.whole();
        self.change_pen(Pen::default());
        self.charsets = Charsets::default();
        self.shape = CursorShape::Block;
        self.guarded = false;
        self.screen.saved = Saved::default();
        self.place.pending = false;
    }

    /// RIS: as after switching on; only history and the numbers of pictures go on.
    pub fn reset(&mut self) {
        self.show_alternate(false);
        let pasted = self.has(modes::BRACKETED_PASTE);
        self.modes = ModeSet::INITIAL;
        if pasted {
            self.event(TermEvent::BracketedPaste(false));
        }
        self.change_pen(Pen::default());
        self.charsets = Charsets::default();
        self.shape = CursorShape::Block;
        self.region = self.whole();
        self.tabs = default_tabs(self.cols());
        self.place = Place::default();
        self.modify_other_keys = 0;
        self.last_char = None;
        self.guarded = false;
        self.level = super::query::LEVEL;
        self.saved_modes.clear();
        self.titles.clear();
        self.pens.clear();
        self.palette = crate::palette::Palette::default();
        for screen in [&mut self.screen, &mut self.hidden] {
            screen.saved = Saved::default();
            screen.kitty.clear();
            for line in &mut screen.lines {
                let cols = line.cols();
                line.fill(0, cols, crate::slot::Slot::BLANK);
                line.wrapped = false;
            }
        }
    }
}
