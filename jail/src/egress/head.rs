//! What a client of the proxy asks for. Pure.

use super::rules::split_port;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub host: String,
    pub port: u16,
    /// For absolute-form requests: the head to send on. `None`: a tunnel.
    pub forward: Option<Vec<u8>>,
}

/// Parses a whole head, blank line included. `None`: malformed.
pub(super) fn parse(head: &[u8]) -> Option<Asked> {
    let text = std::str::from_utf8(head).ok()?;
    let text = text.strip_suffix("\r\n\r\n")?;
    let (line, headers) = text.split_once("\r\n").unwrap_or((text, ""));
    let mut words = line.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let plain = words.next().is_none() && matches!(version, "HTTP/1.0" | "HTTP/1.1");
    let token = !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase());
    if !plain || !token || text.contains('\0') || headers.replace("\r\n", "").contains(['\r', '\n'])
    {
        return None;
    }
    if method == "CONNECT" {
        let (host, port) = split_port(target)?;
        return Some(Asked { host: checked(host)?, port: port?, forward: None });
    }
    absolute(method, target, headers)
}

fn absolute(method: &str, target: &str, headers: &str) -> Option<Asked> {
    let scheme = target.get(..7)?;
    let rest = target.get(7..).filter(|_| scheme.eq_ignore_ascii_case("http://"))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let path = path.split('#').next().unwrap_or_default();
    let (host, port) = split_port(authority)?;
    let host = checked(host)?;
    let slash = if path.starts_with('/') { "" } else { "/" };
    // One request, to the host that was checked: a Host header of its own could reach another
    // site on the same server, and a kept connection another host.
    let mut forward =
        format!("{method} {slash}{path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n");
    for line in headers.split("\r\n").filter(|line| !line.is_empty()) {
        let (name, _) = line.split_once(':')?;
        let own = ["host", "connection", "keep-alive"];
        let name = name.to_ascii_lowercase();
        if name.is_empty() || name.contains([' ', '\t']) {
            return None;
        }
        if !own.contains(&name.as_str()) && !name.starts_with("proxy-") {
            forward.push_str(line);
            forward.push_str("\r\n");
        }
    }
    forward.push_str("\r\n");
    Some(Asked { host, port: port.unwrap_or(80), forward: Some(forward.into_bytes()) })
}

fn checked(host: &str) -> Option<String> {
    let name = host.strip_suffix('.').unwrap_or(host);
    let good = host.parse::<std::net::IpAddr>().is_ok() || super::rules::is_name(name);
    good.then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn ask(head: &str) -> Option<(String, u16, Option<String>)> {
        parse(head.as_bytes()).map(|asked| {
            let forward = asked.forward.map(|bytes| String::from_utf8(bytes).unwrap());
            (asked.host, asked.port, forward)
        })
    }

    #[test]
    fn tunnels() {
        let ok = ask("CONNECT api.example.org:443 HTTP/1.1\r\nHost: other\r\n\r\n");
        assert_eq!(ok, Some(("api.example.org".to_owned(), 443, None)));
        assert!(ask("CONNECT [::1]:443 HTTP/1.1\r\n\r\n").is_some());
        for bad in [
            "CONNECT api.example.org HTTP/1.1\r\n\r\n",
            "CONNECT a:b:443 HTTP/1.1\r\n\r\n",
            "CONNECT user@host:443 HTTP/1.1\r\n\r\n",
            "CONNECT x:443 HTTP/2\r\n\r\n",
            "CONNECT x:443  HTTP/1.1\r\n\r\n",
            "connect x:443 HTTP/1.1\r\n\r\n",
            "CONNECT x:443 HTTP/1.1\nHost: y\r\n\r\n",
            "\r\n\r\n",
        ] {
            assert_eq!(ask(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn absolute_form_goes_on_as_one_request_to_that_host() {
        let asked = ask(
            "GET http://a.example:8080/x?y=1#z HTTP/1.1\r\nHost: evil\r\nProxy-Authorization: q\r\n\
             Accept: */*\r\nConnection: keep-alive\r\n\r\n",
        );
        let forward = "GET /x?y=1 HTTP/1.1\r\nHost: a.example:8080\r\nConnection: close\r\n\
                       Accept: */*\r\n\r\n";
        assert_eq!(asked, Some(("a.example".to_owned(), 8080, Some(forward.to_owned()))));
        assert_eq!(ask("GET http://a.example HTTP/1.1\r\n\r\n").unwrap().1, 80);
        for bad in [
            "GET /x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET https://a/ HTTP/1.1\r\n\r\n",
            "GET ftp://a/ HTTP/1.1\r\n\r\n",
            "GET http://u@a/ HTTP/1.1\r\n\r\n",
            "GET http:///x HTTP/1.1\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nbad header: x\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nno-colon\r\n\r\n",
        ] {
            assert_eq!(ask(bad), None, "{bad:?}");
        }
    }
}
