mod lay;
mod screens;
mod secrets;
mod wrapper;

use term::{Frame, Options, Size, Terminal};

use super::{Format, Request, SafeText, Selection, Wrap, screen};

const DELIMITER: &str = "00112233445566778899aabb";

fn request(format: Format, wrap: Wrap) -> Request<'static> {
    Request { format, bytes_max: 8_192, redact: true, wrap, allow_id: "bash", delimiter: DELIMITER }
}

fn frame(cols: u16, rows: u16, bytes: &str) -> std::sync::Arc<Frame> {
    let mut terminal = Terminal::new(Options { size: Size { cols, rows }, scrollback_lines: 100 });
    terminal.advance(bytes.as_bytes());
    terminal.frame()
}

fn shown(frame: &Frame, format: Format) -> SafeText {
    let selection = Selection { frame, history: &[], changed_since: None };
    screen(selection, &request(format, Wrap::None))
}
