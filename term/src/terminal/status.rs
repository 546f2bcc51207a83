//! Reading of OSC 7501, a program's report about itself: `key=value` pairs joined by `:`.
//! A malformed pair is skipped and the last of two wins; a broken limit, undecodable text or a
//! control character in it discards the report. The text stays untrusted.

use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{alphabet, engine::DecodePaddingMode};

use crate::events::{ProgramState, ProgramStatus};

/// The protocol's limits.
const REPORT_BYTES_MAX: usize = 4_096;
const KEY_BYTES_MAX: usize = 16;
const MESSAGE_BYTES_MAX: usize = 2_048;
const APP_BYTES_MAX: usize = 32;
const ID_BYTES_MAX: usize = 128;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub(crate) fn parse(body: &str) -> Option<ProgramStatus> {
    if body.len() > REPORT_BYTES_MAX {
        return None;
    }
    let (mut state, mut kind, mut message) = (None, None, None);
    let (mut app, mut id) = (None, None);
    for pair in body.split(':') {
        let Some((key, value)) = pair.split_once('=') else {
            continue;
        };
        if key.len() > KEY_BYTES_MAX {
            return None;
        }
        if !is_key(key) || !is_value(value) {
            continue;
        }
        match key {
            "state" => state = Some(value),
            "kind" => kind = Some(value.to_owned()),
            "msg" => message = Some(message_text(value)?),
            "app" if value.len() > APP_BYTES_MAX => return None,
            "app" => app = Some(value.to_owned()),
            "id" if value.len() > ID_BYTES_MAX => return None,
            "id" => id = Some(value.to_owned()),
            _ => {}
        }
    }
    let state = match state? {
        "idle" => ProgramState::Idle,
        "working" => ProgramState::Working,
        "blocked" => ProgramState::Blocked,
        "done" => ProgramState::Done,
        "error" => ProgramState::Error,
        "clear" => ProgramState::Cleared,
        _ => return None,
    };
    Some(ProgramStatus {
        state,
        kind: kind.filter(|_| state == ProgramState::Blocked),
        message,
        app,
        id,
    })
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn is_value(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.,+/=-".contains(&byte))
}

fn message_text(value: &str) -> Option<String> {
    let text = String::from_utf8(BASE64.decode(value).ok()?).ok()?;
    let fine = text.len() <= MESSAGE_BYTES_MAX && !text.chars().any(char::is_control);
    fine.then_some(text)
}
