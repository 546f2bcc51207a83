//! Control sequences by prefix, intermediates and final byte.

use super::edit::Spare;
use super::modes::{self, SIDE_MARGINS};
use super::state::State;
use crate::frame::CursorShape;
use crate::limits::REPEAT_MAX;
use crate::parser::Csi;
use crate::pen::PROTECTED;

impl State {
    pub fn dispatch_csi(&mut self, csi: &Csi) {
        match (csi.prefix, csi.intermediates()) {
            // By far the most frequent one.
            (0, []) if csi.last == b'm' => self.select_graphics(csi),
            (0, []) => self.plain_csi(csi),
            (b'?', []) => self.private_csi(csi),
            (b'>', []) => self.secondary_csi(csi),
            (b'=', []) => match csi.last {
                b'c' => self.report_tertiary_attributes(csi),
                b'u' => self.set_kitty_flags(csi),
                _ => {}
            },
            (b'<', []) if csi.last == b'u' => self.pop_kitty_flags(csi),
            (0, [b' ']) => self.space_csi(csi),
            (0, [b'!']) if csi.last == b'p' => self.soft_reset(),
            (0, [b'"']) if csi.last == b'q' => {
                self.guarded = false;
                self.protect(csi.raw(0) == 1);
            }
            (0, [b'"']) if csi.last == b'p' && (61..=65).contains(&csi.raw(0)) => {
                self.soft_reset();
                self.level = csi.raw(0);
            }
            (0, [b'$']) => self.rectangle_csi(csi),
            (b'?', [b'$']) if csi.last == b'p' => self.report_private_mode(csi.raw(0)),
            (0, [b'*']) if csi.last == b'y' => self.report_checksum(csi),
            (0, [b'\'']) => self.column_csi(csi),
            (0, [b'#']) => match csi.last {
                b'{' | b'p' => self.push_graphics(),
                b'}' | b'q' => self.pop_graphics(),
                _ => {}
            },
            _ => {}
        }
    }

    /// DECSCA, SPA and EPA: whether what is written now may be erased.
    pub fn protect(&mut self, on: bool) {
        let mut pen = self.pen;
        pen.set(PROTECTED, on);
        self.change_pen(pen);
    }

    fn plain_csi(&mut self, csi: &Csi) {
        let n = csi.count(0);
        match csi.last {
            b'H' | b'f' => self.set_position(csi.count(0) - 1, csi.count(1) - 1),
            b'A' => self.up(n),
            b'B' | b'e' => self.down(n),
            b'C' => self.right(n),
            b'a' => self.right(n),
            b'D' => self.left(n),
            b'E' => {
                self.down(n);
                self.carriage_return();
            }
            b'F' => {
                self.up(n);
                self.carriage_return();
            }
            b'G' | b'`' => self.set_column(n - 1),
            b'd' => self.set_row(n - 1),
            b'I' => self.tab(n),
            b'Z' => self.back_tab(n),
            b'g' => self.clear_tabs(csi.raw(0)),
            b'b' => self.repeat(n),
            b'h' => self.set_ansi_modes(csi, true),
            b'l' => self.set_ansi_modes(csi, false),
            b'r' => self.set_rows_region(csi),
            b's' if self.has(SIDE_MARGINS) => self.set_columns_region(csi),
            b's' => self.save_cursor(),
            b'u' => self.restore_cursor(),
            b'c' if csi.raw(0) == 0 => self.report_primary_attributes(),
            b'n' => self.report_status(csi.raw(0)),
            b't' => self.window_operation(csi),
            b'x' if csi.raw(0) <= 1 => self.report_parameters(csi.raw(0)),
            _ => self.edit_csi(csi, n),
        }
    }

    fn edit_csi(&mut self, csi: &Csi, n: usize) {
        match csi.last {
            b'J' => self.erase_display(csi.raw(0), Spare::Nothing),
            b'K' => self.erase_line(csi.raw(0), Spare::Nothing),
            b'X' => self.erase_chars(n),
            b'@' => self.insert_chars(n),
            b'P' => self.delete_chars(n),
            b'L' => self.insert_lines(n),
            b'M' => self.delete_lines(n),
            b'S' => self.scroll_up(n),
            b'T' if csi.params().len() <= 1 => self.scroll_down(n),
            b'^' => self.scroll_down(n),
            _ => {}
        }
    }

