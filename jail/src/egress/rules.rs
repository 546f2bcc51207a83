//! Which hosts, ports and addresses a session may reach. Pure.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// One entry of `scope.hosts`: `host`, `host:port`, `*.suffix`, an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRule {
    pattern: Pattern,
    /// `None`: 443 and 80.
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    Exact(String),
    /// With the leading dot: `.example.org`.
    Suffix(String),
    Address(IpAddr),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{entry:?} is not a host: use host, host:port or *.suffix")]
pub struct RuleError {
    pub entry: String,
}

const DEFAULT_PORTS: [u16; 2] = [443, 80];

impl HostRule {
    /// # Errors
    /// When the entry is none of the three forms.
    pub fn parse(entry: &str) -> Result<Self, RuleError> {
        let wrong = || RuleError { entry: entry.to_owned() };
        let (host, port) = split_port(entry).ok_or_else(wrong)?;
        let host = normal(host);
        let pattern = if let Ok(address) = host.parse::<IpAddr>() {
            Pattern::Address(address)
        } else if let Some(suffix) = host.strip_prefix("*.") {
            let name = is_name(suffix).then(|| format!(".{suffix}")).ok_or_else(wrong)?;
            Pattern::Suffix(name)
        } else {
            Pattern::Exact(is_name(&host).then(|| host.clone()).ok_or_else(wrong)?)
        };
        Ok(Self { pattern, port })
    }

    fn allows(&self, host: &str, port: u16) -> bool {
        let port_fits = match self.port {
            Some(own) => own == port,
            None => DEFAULT_PORTS.contains(&port),
        };
        port_fits
            && match &self.pattern {
                Pattern::Exact(name) => name == host,
                Pattern::Suffix(suffix) => host.len() > suffix.len() && host.ends_with(suffix),
                Pattern::Address(address) => host.parse() == Ok(*address),
            }
    }
}

/// All entries of a scope and, when the operator narrows further, those of the narrowing too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    hosts: Vec<HostRule>,
    narrowed: Option<Vec<HostRule>>,
}

impl Rules {
    /// # Errors
    /// Names the first entry that is no host.
    pub fn parse(hosts: &[String], narrowed: Option<&[String]>) -> Result<Self, RuleError> {
        let all = |list: &[String]| -> Result<Vec<HostRule>, RuleError> {
            list.iter().map(|entry| HostRule::parse(entry)).collect()
        };
        Ok(Self { hosts: all(hosts)?, narrowed: narrowed.map(all).transpose()? })
    }

    /// Case and a trailing dot make no difference.
    #[must_use]
    pub fn allows(&self, host: &str, port: u16) -> bool {
        let host = normal(host);
        let any = |list: &[HostRule]| list.iter().any(|rule| rule.allows(&host, port));
        any(&self.hosts) && self.narrowed.as_deref().is_none_or(any)
    }

    /// Whether an address a name resolved to may be dialled. One inside a network only where
    /// the operator listed it, with this port.
    #[must_use]
    pub fn allows_address(&self, address: IpAddr, port: u16) -> bool {
        let text = address.to_string();
        let listed =
            |rule: &HostRule| rule.pattern == Pattern::Address(address) && rule.allows(&text, port);
        !is_inside(address) || self.hosts.iter().any(listed)
    }
}

/// Lower case, no trailing dot, no brackets.
pub(super) fn normal(host: &str) -> String {
    let host = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// `host`, `host:port`, `[v6]`, `[v6]:port`, bare v6.
pub(super) fn split_port(text: &str) -> Option<(&str, Option<u16>)> {
    if text.parse::<Ipv6Addr>().is_ok() {
        return Some((text, None));
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (host, rest) = rest.split_once(']')?;
        host.parse::<Ipv6Addr>().ok()?;
        return match rest.strip_prefix(':') {
            Some(port) => Some((host, Some(parse_port(port)?))),
            None => rest.is_empty().then_some((host, None)),
        };
    }
    match text.split_once(':') {
        Some((host, port)) => Some((host, Some(parse_port(port)?))),
        None => Some((text, None)),
    }
}

fn parse_port(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|port| *port != 0)
}

