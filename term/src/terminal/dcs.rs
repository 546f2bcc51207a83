//! Device control strings: DECRQSS and XTGETTCAP. Pictures and the rest are ignored.

use super::modes::CURSOR_BLINK;
use super::state::State;
use crate::frame::{Color, CursorShape, Underline};
use crate::pen::{BLINK, BOLD, DIM, HIDDEN, INVERSE, ITALIC, OVERLINE, PROTECTED, Pen, STRIKE};

/// Names in one XTGETTCAP; vim asks for a few dozen in as many strings.
const NAMES_MAX: usize = 64;

/// What XTGETTCAP is answered: terminfo names of xterm-256color with true colour.
const CAPABILITIES: &[(&str, &str)] = &[
    ("TN", "xterm-256color"),
    ("name", "xterm-256color"),
    ("Co", "256"),
    ("colors", "256"),
    ("RGB", "8/8/8"),
    ("kb", "\x7f"),
    ("ku", "\x1bOA"),
    ("kd", "\x1bOB"),
    ("kr", "\x1bOC"),
    ("kl", "\x1bOD"),
    ("kh", "\x1bOH"),
    ("@7", "\x1bOF"),
    ("kI", "\x1b[2~"),
    ("kD", "\x1b[3~"),
    ("kP", "\x1b[5~"),
    ("kN", "\x1b[6~"),
    ("kB", "\x1b[Z"),
    ("#2", "\x1b[1;2H"),
    ("#4", "\x1b[1;2D"),
    ("%i", "\x1b[1;2C"),
    ("*7", "\x1b[1;2F"),
    ("K1", "\x1bOw"),
    ("K3", "\x1bOy"),
    ("K4", "\x1bOq"),
    ("K5", "\x1bOs"),
    ("PS", "\x1b[200~"),
    ("PE", "\x1b[201~"),
    ("k1", "\x1bOP"),
    ("k2", "\x1bOQ"),
    ("k3", "\x1bOR"),
    ("k4", "\x1bOS"),
    ("k5", "\x1b[15~"),
    ("k6", "\x1b[17~"),
    ("k7", "\x1b[18~"),
    ("k8", "\x1b[19~"),
    ("k9", "\x1b[20~"),
    ("k;", "\x1b[21~"),
    ("F1", "\x1b[23~"),
    ("F2", "\x1b[24~"),
];

impl State {
    pub fn device_control(&mut self, data: &[u8]) {
        if let Some(what) = data.strip_prefix(b"$q") {
            self.report_setting(what);
        } else if let Some(names) = data.strip_prefix(b"+q") {
            self.report_capabilities(names);
        }
    }

    /// DECRQSS.
    fn report_setting(&mut self, what: &[u8]) {
        let region = self.region;
        let value = match what {
            b"m" => format!("{}m", graphics_spec(self.pen)),
            b"r" => format!("{};{}r", region.top + 1, region.bottom),
            b"s" => format!("{};{}s", region.left + 1, region.right),
            b" q" => {
                let steady = u8::from(!self.has(CURSOR_BLINK));
                let style = match self.shape {
                    CursorShape::Block => 1,
                    CursorShape::Underline => 3,
                    CursorShape::Bar => 5,
                };
                format!("{} q", style + steady)
            }
            b"\"q" => format!("{}\"q", u8::from(self.pen.flags & PROTECTED != 0)),
            b"\"p" => format!("{};1\"p", self.level),
            // No status line, and attributes change in streams.
            b"$}" => "0$}".to_owned(),
            b"$~" => "0$~".to_owned(),
            b"*x" => "0*x".to_owned(),
            b"*|" => format!("{}*|", self.rows()),
            b"t" => format!("{}t", self.rows()),
            _ => {
                let name = String::from_utf8_lossy(what);
                self.replies.unanswered(&format!("DECRQSS {name}"));
                self.replies.push("\x1bP0$r\x1b\\");
                return;
            }
        };
        self.replies.push(format!("\x1bP1$r{value}\x1b\\"));
    }

    /// XTGETTCAP: names in hexadecimal; one answer each.
    fn report_capabilities(&mut self, names: &[u8]) {
        for hex in names.split(|byte| *byte == b';').take(NAMES_MAX) {
            let Some(name) = decode_hex(hex) else {
                self.replies.push("\x1bP0+r\x1b\\");
                continue;
            };
            let hex = String::from_utf8_lossy(hex);
            match CAPABILITIES.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => {
                    let value = encode_hex(value);
                    self.replies.push(format!("\x1bP1+r{hex}={value}\x1b\\"));
                }
                None => {
                    self.replies.unanswered(&format!("XTGETTCAP {name}"));
                    self.replies.push(format!("\x1bP0+r{hex}\x1b\\"));
                }
            }
        }
    }
}

/// The pen as SGR parameters after a reset.
pub(crate) fn graphics_spec(pen: Pen) -> String {
    let mut out = String::from("0");
    let mut add = |part: &str| {
        out.push(';');
        out.push_str(part);
    };
    for (flag, code) in [
        (BOLD, "1"),
        (DIM, "2"),
        (ITALIC, "3"),
        (BLINK, "5"),
        (INVERSE, "7"),
        (HIDDEN, "8"),
        (STRIKE, "9"),
        (OVERLINE, "53"),
    ] {
        if pen.flags & flag != 0 {
            add(code);
        }
    }
    match pen.underline() {
        Underline::None => {}
        Underline::Single => add("4"),
        Underline::Double => add("4:2"),
        Underline::Curly => add("4:3"),
        Underline::Dotted => add("4:4"),
        Underline::Dashed => add("4:5"),
    }
    for (base, color) in [(30, pen.fore.color()), (40, pen.back.color())] {
        match color {
            Color::Default => {}
            Color::Indexed(n @ 0..=7) => add(&format!("{}", base + u16::from(n))),
            Color::Indexed(n @ 8..=15) => add(&format!("{}", base + 52 + u16::from(n))),
            Color::Indexed(n) => add(&format!("{}:5:{n}", base + 8)),
            Color::Rgb(r, g, b) => add(&format!("{}:2::{r}:{g}:{b}", base + 8)),
        }
    }
    match pen.line.color() {
        Color::Default => {}
        Color::Indexed(n) => add(&format!("58:5:{n}")),
        Color::Rgb(r, g, b) => add(&format!("58:2::{r}:{g}:{b}")),
    }
    out
}

/// A capability's name is short printable ASCII; anything else is not a name, and a reply never
/// carries what is not hexadecimal.
fn decode_hex(hex: &[u8]) -> Option<String> {
    const NAME_BYTES_MAX: usize = 32;
    if hex.is_empty() || !hex.len().is_multiple_of(2) || hex.len() > 2 * NAME_BYTES_MAX {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    hex.chunks_exact(2)
        .map(|pair| match *pair {
            [high, low] => {
                let byte = u8::try_from(digit(high)? * 16 + digit(low)?).ok()?;
                (0x20..0x7f).contains(&byte).then_some(char::from(byte))
            }
            _ => None,
        })
        .collect()
}

fn encode_hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}
