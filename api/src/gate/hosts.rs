//! Which names this service answers to. A page of a foreign site whose name was rebound to a
//! loopback address sends that name as `Host`, and is refused here, on every route.

use std::net::{IpAddr, SocketAddr};

use actix_web::http::header::{self, HeaderMap};
use actix_web::http::uri::Authority;

use crate::problem::{Code, Problem};

/// The allow-list.
#[derive(Debug, Clone)]
pub struct Hosts {
    /// Lower case, without a port.
    names: Vec<String>,
    /// Whole origins or `host:port` the operator listed.
    listed: Vec<String>,
}

impl Hosts {
    #[must_use]
    pub fn new(bind: SocketAddr, allowed: &[String]) -> Self {
        let mut names: Vec<String> =
            ["localhost", "127.0.0.1", "[::1]"].into_iter().map(str::to_owned).collect();
        // Bound to a wildcard, the service has no name of its own besides those listed.
        if !bind.ip().is_unspecified() {
            names.push(bracketed(bind.ip()));
        }
        let listed: Vec<String> = allowed.iter().map(|name| name.to_ascii_lowercase()).collect();
        names.extend(listed.iter().filter_map(|name| split(name)).map(|(host, _)| host));
        Self { names, listed }
    }

    /// # Errors
    /// `permission_denied` for a missing, malformed or foreign host.
    pub fn check(&self, authority: Option<&Authority>, headers: &HeaderMap) -> Result<(), Problem> {
        let mut values = headers.get_all(header::HOST);
        let header = match (values.next(), values.next()) {
            (Some(value), None) => Some(value.to_str().unwrap_or_default()),
            (None, _) => None,
            (Some(_), Some(_)) => return Err(refused("there is more than one Host header")),
        };
        let given = [authority.map(Authority::as_str), header];
        if given.iter().all(Option::is_none) {
            return Err(refused("there is no Host header"));
        }
        for host in given.into_iter().flatten() {
            if !self.knows(host) {
                return Err(refused("the Host header names a host this service does not serve"));
            }
        }
        self.check_origin(header.or(authority.map(Authority::as_str)), headers)
    }

    fn knows(&self, host: &str) -> bool {
        split(&host.to_ascii_lowercase()).is_some_and(|(name, _)| self.names.contains(&name))
    }

    /// A browser says which page a request comes from. Only pages of this service and of
    /// origins the operator listed may.
    fn check_origin(&self, host: Option<&str>, headers: &HeaderMap) -> Result<(), Problem> {
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or_default().to_ascii_lowercase();
        let foreign = || {
            Err(Problem::new(Code::PermissionDenied, "the Origin is not a page of this service")
                .reason("origin")
                .hint(
                    "Call the API from outside a browser, or list the origin's host in \
                       server.allowedHosts.",
                ))
        };
        let Some((scheme, place)) = origin.split_once("://") else { return foreign() };
        let default_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return foreign(),
        };
        if self.listed.iter().any(|listed| *listed == place || *listed == origin) {
            return Ok(());
        }
        let port = |authority: &str| split(authority).map(|(_, port)| port.unwrap_or(default_port));
        let same_port = host.and_then(port) == port(place);
        if self.knows(place) && same_port { Ok(()) } else { foreign() }
    }
}

fn refused(detail: &str) -> Problem {
    Problem::new(Code::PermissionDenied, detail).reason("host").hint(
        "Use a loopback name (localhost, 127.0.0.1, [::1]), or list the name in \
         server.allowedHosts.",
    )
}

/// Host and port; a full origin's scheme is dropped. `None` when it is no authority.
fn split(authority: &str) -> Option<(String, Option<u16>)> {
    let authority = authority.rsplit("://").next().unwrap_or(authority);
    let (host, port) = match authority.rfind(']') {
        Some(end) => authority.split_at_checked(end + 1)?,
        None => authority.split_at_checked(authority.find(':').unwrap_or(authority.len()))?,
    };
    let port = match port.strip_prefix(':') {
        Some(digits) => Some(digits.parse().ok()?),
        None if port.is_empty() => None,
        None => return None,
    };
    (!host.is_empty()).then(|| (host.trim_end_matches('.').to_owned(), port))
}

fn bracketed(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn hosts() -> Hosts {
        let bind = "127.0.0.1:7717".parse().expect("an address");
        Hosts::new(bind, &["Drive.Example.org".to_owned(), "dash.example:8443".to_owned()])
    }

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name.clone(), HeaderValue::from_str(value).expect("a header"));
        }
        headers
    }

    fn host(value: &str) -> bool {
        hosts().check(None, &headers(&[(header::HOST, value)])).is_ok()
    }

    #[test]
    fn loopback_names_and_listed_ones_pass() {
        for good in [
            "127.0.0.1:7717",
            "localhost",
            "LOCALHOST:1",
            "[::1]:7717",
            "localhost.:7717",
            "drive.example.org",
            "drive.example.org:443",
            "dash.example",
        ] {
            assert!(host(good), "{good}");
        }
    }

    #[test]
    fn rebound_and_malformed_names_do_not() {
        for bad in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost:port",
            "",
            ":7717",
            "127.0.0.1:99999",
            "evil.example:7717",
            "user@localhost",
            "[::1",
        ] {
            assert!(!host(bad), "{bad}");
        }
        assert!(hosts().check(None, &HeaderMap::new()).is_err());
        let twice = headers(&[(header::HOST, "localhost"), (header::HOST, "evil.example")]);
        assert!(hosts().check(None, &twice).is_err());
        let authority = Authority::from_static("evil.example");
        let fine = headers(&[(header::HOST, "localhost")]);
        assert!(hosts().check(Some(&authority), &fine).is_err());
    }

    #[test]
    fn an_origin_has_to_be_ours() {
        let origin = |value: &str| {
            let pairs = [(header::HOST, "127.0.0.1:7717"), (header::ORIGIN, value)];
            hosts().check(None, &headers(&pairs)).is_ok()
        };
        assert!(origin("http://127.0.0.1:7717"));
        assert!(origin("http://localhost:7717"));
        assert!(origin("https://dash.example:8443"));
        for bad in [
            "http://127.0.0.1:3000",
            "http://evil.example",
            "null",
            "file://",
            "http://localhost",
            "http://evil.example:7717",
        ] {
            assert!(!origin(bad), "{bad}");
        }
    }
}
