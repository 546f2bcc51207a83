//! The screen as bytes that paint it again in a fresh terminal of the same size.

use std::fmt::Write as _;

use super::Terminal;
use crate::frame::{CursorShape, Frame, MouseMode};
use crate::render;

impl Terminal {
    /// Paints up to `history_lines` lines of history, the screen, and sets cursor, title and
    /// the modes that decide about input.
    pub fn snapshot_ansi(&mut self, history_lines: usize) -> Vec<u8> {
        let frame = self.frame();
        let mut out = String::new();
        if frame.modes.alternate_screen {
            out.push_str("\x1b[?1049h");
        } else {
            let total = self.history_total();
            let from = total.saturating_sub(history_lines as u64);
            let mut rows: Vec<_> =
                self.history(from, history_lines).into_iter().map(|(_, row)| row).collect();
            rows.extend(frame.rows.iter().cloned());
            out.push_str("\x1b[H");
            out.push_str(&render::ansi_screen(&rows));
        }
        if frame.modes.alternate_screen {
            out.push_str("\x1b[H");
            out.push_str(&render::ansi_screen(&frame.rows));
        }
        push_modes(&mut out, &frame);
        out.into_bytes()
    }
}

fn push_modes(out: &mut String, frame: &Frame) {
    let title: String = frame.title.chars().filter(|c| !c.is_control()).collect();
    if !title.is_empty() {
        let _ = write!(out, "\x1b]2;{title}\x1b\\");
    }
    let modes = frame.modes;
    let mouse = match modes.mouse {
        MouseMode::Off => None,
        MouseMode::X10 => Some(9),
        MouseMode::Normal => Some(1000),
        MouseMode::Button => Some(1002),
        MouseMode::Any => Some(1003),
    };
    for (on, number) in [
        (modes.application_cursor, 1),
        (modes.bracketed_paste, 2004),
        (modes.focus_reporting, 1004),
        (modes.mouse_sgr, 1006),
        (mouse.is_some(), mouse.unwrap_or_default()),
    ] {
        if on {
            let _ = write!(out, "\x1b[?{number}h");
        }
    }
    if modes.application_keypad {
        out.push_str("\x1b=");
    }
    let shape = match frame.cursor.shape {
        CursorShape::Block => 2,
        CursorShape::Underline => 4,
        CursorShape::Bar => 6,
    };
    let visible = if frame.cursor.visible { 'h' } else { 'l' };
    let _ = write!(
        out,
        "\x1b[{};{}H\x1b[{shape} q\x1b[?25{visible}",
        frame.cursor.y + 1,
        frame.cursor.x + 1
    );
}
