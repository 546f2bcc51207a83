//! Bearer tokens and roles. A token in a query string is never looked at.

use actix_web::HttpRequest;
use actix_web::http::header;
use actors::{Caller, Role, System};

use crate::limits::SESSION_KEY_BYTES_MAX;
use crate::problem::{Code, Problem};
use crate::route::{Access, Route};

pub const SESSION_KEY_HEADER: &str = "Ttydrive-Session-Key";
const SESSION_KEY_DEFAULT: &str = "main";

/// # Errors
/// `unauthenticated`, or `invalid_value` for a session key that cannot be one.
pub async fn caller(system: &System, http: &HttpRequest) -> Result<Caller, Problem> {
    let bearer = bearer(http)?;
    let caller = system.authenticate(bearer, &session_key(http)?).await?;
    Ok(caller)
}

fn bearer(http: &HttpRequest) -> Result<&str, Problem> {
    let mut values = http.headers().get_all(header::AUTHORIZATION);
    let value = match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        (None, _) => return Err(unauthenticated("there is no Authorization header")),
        (Some(_), Some(_)) => None,
    };
    let (scheme, token) = value
        .and_then(|value| value.split_once(' '))
        .ok_or_else(|| unauthenticated("the Authorization header is not `Bearer <token>`"))?;
    let token = token.trim();
    if !scheme.eq_ignore_ascii_case("bearer") || token.is_empty() {
        return Err(unauthenticated("the Authorization header is not `Bearer <token>`"));
    }
    Ok(token)
}

fn unauthenticated(detail: &str) -> Problem {
    Problem::new(Code::Unauthenticated, detail)
}

fn session_key(http: &HttpRequest) -> Result<String, Problem> {
    let Some(value) = http.headers().get(SESSION_KEY_HEADER) else {
        return Ok(SESSION_KEY_DEFAULT.to_owned());
    };
    let acceptable = |key: &&str| {
        (1..=SESSION_KEY_BYTES_MAX).contains(&key.len())
            && key.bytes().all(|byte| byte.is_ascii_graphic())
    };
    value.to_str().ok().filter(acceptable).map(str::to_owned).ok_or_else(|| {
        Problem::invalid(
            SESSION_KEY_HEADER,
            format!(
                "the header {SESSION_KEY_HEADER} takes 1 to {SESSION_KEY_BYTES_MAX} printable \
                 ASCII characters without spaces"
            ),
        )
    })
}

/// # Errors
/// `permission_denied` when the role is not enough for the route.
pub fn admit(route: &Route, caller: &Caller) -> Result<(), Problem> {
    let enough = match (route.access, caller.role) {
        (Access::Public | Access::Token, _) | (_, Role::Admin) => true,
        (Access::Viewer, Role::Viewer) => true,
        (Access::Viewer, Role::Agent) | (Access::Admin, Role::Agent | Role::Viewer) => false,
    };
    if enough {
        return Ok(());
    }
    let needed = match route.access {
        Access::Admin => "an admin",
        Access::Public | Access::Token | Access::Viewer => "a viewer or admin",
    };
    Err(Problem::new(Code::PermissionDenied, format!("this needs {needed} token"))
        .reason("role")
        .hint(format!("Repeat the request with {needed} token.")))
}
