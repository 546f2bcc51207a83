//! Modes that do something when they change, the alternate screen and the keyboard stacks.

use super::edit::Spare;
use super::modes::{self, Mode};
use super::state::State;
use crate::events::TermEvent;
use crate::limits::KITTY_STACK_MAX;
use crate::parser::Csi;

/// Private modes whose value XTSAVE keeps; more than there are modes is never needed.
const SAVED_MODES_MAX: usize = 64;

impl State {
    pub fn set_private(&mut self, number: u16, on: bool) {
        match number {
            3 => self.set_columns_132(on),
            6 => {
                self.modes.set(modes::ORIGIN, on);
                self.home();
            }
            47 => self.show_alternate(on),
            1047 => {
                if !on && self.on_alternate {
                    self.clear_screen();
                }
                self.show_alternate(on);
            }
            1048 if on => self.save_cursor(),
            1048 => self.restore_cursor(),
            1049 => self.alternate_with_cursor(on),
            69 => {
                self.modes.set(modes::SIDE_MARGINS, on);
                (self.region.left, self.region.right) = (0, self.cols());
            }
            2004 => {
                if self.has(modes::BRACKETED_PASTE) != on {
                    self.modes.set(modes::BRACKETED_PASTE, on);
                    self.event(TermEvent::BracketedPaste(on));
                }
            }
            2026 => self.set_synchronized(on),
            _ => {
                if let Some(mode) = modes::find(modes::PRIVATE, number) {
                    self.set_plain_private(mode, on);
                }
            }
        }
    }

    fn set_plain_private(&mut self, mode: Mode, on: bool) {
        if modes::MOUSE_TRACKING.contains(&mode) {
            for other in modes::MOUSE_TRACKING {
                self.modes.set(*other, false);
            }
        }
        self.modes.set(mode, on);
    }

    /// The picture before the update is what readers see until it is over.
    fn set_synchronized(&mut self, on: bool) {
        if on && !self.has(modes::SYNCHRONIZED) {
            self.take_picture();
            self.updates += 1;
        }
        self.modes.set(modes::SYNCHRONIZED, on);
    }

    /// DECCOLM without a change of size, which is the caller's business: it clears and homes.
    fn set_columns_132(&mut self, on: bool) {
        if !self.has(modes::ALLOW_132) {
            return;
        }
        self.modes.set(modes::COLUMNS_132, on);
        self.region = self.whole();
        self.modes.set(modes::SIDE_MARGINS, false);
        if !self.has(modes::NO_CLEAR_ON_132) {
            self.clear_screen();
        }
        self.home();
    }

    pub fn clear_screen(&mut self) {
        self.erase_display(2, Spare::Nothing);
    }

    fn alternate_with_cursor(&mut self, on: bool) {
        if on == self.on_alternate {
            return;
        }
        if on {
            self.save_cursor();
            self.show_alternate(true);
            self.clear_screen();
        } else {
            self.show_alternate(false);
            self.restore_cursor();
        }
    }

    pub fn show_alternate(&mut self, on: bool) {
        if on == self.on_alternate {
            return;
        }
        std::mem::swap(&mut self.screen, &mut self.hidden);
        self.on_alternate = on;
        if on {
            // What scrolled off is the transcript of one life of the alternate screen.
            self.screen.history.clear();
        }
    }

    pub fn private_mode(&self, number: u16) -> Option<bool> {
        match number {
            47 | 1047 | 1049 => Some(self.on_alternate),
            1048 => Some(true),
            _ => modes::find(modes::PRIVATE, number).map(|mode| self.has(mode)),
        }
    }

    pub fn save_private(&mut self, number: u16) {
        let Some(value) = self.private_mode(number) else {
            return;
        };
        self.saved_modes.retain(|(known, _)| *known != number);
        if self.saved_modes.len() < SAVED_MODES_MAX {
            self.saved_modes.push((number, value));
        }
    }

    pub fn restore_private(&mut self, number: u16) {
        let saved = self.saved_modes.iter().find(|(known, _)| *known == number);
        if let Some((_, value)) = saved.copied() {
            self.set_private(number, value);
        }
    }

    /// `CSI > flags u`.
    pub fn push_kitty_flags(&mut self, csi: &Csi) {
        if self.screen.kitty.len() >= KITTY_STACK_MAX {
            self.screen.kitty.remove(0);
        }
        self.screen.kitty.push(kitty_bits(csi.raw(0)));
    }

    /// `CSI < count u`.
    pub fn pop_kitty_flags(&mut self, csi: &Csi) {
        let left = self.screen.kitty.len().saturating_sub(csi.count(0));
        self.screen.kitty.truncate(left);
    }

    /// `CSI = flags ; how u`: 1 sets all, 2 adds, 3 removes.
    pub fn set_kitty_flags(&mut self, csi: &Csi) {
        let given = kitty_bits(csi.raw(0));
        let now = self.screen.kitty_flags();
        let flags = match csi.count(1) {
            1 => given,
            2 => now | given,
            3 => now & !given,
            _ => return,
        };
        match self.screen.kitty.last_mut() {
            Some(last) => *last = flags,
            None => self.screen.kitty.push(flags),
        }
    }
}

fn kitty_bits(flags: u16) -> u8 {
    (flags & 31) as u8
}
