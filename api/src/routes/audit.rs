//! The audit trail, for viewers and admins.

use actix_web::HttpResponse;
use actors::audit::{AuditFilter, AuditRecord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::gate::Request;
use crate::limits::INTEGER_MAX;
use crate::problem::Problem;
use crate::route::{Access, Reply, Route};
use crate::schema;

pub const ROUTES: &[Route] =
    &[Route::get("/v1/audit", "Who did what, and how it ended", |request| {
        Box::pin(audit(request))
    })
    .access(Access::Viewer)
    .tag("audit")
    .query(schema::input::<AuditQuery>)
    .reply(Reply::Json(schema::output::<Audit>))];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AuditQuery {
    /// Only records of this session.
    #[schemars(length(min = 1, max = 64))]
    session_id: Option<String>,
    /// RFC 3339 or milliseconds since 1970: from this moment on. Without it, the latest.
    since: Option<Since>,
    /// 100 when absent.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Since {
    Milliseconds(#[schemars(range(min = 0, max = INTEGER_MAX))] i64),
    Moment(#[schemars(extend("format" = "date-time"))] String),
}

#[derive(Debug, Serialize, JsonSchema)]
struct Audit {
    records: Vec<Record>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Record {
    id: i64,
    time: String,
    action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_key: Option<String>,
    /// Absent when the service did it by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    /// Redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<String>,
    details: Map<String, Value>,
}

impl From<AuditRecord> for Record {
    fn from(record: AuditRecord) -> Self {
        Self {
            id: record.id,
            time: record.time,
            action: record.action,
            agent_id: record.agent_id,
            session_key: record.session_key,
            role: record.role,
            token_id: record.token_id,
            session_id: record.session_id,
            outcome: record.outcome,
            request_id: record.request_id,
            payload: record.payload,
            details: record.details,
        }
    }
}

async fn audit(request: Request) -> Result<HttpResponse, Problem> {
    let query: AuditQuery = request.query()?;
    let filter = AuditFilter {
        session_id: query.session_id,
        since_ms: query.since.as_ref().map(moment).transpose()?,
        limit: query.limit,
    };
    let records = request.shared.system.audit(request.caller()?, filter).await?;
    let records = records.into_iter().map(Into::into).collect();
    Ok(HttpResponse::Ok().json(Audit { records }))
}

fn moment(since: &Since) -> Result<i64, Problem> {
    let text = match since {
        Since::Milliseconds(at) => return Ok(*at),
        Since::Moment(text) => text,
    };
    text.parse::<jiff::Timestamp>().map(jiff::Timestamp::as_millisecond).map_err(|_| {
        Problem::invalid("since", "`since` must be RFC 3339 or milliseconds since 1970")
            .hint("For example 2026-01-31T12:00:00Z.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<i64, Problem> {
        let schema = schema::input::<AuditQuery>();
        let value = crate::input::query(&schema, query)?;
        let query: AuditQuery = serde_json::from_value(value).expect("checked");
        moment(&query.since.expect("given"))
    }

    #[test]
    fn a_moment_is_rfc_3339_or_milliseconds() {
        assert_eq!(read("since=1000").expect("milliseconds"), 1_000);
        assert_eq!(read("since=1970-01-01T00:00:02Z").expect("RFC 3339"), 2_000);
        assert_eq!(read("since=1970-01-01T01:00:02%2B01:00").expect("an offset"), 2_000);
        assert_eq!(read("since=yesterday").expect_err("neither").field.as_deref(), Some("since"));
        assert_eq!(read("since=-1").expect_err("before 1970").field.as_deref(), Some("since"));
    }
}
