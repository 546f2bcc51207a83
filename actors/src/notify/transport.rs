//! One HTTP request to a receiver.

use std::net::IpAddr;
use std::time::Duration;

use futures_util::future::BoxFuture;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

/// A receiver that takes longer is treated as down.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A signed letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Post {
    pub(super) url: String,
    pub(super) body: String,
    pub(super) kind: String,
    pub(super) event_id: i64,
    pub(super) timestamp: i64,
    pub(super) signature: String,
}

/// The world outside; tests have their own.
pub(super) trait Transport: Send + Sync {
    /// `Err` says in a few words why it was not taken.
    fn post(&self, post: Post) -> BoxFuture<'static, Result<(), String>>;
}

pub(super) struct Https {
    agent: ureq::Agent,
}

impl Https {
    pub(super) fn new() -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            // A redirect would carry the signed body to somebody who is not listed.
            .max_redirects(0)
            .proxy(None)
            .user_agent(concat!("ttydrive/", env!("CARGO_PKG_VERSION")))
            .build();
        let (connector, resolver) = (DefaultConnector::default(), Screened::default());
        Self { agent: ureq::Agent::with_parts(config, connector, resolver) }
    }
}

impl Transport for Https {
    fn post(&self, post: Post) -> BoxFuture<'static, Result<(), String>> {
        let agent = self.agent.clone();
        Box::pin(async move {
            let sent = tokio::task::spawn_blocking(move || {
                let request = agent
                    .post(&post.url)
                    .header("Content-Type", "application/json")
                    .header("Ttydrive-Event", &post.kind)
                    .header("Ttydrive-Event-Id", post.event_id.to_string())
                    .header("Ttydrive-Timestamp", post.timestamp.to_string())
                    .header("Ttydrive-Signature", &post.signature);
                request.send(post.body.as_str()).map_err(|error| error.to_string())
            });
            let response = sent.await.map_err(|_| "the sending task ended".to_owned())??;
            let status = response.status();
            if status.is_success() { Ok(()) } else { Err(format!("it answered {status}")) }
        })
    }
}

/// Looks names up and refuses those that lead inside.
#[derive(Debug, Default)]
struct Screened {
    names: DefaultResolver,
}

impl Resolver for Screened {
    fn resolve(
        &self,
        uri: &Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.names.resolve(uri, config, timeout)?;
        let host = uri.host().unwrap_or_default();
        if !is_literal(host) && found.iter().any(|address| is_private(address.ip())) {
            return Err(ureq::Error::HostNotFound);
        }
        Ok(found)
    }
}

/// The operator wrote the address itself, and so has listed it.
fn is_literal(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.parse::<IpAddr>().is_ok() || host.eq_ignore_ascii_case("localhost")
}

/// Not an address of the public internet.
fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [first, second, ..] = v4.octets();
            v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_unspecified()
                || v4.is_broadcast()
                || v4.is_multicast()
                || first == 0
                // Carrier-grade NAT, benchmarking.
                || (first == 100 && (64..128).contains(&second))
                || (first == 198 && (18..20).contains(&second))
        }
        IpAddr::V6(v6) => {
            v6.is_loopback()
                || v6.is_unspecified()
                || v6.is_multicast()
                || v6.is_unique_local()
                || v6.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_literal, is_private};

    #[test]
    fn inside_and_outside() {
        for inside in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.0.9",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "::ffff:10.0.0.1",
            "ff02::1",
        ] {
            assert!(is_private(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["8.8.8.8", "100.63.0.1", "172.32.0.1", "198.20.0.1", "2001:db8::1"] {
            assert!(!is_private(outside.parse().unwrap()), "{outside}");
        }
    }

    #[test]
    fn what_counts_as_listed() {
        for literal in ["127.0.0.1", "[::1]", "LocalHost"] {
            assert!(is_literal(literal), "{literal}");
        }
        assert!(!is_literal("localhost.example.org") && !is_literal("intranet"));
    }
}
