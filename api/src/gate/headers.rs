//! Request headers that steer a call.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header;

use crate::limits::{IDEMPOTENCY_KEY_BYTES_MAX, PREFER_WAIT_MAX};
use crate::problem::{Code, Problem};

/// Writes carry JSON and say so: a form or a plain text from a foreign page cannot.
///
/// # Errors
/// A problem with status 415.
pub fn require_json(http: &HttpRequest) -> Result<(), Problem> {
    let essence = http
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .map(|value| value.trim().to_ascii_lowercase());
    if essence.as_deref() == Some("application/json") {
        return Ok(());
    }
    let problem = Problem::new(Code::InvalidValue, "the Content-Type must be application/json");
    Err(Problem { field: Some("Content-Type".to_owned()), ..problem }
        .with_status(415)
        .hint("Send the header `Content-Type: application/json`."))
}

/// # Errors
/// `invalid_value` for a key that is empty, too long, or not printable ASCII.
pub fn idempotency_key(http: &HttpRequest) -> Result<Option<String>, Problem> {
    let Some(value) = http.headers().get("Idempotency-Key") else { return Ok(None) };
    let acceptable = |key: &&str| {
        (1..=IDEMPOTENCY_KEY_BYTES_MAX).contains(&key.len())
            && key.bytes().all(|byte| (b' '..=b'~').contains(&byte))
    };
    value.to_str().ok().filter(acceptable).map(|key| Some(key.to_owned())).ok_or_else(|| {
        Problem::invalid(
            "Idempotency-Key",
            format!(
                "the header Idempotency-Key takes 1 to {IDEMPOTENCY_KEY_BYTES_MAX} printable \
                 ASCII characters"
            ),
        )
    })
}

/// `Prefer: wait=N` (RFC 7240). A preference that cannot be read is no preference.
#[must_use]
pub fn prefer_wait(http: &HttpRequest) -> Option<Duration> {
    let seconds = http
        .headers()
        .get_all("Prefer")
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split([',', ';']))
        .filter_map(|preference| preference.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("wait"))
        .and_then(|(_, value)| value.trim().trim_matches('"').parse::<u64>().ok())?;
    Some(Duration::from_secs(seconds).min(PREFER_WAIT_MAX))
}

/// `Accept: application/json; wrap=none`.
#[must_use]
pub fn asks_for_bare_screen(http: &HttpRequest) -> bool {
    http.headers()
        .get_all(header::ACCEPT)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split([',', ';']))
        .filter_map(|part| part.split_once('='))
        .any(|(name, value)| {
            name.trim().eq_ignore_ascii_case("wrap") && value.trim().eq_ignore_ascii_case("none")
        })
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn with(name: &'static str, value: &'static str) -> HttpRequest {
        TestRequest::default().insert_header((name, value)).to_http_request()
    }

    #[test]
    fn json_may_name_a_charset_and_nothing_else_passes() {
        assert!(require_json(&with("Content-Type", "application/json")).is_ok());
        assert!(require_json(&with("Content-Type", "Application/JSON; charset=utf-8")).is_ok());
        for wrong in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
            let problem = require_json(&with("Content-Type", wrong)).expect_err(wrong);
            assert_eq!(problem.status, 415, "{wrong}");
        }
        assert!(require_json(&TestRequest::default().to_http_request()).is_err());
    }

    #[test]
    fn prefer_is_read_among_others_and_bounded() {
        let wait = |value| prefer_wait(&with("Prefer", value));
        assert_eq!(wait("wait=10"), Some(Duration::from_secs(10)));
        assert_eq!(wait("respond-async, wait=0"), Some(Duration::ZERO));
        assert_eq!(wait("wait=999999"), Some(PREFER_WAIT_MAX));
        assert_eq!(wait("wait=soon"), None);
        assert_eq!(wait("waiting=3"), None);
    }

    #[test]
    fn keys_are_bounded() {
        let key = |value| idempotency_key(&with("Idempotency-Key", value));
        assert_eq!(key("a-1").expect("fits"), Some("a-1".to_owned()));
        assert!(key("").is_err());
        let none = idempotency_key(&TestRequest::default().to_http_request());
        assert_eq!(none.expect("absent"), None);
    }

    #[test]
    fn a_bare_screen_has_to_be_asked_for() {
        assert!(asks_for_bare_screen(&with("Accept", "application/json; wrap=none")));
        assert!(!asks_for_bare_screen(&with("Accept", "application/json")));
        assert!(!asks_for_bare_screen(&with("Accept", "application/json; unwrap=none")));
    }
}
