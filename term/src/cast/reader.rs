//! Reading a recording line by line.

use std::collections::BTreeMap;
use std::io::{BufRead, Read as _};
use std::time::Duration;

use serde::Deserialize as _;
use serde_json::Value;

use super::{CastError, Data, Event, Header, LINE_BYTES_MAX, SIDE_CELLS_MAX};
use crate::frame::Size;

/// Iterates over the events of a recording. After an error it yields nothing more.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    line: u64,
    last: Duration,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the first line is no asciicast v2 header with a sensible size.
    pub fn new(mut input: R) -> Result<Self, CastError> {
        let text = read_line(&mut input, 1)?.ok_or(CastError::Empty)?;
        let header = parse_header(&text)?;
        Ok(Self { input, header, line: 1, last: Duration::ZERO, failed: false })
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next event that this version knows; `None` at the end.
    fn read_event(&mut self) -> Result<Option<Event>, CastError> {
        loop {
            let line = self.line + 1;
            let Some(text) = read_line(&mut self.input, line)? else {
                return Ok(None);
            };
            self.line = line;
            if text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            if let Some(mut event) = parse_event(&text, line)? {
                event.time = event.time.max(self.last);
                self.last = event.time;
                return Ok(Some(event));
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Event, CastError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.read_event().transpose();
        self.failed = matches!(next, None | Some(Err(_)));
        next
    }
}

/// One line without its end, or `None` at the end of the input.
fn read_line(input: &mut impl BufRead, line: u64) -> Result<Option<Vec<u8>>, CastError> {
    let mut text = Vec::new();
    // One byte for the line end, one to see that there is more than fits.
    let limit = LINE_BYTES_MAX as u64 + 2;
    input
        .take(limit)
        .read_until(b'\n', &mut text)
        .map_err(|source| CastError::Read { line, source })?;
    if text.is_empty() {
        return Ok(None);
    }
    if text.last() == Some(&b'\n') {
        text.pop();
    }
    if text.len() > LINE_BYTES_MAX {
        return Err(CastError::LineTooLong { line });
    }
    Ok(Some(text))
}

fn parse_header(text: &[u8]) -> Result<Header, CastError> {
    let refuse = |detail: String| CastError::Header { detail };
    let value: Value = serde_json::from_slice(text).map_err(|e| refuse(e.to_string()))?;
    let number = |name: &str| {
        value
            .get(name)
            .and_then(Value::as_u64)
            .ok_or_else(|| refuse(format!("`{name}` is not a whole number")))
    };
    let version = number("version")?;
    if version != 2 {
        return Err(CastError::Version { found: version });
    }
    size(number("width")?, number("height")?, 1)?;
    serde_json::from_value(value).map_err(|e| refuse(e.to_string()))
}

pub(super) fn set_variables<'de, D>(input: D) -> Result<BTreeMap<String, String>, D::Error>
where
    D: serde::Deserializer<'de>,
{
    let all = Option::<BTreeMap<String, Option<String>>>::deserialize(input)?;
    let named = all.unwrap_or_default().into_iter();
    Ok(named.filter_map(|(name, value)| Some((name, value?))).collect())
}

fn size(cols: u64, rows: u64, line: u64) -> Result<Size, CastError> {
    let side =
        |cells: u64| u16::try_from(cells).ok().filter(|cells| (1..=SIDE_CELLS_MAX).contains(cells));
    match (side(cols), side(rows)) {
        (Some(cols), Some(rows)) => Ok(Size { cols, rows }),
        _ => Err(CastError::Size { line, cols, rows }),
    }
}

fn parse_event(text: &[u8], line: u64) -> Result<Option<Event>, CastError> {
    let refuse = |detail: &str| CastError::Event { line, detail: detail.to_owned() };
    let (seconds, code, data): (f64, String, String) =
        serde_json::from_slice(text).map_err(|e| refuse(&e.to_string()))?;
    let time =
        Duration::try_from_secs_f64(seconds).map_err(|_| refuse("the time is not possible"))?;
    let data = match code.as_str() {
        "o" => Data::Output(data),
        "i" => Data::Input(data),
        "m" => Data::Marker(data),
        "r" => {
            let parts = data.split_once('x').and_then(|(cols, rows)| {
                Some((cols.parse::<u64>().ok()?, rows.parse::<u64>().ok()?))
            });
            let (cols, rows) =
                parts.ok_or_else(|| refuse("the size is not written as COLSxROWS"))?;
            Data::Resize(size(cols, rows, line)?)
        }
        "x" => {
            Data::Exit(data.parse().map_err(|_| refuse("the exit status is not a whole number"))?)
        }
        _ => return Ok(None),
    };
    Ok(Some(Event { time, data }))
}
