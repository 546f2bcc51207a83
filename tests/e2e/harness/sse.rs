//! A reader of the event stream on a thread of its own.

use std::io::{BufRead, BufReader};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Instant;

use serde_json::Value;

use super::{Client, PATIENCE};

/// One event as it came.
#[derive(Debug, Clone)]
pub struct Event {
    pub id: i64,
    pub kind: String,
    pub data: Value,
}

/// An open stream; closed when dropped and the service sends the next byte.
pub struct Events {
    incoming: Receiver<Event>,
    pub headers: ureq::http::HeaderMap,
}

impl Events {
    pub fn open(client: &Client, query: &str, last: Option<i64>) -> Self {
        let http: ureq::Agent = ureq::Agent::config_builder().build().into();
        let mut request = http
            .get(format!("{}/v1/events{query}", client.url))
            .header("Authorization", format!("Bearer {}", client.token));
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last.to_string());
        }
        let response = request.call().expect("an event stream");
        let headers = response.headers().clone();
        let mut lines = BufReader::new(response.into_body().into_reader()).lines();
        let (tell, incoming) = mpsc::channel();
        // `retry:` is the first line: once it is here, the subscription is live.
        assert_eq!(lines.next().expect("a line").expect("readable"), "retry: 2000");
        thread::spawn(move || {
            let mut block = Vec::new();
            for line in lines.map_while(Result::ok) {
                if !line.is_empty() {
                    block.push(line);
                } else if let Some(event) = parse(&std::mem::take(&mut block))
                    && tell.send(event).is_err()
                {
                    return;
                }
            }
        });
        Self { incoming, headers }
    }

    /// Events up to and with the first that fits.
    pub fn until(&self, fits: impl Fn(&Event) -> bool) -> Vec<Event> {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.incoming.recv_timeout(left) {
                Ok(event) => seen.push(event),
                Err(_) => panic!("the event did not come; these did: {seen:#?}"),
            }
            if seen.last().is_some_and(&fits) {
                return seen;
            }
        }
    }

    /// Returns when the service has ended the stream.
    pub fn until_closed(&self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.incoming.recv_timeout(left) {
                Ok(_) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("the stream did not end"),
            }
        }
    }

    pub fn until_kind(&self, kind: &str) -> Event {
        self.until(|event| event.kind == kind).pop().expect("the last one fits")
    }
}

fn parse(block: &[String]) -> Option<Event> {
    let field = |name: &str| block.iter().find_map(|line| line.strip_prefix(name));
    Some(Event {
        id: field("id: ")?.parse().ok()?,
        kind: field("event: ")?.to_owned(),
        data: serde_json::from_str(field("data: ")?).ok()?,
    })
}
