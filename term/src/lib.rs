//! Bytes to frames: the headless terminal emulator and everything that is purely about
//! terminals. Pure: no clock, no file, no process; time is the caller's business.

pub mod frame;

pub use frame::{
    Cell, Color, Cursor, CursorShape, Frame, Glyph, Modes, MouseMode, Row, Size, Style, Underline,
};
