//! The parser beside `vtparse`: the same actions for what both define.

use super::{Actor, Csi, Ending, Parser, StringKind};

/// Actions in words both parsers can be brought to.
#[derive(Default)]
struct Log(Vec<String>);

impl Actor for Log {
    fn print_ascii(&mut self, run: &[u8]) {
        self.0.extend(run.iter().map(|byte| format!("print {:?}", char::from(*byte))));
    }
    fn print_char(&mut self, c: char) {
        self.0.push(format!("print {c:?}"));
    }
    fn execute(&mut self, control: u8) {
        self.0.push(format!("execute {control:#x}"));
    }
    fn escape(&mut self, intermediates: &[u8], last: u8) {
        // The second half of ST.
        if last != b'\\' {
            let middle = String::from_utf8_lossy(intermediates);
            self.0.push(format!("escape {middle}{}", char::from(last)));
        }
    }
    fn csi(&mut self, csi: &Csi) {
        let mut out = String::new();
        if csi.prefix != 0 {
            out.push(char::from(csi.prefix));
        }
        for (index, param) in csi.params().iter().enumerate() {
            if index > 0 {
                out.push(if csi.is_sub(index) { ':' } else { ';' });
            }
            out.push_str(&param.to_string());
        }
        out.push_str(&String::from_utf8_lossy(csi.intermediates()));
        self.0.push(format!("csi {out}{}", char::from(csi.last)));
    }
    fn string(&mut self, kind: StringKind, data: &[u8], _ending: Ending) {
        if kind == StringKind::Osc {
            self.0.push(format!("osc {}", String::from_utf8_lossy(data)));
        }
    }
}

impl vtparse::VTActor for Log {
    fn print(&mut self, c: char) {
        // DEL is printed there and nothing here.
        if c != '\x7f' {
            self.0.push(format!("print {c:?}"));
        }
    }
    fn execute_c0_or_c1(&mut self, control: u8) {
        self.execute(control);
    }
    fn dcs_hook(&mut self, _: u8, _: &[i64], _: &[u8], _: bool) {}
    fn dcs_put(&mut self, _: u8) {}
    fn dcs_unhook(&mut self) {}
    fn esc_dispatch(&mut self, _: &[i64], intermediates: &[u8], _: bool, last: u8) {
        self.escape(intermediates, last);
    }
    fn csi_dispatch(&mut self, params: &[vtparse::CsiParam], _: bool, last: u8) {
        // Missing parameters are left out there and zero here.
        let mut out = String::new();
        let mut missing = false;
        for param in params {
            match param {
                vtparse::CsiParam::Integer(value) => {
                    out.push_str(&(*value).min(65_535).to_string());
                    missing = false;
                }
                vtparse::CsiParam::P(byte @ (b';' | b':')) => {
                    if missing || out.is_empty() || out == "?" {
                        out.push('0');
                    }
                    out.push(char::from(*byte));
                    missing = true;
                }
                vtparse::CsiParam::P(byte) => {
                    if missing {
                        out.push('0');
                        missing = false;
                    }
                    out.push(char::from(*byte));
                }
            }
        }
        if missing {
            out.push('0');
        }
        self.0.push(format!("csi {out}{}", char::from(last)));
    }
    fn osc_dispatch(&mut self, params: &[&[u8]]) {
        let joined = params.join(&b';');
        self.0.push(format!("osc {}", String::from_utf8_lossy(&joined)));
    }
    fn apc_dispatch(&mut self, _: Vec<u8>) {}
}

fn ours(bytes: &[u8], chunk: usize) -> Vec<String> {
    let (mut parser, mut log) = (Parser::new(), Log::default());
    for piece in bytes.chunks(chunk) {
        parser.advance(piece, &mut log);
    }
    log.0
}

fn theirs(bytes: &[u8]) -> Vec<String> {
    let (mut parser, mut log) = (vtparse::VTParser::new(), Log::default());
    parser.parse(bytes, &mut log);
    log.0
}

/// Left out because it differs on purpose: text after an unfinished sequence is text here.
const PIECES: &[&str] = &[
    "text",
    "é",
    "日本",
    "👩‍💻",
    "\r\n",
    "\t",
    "\x07",
    "\x7f",
    "\x18",
    "\x1b[m",
    "\x1b[1;31m",
    "\x1b[;5H",
    "\x1b[38:2::1:2:3m",
    "\x1b[4:3m",
    "\x1b[?25l",
    "\x1b[?1;2h",
    "\x1b[>4;2m",
    "\x1b[!p",
    "\x1b[2 q",
    "\x1b[?2026$p",
    "\x1b[99999999999A",
    "\x1b[1\r;2H",
    "\x1b7",
    "\x1b(0",
    "\x1b#8",
    "\x1b]0;a;b\x07",
    "\x1b]8;;http://x\x1b\\",
    "\x1b]2;naïve\x1b\\",
    "\x1bP$qm\x1b\\",
    "\x1b_apc\x1b\\",
    "\x1bXsos\x1b\\",
    "\x1b[3;\x1b[2J",
    "\x1b[1?2h",
    "\x1b[5\x18A",
    "\x1b\x1b[A",
];

#[test]
fn actions_are_those_of_vtparse_however_the_bytes_are_cut() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..3_000 {
        let mut text = String::new();
        for _ in 0..8 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push_str(PIECES[(state >> 20) as usize % PIECES.len()]);
        }
        let expected = theirs(text.as_bytes());
        for chunk in [usize::MAX, 1, 3] {
            assert_eq!(ours(text.as_bytes(), chunk), expected, "{round}, by {chunk}: {text:?}");
        }
    }
}

#[test]
fn more_parameters_than_there_is_room_for_are_dropped() {
    let many = format!("\x1b[{}m", vec!["1"; 100].join(";"));
    let kept = format!("csi {}m", vec!["1"; crate::limits::PARAMS_MAX].join(";"));
    assert_eq!(ours(many.as_bytes(), usize::MAX), [kept]);
}
