//! The live view over a WebSocket.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::harness::{Client, PATIENCE, Service, Session};

struct Socket(TcpStream);

impl Socket {
    /// The handshake; `Err` is the answer that was no switch.
    fn open(client: &Client, session: &Session) -> Result<Self, String> {
        let mut stream = TcpStream::connect(client.url.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!(
            "GET /v1/sessions/{}/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer {}\r\n\r\n",
            session.id, client.token
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap();
        // The accept value of this key, as RFC 6455 gives it.
        let accepted = head.to_lowercase().contains("s3pplmbitxaq9kygzzhzrbk+xoo=");
        if head.starts_with("HTTP/1.1 101 ") && accepted { Ok(Self(stream)) } else { Err(head) }
    }

    /// Opcode and payload of the next frame.
    fn next(&mut self) -> (u8, Vec<u8>) {
        let mut head = [0; 2];
        self.0.read_exact(&mut head).unwrap();
        let length = match head[1] & 0x7f {
            126 => {
                let mut bytes = [0; 2];
                self.0.read_exact(&mut bytes).unwrap();
                usize::from(u16::from_be_bytes(bytes))
            }
            127 => {
                let mut bytes = [0; 8];
                self.0.read_exact(&mut bytes).unwrap();
                usize::try_from(u64::from_be_bytes(bytes)).unwrap()
            }
            short => usize::from(short),
        };
        let mut payload = vec![0; length];
        self.0.read_exact(&mut payload).unwrap();
        (head[0] & 0x0f, payload)
    }

    /// A masked text frame, as a client sends it; the mask is zero.
    fn say(&mut self, text: &str) {
        let length = u8::try_from(text.len()).unwrap();
        let mut frame = vec![0x81, 0x80 | length, 0, 0, 0, 0];
        frame.extend_from_slice(text.as_bytes());
        self.0.write_all(&frame).unwrap();
    }
}

const BINARY: u8 = 2;
const CLOSE: u8 = 8;

#[test]
fn a_viewer_sees_the_screen_then_output_and_cannot_type() {
    let service = Service::start();
    let agent = service.agent();
    let session = agent.create(json!({ "allowId": "bash", "args": ["--norc"] }));
    session.wait_state("awaiting-input");
    session.submit("echo before the viewer");
    session.wait(json!({ "forText": "before the viewer" }));
    let viewer = service.client("viewer", "default");
    let mut socket = Socket::open(&viewer, &session).expect("a WebSocket");
    let (kind, snapshot) = socket.next();
    assert_eq!(kind, BINARY);
    let text = String::from_utf8_lossy(&snapshot).into_owned();
    assert!(text.contains("before the viewer"), "{text}");
    session.submit("echo seen $((40 + 2)) live");
    let mut output = String::new();
    while !output.contains("seen 42 live") {
        let (kind, bytes) = socket.next();
        assert_eq!(kind, BINARY, "{output}");
        output.push_str(&String::from_utf8_lossy(&bytes));
    }
    socket.say("exit\n");
    loop {
        let (kind, payload) = socket.next();
        if kind == CLOSE {
            assert_eq!(u16::from_be_bytes([payload[0], payload[1]]), 1008, "policy violation");
            break;
        }
    }
    assert_eq!(session.status()["state"], "awaiting-input", "nothing was typed");
    let refused = Socket::open(&agent, &session).err().expect("agents read the redacted screen");
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
}
