//! Operating system commands: titles, links, colours, and what programs tell about themselves.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::state::State;
use super::status;
use crate::events::{Progress, ShellMark, TermEvent};
use crate::limits::{NOTE_BYTES_MAX, TITLE_BYTES_MAX, TITLE_STACK_MAX};
use crate::palette::{self, DYNAMIC};
use crate::parser::Ending;

impl State {
    pub fn operating_system_command(&mut self, data: &[u8], ending: Ending) {
        let digits = data.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(data.len());
        let (number, rest) = data.split_at(digits);
        let number = std::str::from_utf8(number).ok().and_then(|text| text.parse::<u32>().ok());
        let Some(number) = number else {
            return;
        };
        let body = match rest.split_first() {
            Some((b';', body)) => body,
            Some(_) => return,
            None => &[],
        };
        match number {
            0 | 2 => self.set_title(body),
            4 => self.palette_command(body, ending),
            8 => self.set_link(body),
            9 => self.notify_or_progress(body),
            10..=19 => self.dynamic_colors(number, body, ending),
            52 => self.clipboard(body),
            104 => self.reset_palette(body),
            110..=119 => self.palette.set_dynamic(number - 100, None),
            133 => self.shell_mark(body),
            7501 => self.program_status(body, ending),
            1 | 7 => {}
            _ if body.contains(&b'?') => self.replies.unanswered(&format!("OSC {number} ?")),
            _ => {}
        }
    }

    fn osc_reply(&mut self, body: &str, ending: Ending) {
        let end = match ending {
            Ending::Bell => "\x07",
            Ending::StringTerminator => "\x1b\\",
        };
        self.replies.push(format!("\x1b]{body}{end}"));
    }

    pub fn set_title(&mut self, data: &[u8]) {
        let title = text(data, TITLE_BYTES_MAX);
        if *title != *self.title {
            self.title = title.as_str().into();
            self.title_version += 1;
            self.event(TermEvent::Title(title));
        }
    }

    pub fn push_title(&mut self) {
        if self.titles.len() < TITLE_STACK_MAX {
            self.titles.push(std::sync::Arc::clone(&self.title));
        }
    }

    pub fn pop_title(&mut self) {
        if let Some(title) = self.titles.pop() {
            self.set_title(title.as_bytes());
        }
    }

    /// OSC 8: parameters, a semicolon, the target; no target ends the link.
    fn set_link(&mut self, body: &[u8]) {
        let target = body
            .iter()
            .position(|byte| *byte == b';')
            .and_then(|place| body.get(place + 1..))
            .and_then(|target| std::str::from_utf8(target).ok())
            .filter(|target| !target.chars().any(char::is_control))
            .unwrap_or_default();
        if self.styles.links_full() {
            self.make_room();
        }
        let mut pen = self.pen;
        pen.link = self.styles.link(target);
        self.change_pen(pen);
    }

    fn palette_command(&mut self, body: &[u8], ending: Ending) {
        let body = String::from_utf8_lossy(body);
        let mut parts = body.split(';');
        while let (Some(index), Some(value)) = (parts.next(), parts.next()) {
            let Ok(index) = index.parse::<u8>() else {
                continue;
            };
            if value == "?" {
                let color = color_spec(self.palette.numbered(index));
                self.osc_reply(&format!("4;{index};{color}"), ending);
            } else if let Some(color) = palette::parse(value) {
                self.palette.set_numbered(index, color);
            }
        }
    }

    fn reset_palette(&mut self, body: &[u8]) {
        if body.is_empty() {
            self.palette.reset_numbered(None);
        }
        let body = String::from_utf8_lossy(body);
        for index in body.split(';').filter_map(|part| part.parse().ok()) {
            self.palette.reset_numbered(Some(index));
        }
    }

    /// OSC 10 to 19; several values go to consecutive numbers.
    fn dynamic_colors(&mut self, first: u32, body: &[u8], ending: Ending) {
        let body = String::from_utf8_lossy(body);
        for (number, value) in (first..=*DYNAMIC.end()).zip(body.split(';')) {
            if value == "?" {
                let color = color_spec(self.palette.dynamic(number));
                self.osc_reply(&format!("{number};{color}"), ending);
            } else if let Some(color) = palette::parse(value) {
                self.palette.set_dynamic(number, Some(color));
            }
        }
    }

    /// OSC 9: `4;state;percent` is progress, anything else a notification.
    fn notify_or_progress(&mut self, body: &[u8]) {
        let body = text(body, NOTE_BYTES_MAX);
        let Some(progress) = body.strip_prefix("4;").or((body == "4").then_some("")) else {
            // `1;` to `12;` are commands to another terminal, such as telling the folder.
            let command = body.split_once(';').and_then(|(number, _)| number.parse::<u8>().ok());
            if !command.is_some_and(|number| (1..=12).contains(&number)) {
                self.event(TermEvent::Notification(body));
            }
            return;
        };
        let mut parts = progress.split(';');
        let state = parts.next().unwrap_or_default();
        let percent = parts.next().and_then(|text| text.parse::<u8>().ok()).unwrap_or(0).min(100);
        let progress = match state {
            "" | "0" => None,
            "1" => Some(Progress::Percent(percent)),
            "2" => Some(Progress::Error(percent)),
            "3" => Some(Progress::Indeterminate),
            "4" => Some(Progress::Paused(percent)),
            _ => return,
        };
        self.event(TermEvent::Progress(progress));
    }

    /// OSC 52: the size of what would have been copied. Nobody may read a clipboard here.
    fn clipboard(&mut self, body: &[u8]) {
        let data = body
            .iter()
            .position(|byte| *byte == b';')
            .and_then(|place| body.get(place + 1..))
            .unwrap_or_default();
        if data == b"?" {
            self.replies.unanswered("OSC 52 ?");
            return;
        }
        let bytes = STANDARD.decode(data).map_or(0, |decoded| decoded.len());
        self.event(TermEvent::ClipboardWrite { bytes });
    }

    fn shell_mark(&mut self, body: &[u8]) {
        let body = String::from_utf8_lossy(body);
        let mut parts = body.split(';');
        let mark = match parts.next() {
            Some("A") => ShellMark::PromptStart,
            Some("B") => ShellMark::CommandStart,
            Some("C") => ShellMark::OutputStart,
            Some("D") => ShellMark::Done { exit: parts.next().and_then(|code| code.parse().ok()) },
            Some(_) | None => return,
        };
        self.event(TermEvent::ShellMark(mark));
    }

    fn program_status(&mut self, body: &[u8], ending: Ending) {
        let Ok(body) = std::str::from_utf8(body) else {
            return;
        };
        if body == "?" {
            self.osc_reply("7501;?", ending);
        } else if let Some(status) = status::parse(body) {
            self.event(TermEvent::ProgramStatus(status));
        }
    }
}

/// Text of a program for people: no controls, bounded.
fn text(data: &[u8], bytes_max: usize) -> String {
    let mut out = String::new();
    for c in String::from_utf8_lossy(data).chars() {
        if out.len() + c.len_utf8() > bytes_max {
            break;
        }
        if !c.is_control() {
            out.push(c);
        }
    }
    out
}

fn color_spec((r, g, b): (u8, u8, u8)) -> String {
    format!("rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}")
}
