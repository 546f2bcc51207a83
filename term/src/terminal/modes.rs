//! The modes of SM, RM, DECSET and DECRST as one table: number, flag, and what DECRQM says.

use crate::frame::{Modes, MouseMode};

/// A set of modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ModeSet(u64);

/// One mode that is kept as a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mode(u64);

pub(crate) const INSERT: Mode = Mode(1);
pub(crate) const NEWLINE: Mode = Mode(1 << 1);
pub(crate) const CURSOR_KEYS: Mode = Mode(1 << 2);
pub(crate) const REVERSE_VIDEO: Mode = Mode(1 << 3);
pub(crate) const ORIGIN: Mode = Mode(1 << 4);
pub(crate) const AUTOWRAP: Mode = Mode(1 << 5);
pub(crate) const CURSOR_BLINK: Mode = Mode(1 << 6);
pub(crate) const CURSOR_VISIBLE: Mode = Mode(1 << 7);
pub(crate) const ALLOW_132: Mode = Mode(1 << 8);
pub(crate) const REVERSE_WRAP: Mode = Mode(1 << 9);
pub(crate) const KEYPAD: Mode = Mode(1 << 10);
pub(crate) const SIDE_MARGINS: Mode = Mode(1 << 11);
pub(crate) const MOUSE_X10: Mode = Mode(1 << 12);
pub(crate) const MOUSE_NORMAL: Mode = Mode(1 << 13);
pub(crate) const MOUSE_BUTTON: Mode = Mode(1 << 14);
pub(crate) const MOUSE_ANY: Mode = Mode(1 << 15);
pub(crate) const FOCUS: Mode = Mode(1 << 16);
pub(crate) const MOUSE_UTF8: Mode = Mode(1 << 17);
pub(crate) const MOUSE_SGR: Mode = Mode(1 << 18);
pub(crate) const ALTERNATE_SCROLL: Mode = Mode(1 << 19);
pub(crate) const MOUSE_URXVT: Mode = Mode(1 << 20);
pub(crate) const BRACKETED_PASTE: Mode = Mode(1 << 21);
pub(crate) const SYNCHRONIZED: Mode = Mode(1 << 22);
pub(crate) const KEYBOARD_LOCK: Mode = Mode(1 << 23);
pub(crate) const LOCAL_ECHO_OFF: Mode = Mode(1 << 24);
pub(crate) const COLOR_SCHEME: Mode = Mode(1 << 25);
pub(crate) const COLUMNS_132: Mode = Mode(1 << 26);
pub(crate) const NO_CLEAR_ON_132: Mode = Mode(1 << 27);
/// Kept and told, without an effect: nothing here scrolls smoothly, prints or has keys.
const SMOOTH_SCROLL: Mode = Mode(1 << 28);
const PRINT_FORM_FEED: Mode = Mode(1 << 29);
const PRINT_SCREEN: Mode = Mode(1 << 30);
const NATIONAL_SETS: Mode = Mode(1 << 31);
/// DECBKM: the Backspace key sends BS.
pub(crate) const BACKSPACE_IS_BS: Mode = Mode(1 << 32);
/// A tab at the end of a full line begins the next one.
pub(crate) const TAB_WRAPS: Mode = Mode(1 << 33);

/// Modes of `CSI n h` without a prefix.
pub(crate) const ANSI: &[(u16, Mode)] =
    &[(2, KEYBOARD_LOCK), (4, INSERT), (12, LOCAL_ECHO_OFF), (20, NEWLINE)];

/// Modes of `CSI ? n h` that are a bit and nothing more; those that also do something are
/// handled before this table is read.
pub(crate) const PRIVATE: &[(u16, Mode)] = &[
    (1, CURSOR_KEYS),
    (3, COLUMNS_132),
    (4, SMOOTH_SCROLL),
    (5, REVERSE_VIDEO),
    (6, ORIGIN),
    (7, AUTOWRAP),
    (9, MOUSE_X10),
    (12, CURSOR_BLINK),
    (18, PRINT_FORM_FEED),
    (19, PRINT_SCREEN),
    (25, CURSOR_VISIBLE),
    (40, ALLOW_132),
    (41, TAB_WRAPS),
    (42, NATIONAL_SETS),
    (45, REVERSE_WRAP),
    (66, KEYPAD),
    (67, BACKSPACE_IS_BS),
    (69, SIDE_MARGINS),
    (95, NO_CLEAR_ON_132),
    (1000, MOUSE_NORMAL),
    (1002, MOUSE_BUTTON),
    (1003, MOUSE_ANY),
    (1004, FOCUS),
    (1005, MOUSE_UTF8),
    (1006, MOUSE_SGR),
    (1007, ALTERNATE_SCROLL),
    (1015, MOUSE_URXVT),
    (1045, REVERSE_WRAP),
    (2004, BRACKETED_PASTE),
    (2026, SYNCHRONIZED),
    (2031, COLOR_SCHEME),
];

/// Modes that never change here: number and what DECRQM answers (3 set, 4 reset).
pub(crate) const PERMANENT: &[(u16, u8)] = &[
    (8, 3),    // auto repeat
    (2027, 3), // grapheme clusters
];

/// Modes without a prefix that are always reset: the ones of block-mode terminals.
pub(crate) const ANSI_RESET: &[u16] = &[1, 5, 7, 10, 11, 13, 14, 15, 16, 17, 18, 19];

/// Of the mouse modes only the last one set is on.
pub(crate) const MOUSE_TRACKING: &[Mode] = &[MOUSE_X10, MOUSE_NORMAL, MOUSE_BUTTON, MOUSE_ANY];

impl ModeSet {
    pub const INITIAL: Self =
        Self(AUTOWRAP.0 | CURSOR_VISIBLE.0 | LOCAL_ECHO_OFF.0 | ALTERNATE_SCROLL.0);

    pub const fn has(self, mode: Mode) -> bool {
        self.0 & mode.0 != 0
    }

    pub fn set(&mut self, mode: Mode, on: bool) {
        if on {
            self.0 |= mode.0;
        } else {
            self.0 &= !mode.0;
        }
    }

    /// The modes as frames tell them; what is not a bit is filled in by the caller.
    pub fn frame_modes(self) -> Modes {
        let mouse = if self.has(MOUSE_ANY) {
            MouseMode::Any
        } else if self.has(MOUSE_BUTTON) {
            MouseMode::Button
        } else if self.has(MOUSE_NORMAL) {
            MouseMode::Normal
        } else if self.has(MOUSE_X10) {
            MouseMode::X10
        } else {
            MouseMode::Off
        };
        Modes {
            alternate_screen: false,
            bracketed_paste: self.has(BRACKETED_PASTE),
            application_cursor: self.has(CURSOR_KEYS),
            application_keypad: self.has(KEYPAD),
            newline: self.has(NEWLINE),
            backspace_is_bs: self.has(BACKSPACE_IS_BS),
            focus_reporting: self.has(FOCUS),
            mouse,
            mouse_sgr: self.has(MOUSE_SGR),
            modify_other_keys: 0,
            kitty_flags: 0,
            origin: self.has(ORIGIN),
            insert: self.has(INSERT),
            autowrap: self.has(AUTOWRAP),
            reverse_screen: self.has(REVERSE_VIDEO),
            synchronized_update: self.has(SYNCHRONIZED),
        }
    }
}

pub(crate) fn find(table: &[(u16, Mode)], number: u16) -> Option<Mode> {
    table.iter().find(|(known, _)| *known == number).map(|(_, mode)| *mode)
}
