//! Bytes to frames: the headless terminal emulator and everything that is purely about
//! terminals. Pure: no clock, no file, no process; time is the caller's business.

pub mod cast;
pub mod events;
pub mod frame;
pub mod keys;
mod palette;
pub mod paste;
pub mod render;
pub mod terminal;

pub use events::{ProgramState, ProgramStatus, Progress, ShellMark, TermEvent};
pub use frame::{
    Cell, Color, Cursor, CursorShape, Frame, Glyph, Modes, MouseMode, Row, Size, Style, Underline,
};
pub use terminal::{Options, Terminal};
