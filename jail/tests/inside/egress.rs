//! The one road out of `network: listed-hosts`, walked from inside.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use jail::egress::{Denied, DeniedReason};
use jail::{Network, Request};

use crate::for_both;
use crate::harness::{Place, start};

/// Answers each request with what it was asked; a line that is no request is echoed.
fn server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    port
}

fn answer(stream: std::net::TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        if head.is_empty() && !line.contains("HTTP/") {
            // A tunnel: echo.
            stream.write_all(line.as_bytes()).unwrap();
            continue;
        }
        if line == "\r\n" {
            let body = head.replace("\r\n", "|");
            let length = body.len();
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}");
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let _ = reader.read_to_end(&mut Vec::new());
            return;
        }
        head.push_str(&line);
    }
}

fn listed(place: &Place, hosts: &[String], python: &str) -> Request {
    let prelude = "import socket, sys, threading\n\
        def ask(head, proxy=('127.0.0.1', 13128)):\n \
        s = socket.create_connection(proxy, 20)\n \
        s.sendall(head.encode('latin-1'))\n \
        data = b''\n \
        while True:\n  \
        try: more = s.recv(65536)\n  \
        except ConnectionError: break\n  \
        if not more: break\n  \
        data += more\n \
        return data.decode('latin-1')\n";
    std::fs::write(place.projects.join("ask.py"), format!("{prelude}{python}")).unwrap();
    let mut request = place.request("exec /usr/bin/python3 ask.py");
    request.scope.network = Network::ListedHosts;
    request.scope.hosts = hosts.to_vec();
    request
}

for_both!(what_is_listed_passes_and_all_else_is_refused_and_told, |_| {
    let place = Place::new();
    let port = server();
    let other = server();
    let hosts = [format!("127.0.0.1:{port}"), format!("LocalHost:{other}"), "*.invalid".to_owned()];
    let python = format!(
        "for head in [\n\
         'GET http://127.0.0.1:{port}/path HTTP/1.1\\r\\nHost: evil\\r\\n\\r\\n',\n\
         'GET http://127.0.0.1:{other}/ HTTP/1.1\\r\\n\\r\\n',\n\
         'GET http://localhost.:{other}/ HTTP/1.1\\r\\n\\r\\n',\n\
         'CONNECT unlisted.example:443 HTTP/1.1\\r\\n\\r\\n',\n\
         'CONNECT a.invalid:443 HTTP/1.1\\r\\n\\r\\n',\n\
         'CONNECT a.invalid:22 HTTP/1.1\\r\\n\\r\\n',\n\
         'CONNECT 169.254.169.254:80 HTTP/1.1\\r\\n\\r\\n',\n\
         'nonsense\\r\\n\\r\\n',\n\
         'GET /origin-form HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n',\n\
         'GET http://127.0.0.1:{port}/ HTTP/1.1\\r\\nX: ' + 'x' * 9000 + '\\r\\n\\r\\n',\n\
         ]:\n \
         print('=>', ask(head).split('\\r\\n')[0], flush=True)\n"
    );
    let request = listed(&place, &hosts, &python);
    let mut running = start(&request).unwrap();
    let report = running.guard.egress().unwrap();
    let output = running.finish().output;
    let statuses: Vec<&str> =
        output.lines().filter_map(|line| line.strip_prefix("=> HTTP/1.1 ")?.get(..3)).collect();
    let expected = ["200", "403", "403", "403", "502", "403", "403", "400", "400", "400"];
    assert_eq!(statuses, expected, "{output}");
    assert_eq!((report.allowed(), report.denied()), (1, 9));
    let denied = |host: &str, port, reason| Denied { host: host.to_owned(), port, reason };
    let events = report.take_denied();
    assert_eq!(
        events.get(..6).unwrap(),
        [
            denied("127.0.0.1", other, DeniedReason::NotListed),
            // Listed, but the name leads to this machine, which is not.
            denied("localhost.", other, DeniedReason::AddressRefused),
            denied("unlisted.example", 443, DeniedReason::NotListed),
            denied("a.invalid", 443, DeniedReason::DialFailed),
            denied("a.invalid", 22, DeniedReason::NotListed),
            denied("169.254.169.254", 80, DeniedReason::NotListed),
        ]
    );
    assert!(report.take_denied().is_empty(), "told once");
});

