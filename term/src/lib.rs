//! Bytes to frames: the headless terminal emulator and everything that is purely about
//! terminals. Pure: no clock, no file, no process; time is the caller's business.

pub mod cast;
mod charset;
mod clusters;
pub mod events;
pub mod frame;
mod history;
pub mod keys;
mod limits;
mod line;
mod palette;
mod parser;
pub mod paste;
mod pen;
mod picture;
mod reflow;
pub mod render;
mod screen;
mod slot;
mod style;
pub mod terminal;
mod unicode;
mod utf8;

pub use events::{ProgramState, ProgramStatus, Progress, ShellMark, TermEvent};
pub use frame::{
    Cell, Color, Cursor, CursorShape, Frame, Glyph, Modes, MouseMode, Row, Size, Style, Underline,
};
pub use terminal::{Options, Terminal};
