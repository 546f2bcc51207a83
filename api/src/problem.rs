//! Errors as clients see them: `application/problem+json` (RFC 9457), from one table.
//!
//! Codes are contract; each exists because a client acts on it. The detail of `internal`
//! never says what happened inside: the log line and the problem share the request id.

use std::fmt;
use std::time::Duration;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use serde_json::{Map, Value};

pub const CONTENT_TYPE: &str = "application/problem+json";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    InvalidValue,
    MissingParam,
    Unauthenticated,
    PermissionDenied,
    ApprovalRequired,
    NotFound,
    Conflict,
    TooLarge,
    UnsupportedAction,
    RateLimited,
    SandboxUnavailable,
    Recovering,
    Internal,
}

/// One row of the table.
pub struct Row {
    pub code: Code,
    pub name: &'static str,
    pub status: u16,
    pub title: &'static str,
    /// What the caller should do when nobody knows better.
    pub hint: &'static str,
}

const fn row(
    code: Code,
    name: &'static str,
    status: u16,
    title: &'static str,
    hint: &'static str,
) -> Row {
    Row { code, name, status, title, hint }
}

/// Every code, in the order of the documentation and of the enum.
#[rustfmt::skip]
pub const TABLE: [Row; 13] = [
    row(Code::InvalidValue, "invalid_value", 400, "A value is not allowed",
        "Compare the request with the tool's inputSchema (GET /v1/tools) or with /docs."),
    row(Code::MissingParam, "missing_param", 400, "A required parameter is missing",
        "Add the named parameter; GET /v1/tools lists what each tool requires."),
    row(Code::Unauthenticated, "unauthenticated", 401, "No valid token",
        "Send `Authorization: Bearer <token>`; `ttydrive token create` makes one."),
    row(Code::PermissionDenied, "permission_denied", 403, "Not allowed",
        "Ask the operator: only the configuration file can widen what is allowed."),
    row(Code::ApprovalRequired, "approval_required", 403, "A human has to approve this",
        "Wait for the event approval:resolved, then repeat the same request."),
    row(Code::NotFound, "not_found", 404, "Not found",
        "Check the id; terminal_session_list and GET /v1/tools show what exists."),
    row(Code::Conflict, "conflict", 409, "Not possible in this state",
        "Read the session's state and decide again."),
    row(Code::TooLarge, "too_large", 413, "Too large",
        "Send less: a body is at most 1 MiB and a text at most 256 KiB."),
    row(Code::UnsupportedAction, "unsupported_action", 422, "Not supported",
        "Use one of the actions the documentation lists."),
    row(Code::RateLimited, "rate_limited", 429, "Too many requests",
        "Wait for the time in Retry-After."),
    row(Code::SandboxUnavailable, "sandbox_unavailable", 503, "The sandbox is not available",
        "Run `ttydrive doctor` on the host; nothing is started without a jail."),
    row(Code::Recovering, "recovering", 503, "The service is recovering",
        "Repeat the request after the time in Retry-After; /readyz tells when it is ready."),
    row(Code::Internal, "internal", 500, "Internal error",
        "Give the operator the requestId; the log has the cause."),
];

/// The table is in the order of the enum, so that a code is its index.
const _: () = {
    let mut index = 0;
    while index < TABLE.len() {
        assert!(TABLE[index].code as usize == index);
        index += 1;
    }
};

impl Code {
    #[must_use]
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// What went wrong with one request.
#[derive(Debug, Clone)]
pub struct Problem {
    pub code: Code,
    /// Differs from the table's only for 405 and 415, which have no code of their own.
    pub status: u16,
    pub detail: String,
    pub hint: Option<String>,
    /// Machine-readable refinement: `dialog_open`, `not_in_profile`, ….
    pub reason: Option<&'static str>,
    /// Path of the field at fault: `keys[2]`.
    pub field: Option<String>,
    pub retry_after: Option<Duration>,
    /// Methods for the `Allow` header of a 405.
    pub allow: Option<String>,
    pub approval_id: Option<String>,
    pub request_id: Option<String>,
}

impl Problem {
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            status: code.row().status,
            detail: detail.into(),
            hint: None,
            reason: None,
            field: None,
            retry_after: None,
            allow: None,
            approval_id: None,
            request_id: None,
        }
    }

    #[must_use]
    pub fn invalid(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::new(Code::InvalidValue, detail) }
    }

    #[must_use]
    pub fn missing(field: impl Into<String>) -> Self {
        let field = field.into();
        let detail = format!("`{field}` is required");
        Self { field: Some(field), ..Self::new(Code::MissingParam, detail) }
    }

    /// The cause goes to the log only.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(Code::Internal, "something failed inside the service")
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }

    #[must_use]
    pub fn reason(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    #[must_use]
    pub fn with_request_id(mut self, id: &str) -> Self {
        self.request_id.get_or_insert_with(|| id.to_owned());
        self
    }

    /// The document.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let row = self.code.row();
        let mut members = Map::new();
        let mut put = |name: &str, value: Value| members.insert(name.to_owned(), value);
        put("type", format!("urn:ttydrive:problem:{}", row.name).into());
        put("title", row.title.into());
        put("status", self.status.into());
        put("detail", self.detail.as_str().into());
        put("code", row.name.into());
        put("hint", self.hint.as_deref().unwrap_or(row.hint).into());
        if let Some(reason) = self.reason {
            put("reason", reason.into());
        }
        if let Some(field) = &self.field {
            put("field", field.as_str().into());
        }
        if let Some(id) = &self.approval_id {
            put("approvalId", id.as_str().into());
        }
        if let Some(after) = self.retry_after {
            put("retryAfterMs", u64::try_from(after.as_millis()).unwrap_or(u64::MAX).into());
        }
        put("requestId", self.request_id.as_deref().unwrap_or_default().into());
        Value::Object(members)
    }

    /// Whole seconds, rounded up: a client that comes back then is not too early.
    #[must_use]
    pub fn retry_after_secs(&self) -> Option<u64> {
        self.retry_after.map(|after| after.as_secs() + u64::from(after.subsec_nanos() > 0))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code.row().name, self.detail)
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.content_type(CONTENT_TYPE);
        if self.code == Code::Unauthenticated {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer realm=\"ttydrive\""));
        }
        if let Some(secs) = self.retry_after_secs() {
            response.insert_header((header::RETRY_AFTER, secs.to_string()));
        }
        if let Some(id) = &self.request_id {
            response.insert_header(("Ttydrive-Request-Id", id.as_str()));
        }
        if let Some(allow) = &self.allow {
            response.insert_header((header::ALLOW, allow.as_str()));
        }
        response.body(self.to_json().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_never_says_zero_for_a_wait() {
        let mut problem = Problem::new(Code::RateLimited, "x");
        problem.retry_after = Some(Duration::from_millis(1));
        assert_eq!(problem.retry_after_secs(), Some(1));
        problem.retry_after = Some(Duration::from_secs(2));
        assert_eq!(problem.retry_after_secs(), Some(2));
    }
}