    fn private_csi(&mut self, csi: &Csi) {
        match csi.last {
            b'h' => csi.params().iter().for_each(|n| self.set_private(*n, true)),
            b'l' => csi.params().iter().for_each(|n| self.set_private(*n, false)),
            b's' => csi.params().iter().for_each(|n| self.save_private(*n)),
            b'r' => csi.params().iter().for_each(|n| self.restore_private(*n)),
            b'J' => self.erase_display(csi.raw(0), Spare::Protected),
            b'K' => self.erase_line(csi.raw(0), Spare::Protected),
            b'n' => self.report_private_status(csi.raw(0), csi.raw(1)),
            b'u' => {
                let flags = self.screen.kitty_flags();
                self.replies.push(format!("\x1b[?{flags}u"));
            }
            b'm' => self.report_key_modifiers(csi.raw(0)),
            // XTSMGRAPHICS: there are no graphics.
            b'S' => self.replies.unanswered(&format!("CSI ? {} S", csi.raw(0))),
            b'W' if csi.raw(0) == 5 => self.tabs = super::state::default_tabs(self.cols()),
            _ => {}
        }
    }

    fn secondary_csi(&mut self, csi: &Csi) {
        match csi.last {
            b'c' => self.report_secondary_attributes(csi),
            b'q' => self.report_version(csi),
            b'u' => self.push_kitty_flags(csi),
            b'm' if csi.raw(0) == 4 || csi.params().is_empty() => {
                self.modify_other_keys = csi.raw(1).min(2) as u8;
            }
            b'n' if csi.raw(0) == 4 => self.modify_other_keys = 0,
            _ => {}
        }
    }

    fn space_csi(&mut self, csi: &Csi) {
        match csi.last {
            b'q' => self.set_cursor_style(csi.raw(0)),
            b'@' => self.shift_columns(self.region.left, csi.count(0), |line, shift| {
                line.delete(shift.from, shift.count, shift.right, shift.fill);
            }),
            b'A' => self.shift_columns(self.region.left, csi.count(0), |line, shift| {
                line.insert(shift.from, shift.count, shift.right, shift.fill);
            }),
            _ => {}
        }
    }

    fn column_csi(&mut self, csi: &Csi) {
        if !self.region.holds(self.place.x, self.place.y) {
            return;
        }
        match csi.last {
            b'}' => self.shift_columns(self.place.x, csi.count(0), |line, shift| {
                line.insert(shift.from, shift.count, shift.right, shift.fill);
            }),
            b'~' => self.shift_columns(self.place.x, csi.count(0), |line, shift| {
                line.delete(shift.from, shift.count, shift.right, shift.fill);
            }),
            _ => {}
        }
    }

    /// DECSCUSR.
    fn set_cursor_style(&mut self, style: u16) {
        self.shape = match style {
            3 | 4 => CursorShape::Underline,
            5 | 6 => CursorShape::Bar,
            _ => CursorShape::Block,
        };
        self.modes.set(modes::CURSOR_BLINK, style == 0 || style % 2 == 1);
    }

    /// REP.
    fn repeat(&mut self, count: usize) {
        let Some(c) = self.last_char else {
            return;
        };
        let cells = self.cols() * self.rows();
        for _ in 0..count.min(REPEAT_MAX).min(cells.max(1)) {
            self.print_again(c);
        }
    }

    fn set_ansi_modes(&mut self, csi: &Csi, on: bool) {
        for number in csi.params() {
            if let Some(mode) = modes::find(modes::ANSI, *number) {
                self.modes.set(mode, on);
            }
        }
    }

    /// DECSTBM.
    fn set_rows_region(&mut self, csi: &Csi) {
        let rows = self.rows();
        let top = csi.count(0) - 1;
        let bottom = match csi.raw(1) {
            0 => rows,
            n => usize::from(n).min(rows),
        };
        if top + 1 < bottom {
            (self.region.top, self.region.bottom) = (top, bottom);
            self.set_position(0, 0);
        }
    }

    /// DECSLRM.
    fn set_columns_region(&mut self, csi: &Csi) {
        let cols = self.cols();
        let left = csi.count(0) - 1;
        let right = match csi.raw(1) {
            0 => cols,
            n => usize::from(n).min(cols),
        };
        if left + 1 < right {
            (self.region.left, self.region.right) = (left, right);
            self.set_position(0, 0);
        }
    }

    pub fn home(&mut self) {
        self.set_position(0, 0);
    }
}