for_both!(the_request_arrives_in_origin_form_at_the_host_that_was_checked, |_| {
    let place = Place::new();
    let port = server();
    let python = format!(
        "print(ask('GET http://127.0.0.1:{port}/p?q HTTP/1.1\\r\\nHost: evil\\r\\n\
         Proxy-Authorization: secret\\r\\nAccept: x\\r\\n\\r\\n'))"
    );
    let mut request = listed(&place, &[format!("127.0.0.1:{port}")], &python);
    request.session_id = "ts_form".to_owned();
    let output = start(&request).unwrap().finish().output;
    let head = format!("GET /p?q HTTP/1.1|Host: 127.0.0.1:{port}|Connection: close|Accept: x|");
    assert!(output.contains(&head), "{output}");
});

for_both!(two_hundred_tunnels_at_once_stream_both_ways, |_| {
    let place = Place::new();
    let port = server();
    let python = format!(
        "good = []\n\
         barrier = threading.Barrier(200)\n\
         def tunnel(n):\n \
         s = socket.create_connection(('127.0.0.1', 13128), 30)\n \
         s.sendall(b'CONNECT 127.0.0.1:{port} HTTP/1.1\\r\\n\\r\\n')\n \
         f = s.makefile('rb')\n \
         assert b' 200 ' in f.readline(), n\n \
         assert f.readline() == b'\\r\\n'\n \
         barrier.wait(30)\n \
         for i in range(5):\n  \
         s.sendall(b'line %d %d\\n' % (n, i))\n  \
         assert f.readline() == b'line %d %d\\n' % (n, i)\n \
         good.append(n)\n\
         threads = [threading.Thread(target=tunnel, args=(n,)) for n in range(200)]\n\
         [t.start() for t in threads]; [t.join() for t in threads]\n\
         print('=> good', len(good))\n"
    );
    let request = listed(&place, &[format!("127.0.0.1:{port}")], &python);
    let mut running = start(&request).unwrap();
    let output = running.finish().output;
    assert!(output.contains("=> good 200"), "{output}");
});

for_both!(socks5_meets_the_same_rules, |_| {
    let place = Place::new();
    let port = server();
    let python = format!(
        "def socks(host, port):\n \
         s = socket.create_connection(('127.0.0.1', 13128), 20)\n \
         s.sendall(b'\\x05\\x01\\x00'); assert s.recv(2) == b'\\x05\\x00'\n \
         h = host.encode()\n \
         s.sendall(b'\\x05\\x01\\x00\\x03' + bytes([len(h)]) + h + port.to_bytes(2, 'big'))\n \
         code = s.recv(10)[1]\n \
         if code == 0:\n  \
         s.sendall(b'echo\\n'); assert s.recv(5) == b'echo\\n'\n \
         return code\n\
         print('=>', socks('127.0.0.1', {port}), socks('other.example', 443))\n"
    );
    let request = listed(&place, &[format!("127.0.0.1:{port}")], &python);
    let output = start(&request).unwrap().finish().output;
    assert!(output.contains("=> 0 2"), "{output}");
});

for_both!(there_is_no_other_road, |_| {
    let place = Place::new();
    let port = server();
    let python = format!(
        "import os\n\
         def road(f):\n \
         try: f(); print('=> reached', flush=True)\n \
         except OSError as e: print('=>', e.strerror, flush=True)\n\
         road(lambda: socket.create_connection(('127.0.0.1', {port}), 5))\n\
         road(lambda: socket.create_connection(('192.0.2.1', 443), 5))\n\
         udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n\
         road(lambda: udp.sendto(b'x', ('192.0.2.1', 53)))\n\
         udp.close()\n\
         road(lambda: socket.socket(socket.AF_UNIX))\n\
         print('=>', sorted(n for n in os.environ if 'PROXY' in n.upper()))\n\
         print('=>', [n for n in os.listdir('/proc/self/fd') if int(n) > 3])\n\
         print('=>', open('/proc/net/unix').read().count('ttydrive'))\n"
    );
    let request = listed(&place, &[format!("127.0.0.1:{port}")], &python);
    let output = start(&request).unwrap().finish().output;
    let said: Vec<&str> = output.lines().filter_map(|line| line.strip_prefix("=> ")).collect();
    assert_eq!(
        said,
        [
            "Connection refused",
            "Network is unreachable",
            "Network is unreachable",
            "Operation not permitted",
            "['ALL_PROXY', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'all_proxy', 'http_proxy', \
             'https_proxy', 'no_proxy']",
            "[]",
            "0",
        ],
        "{output}"
    );
});

for_both!(entries_that_are_no_hosts_are_refused, |_| {
    let place = Place::new();
    for hosts in [vec![], vec!["http://example.org".to_owned()]] {
        let error = start(&listed(&place, &hosts, "")).map(drop).unwrap_err();
        assert_eq!(error.code(), "invalid_value", "{error}");
        assert!(error.to_string().contains("scope.hosts"), "{error}");
    }
});