/// Longest name DNS has.
const NAME_BYTES_MAX: usize = 253;

pub(super) fn is_name(host: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    host.len() <= NAME_BYTES_MAX && host.split('.').all(label)
}

/// Not an address of the public network: what a name must not lead to by itself.
fn is_inside(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_inside_v4(address),
        IpAddr::V6(address) => is_inside_v6(address),
    }
}

fn is_inside_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || a == 0
        // Carriers' shared space, protocol assignments, benchmarks, reserved.
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (b == 18 || b == 19))
        || a >= 240
}

fn is_inside_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let [first, ..] = segments;
    let plain = address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        // Unique local, link-local, old site-local.
        || first & 0xfe00 == 0xfc00
        || first & 0xffc0 == 0xfe80
        || first & 0xffc0 == 0xfec0;
    plain || embedded_v4(segments).is_some_and(is_inside_v4)
}

/// Mapped and compatible, NAT64 and 6to4 addresses lead to the IPv4 one they carry.
fn embedded_v4(segments: [u16; 8]) -> Option<Ipv4Addr> {
    let join = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match segments {
        [0, 0, 0, 0, 0, 0xffff | 0, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, _, _, _, _, _] => Some(join(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{HostRule, Rules};

    fn rules(hosts: &[&str]) -> Rules {
        let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
        Rules::parse(&hosts, None).unwrap()
    }

    #[test]
    fn hosts_and_ports() {
        let rules = rules(&["api.example.org", "*.suffix.net", "odd.example:8443", "[::1]:90"]);
        for (host, port, allowed) in [
            ("api.example.org", 443, true),
            ("API.Example.ORG.", 80, true),
            ("api.example.org", 8080, false),
            ("example.org", 443, false),
            ("xapi.example.org", 443, false),
            ("api.example.org.evil.com", 443, false),
            ("a.suffix.net", 443, true),
            ("a.b.suffix.net", 443, true),
            ("suffix.net", 443, false),
            (".suffix.net", 443, false),
            ("evilsuffix.net", 443, false),
            ("odd.example", 8443, true),
            ("odd.example", 443, false),
            ("::1", 90, true),
            ("[::1]", 90, true),
            ("::1", 80, false),
        ] {
            assert_eq!(rules.allows(host, port), allowed, "{host}:{port}");
        }
    }

    #[test]
    fn a_narrowing_narrows() {
        let list = |host: &str| vec![host.to_owned()];
        let rules = Rules::parse(&list("*.example.org"), Some(&list("a.example.org"))).unwrap();
        assert!(rules.allows("a.example.org", 443) && !rules.allows("b.example.org", 443));
    }

    #[test]
    fn entries_that_are_no_hosts() {
        for entry in ["", "*", "*.", "a b", "http://x", "x:0", "x:99999", "x:y", "a..b", "*.*.x"] {
            assert!(HostRule::parse(entry).is_err(), "{entry:?}");
        }
    }

    #[test]
    fn addresses_inside_a_network_are_refused_unless_listed() {
        let rules = rules(&["example.org", "10.1.2.3", "127.0.0.1:8080"]);
        for (address, allowed) in [
            ("93.184.216.34", true),
            ("10.1.2.3", true),
            ("10.1.2.4", false),
            ("127.0.0.1", false),
            ("127.0.0.2", false),
            ("0.0.0.0", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.32.0.1", true),
            ("192.168.1.1", false),
            ("100.64.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("2606:2800:220:1::1", true),
            ("::1", false),
            ("::", false),
            ("::ffff:10.0.0.1", false),
            ("::ffff:93.184.216.34", true),
            ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::1", false),
            ("fe80::1", false),
            ("fd00::1", false),
            ("ff02::1", false),
        ] {
            let address = address.parse().unwrap();
            assert_eq!(rules.allows_address(address, 443), allowed, "{address}");
        }
        assert!(rules.allows_address("127.0.0.1".parse().unwrap(), 8080), "listed with its port");
    }
}
