//! Counters of the HTTP side, in Prometheus' text format together with what the actors know.

use std::sync::atomic::{AtomicU64, Ordering};

/// Answers by class of status, and streams that are open.
#[derive(Debug, Default)]
pub struct Metrics {
    by_class: [AtomicU64; 5],
    event_streams: AtomicU64,
    live_streams: AtomicU64,
}

/// What is open right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Events,
    Live,
}

/// Counts down when the stream is dropped.
pub struct Open {
    metrics: std::sync::Arc<Metrics>,
    stream: Stream,
}

impl Metrics {
    pub fn answered(&self, status: u16) {
        let class = usize::from(status / 100).saturating_sub(1);
        if let Some(counter) = self.by_class.get(class) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[must_use]
    pub fn open(self: &std::sync::Arc<Self>, stream: Stream) -> Open {
        self.gauge(stream).fetch_add(1, Ordering::Relaxed);
        Open { metrics: self.clone(), stream }
    }

    fn gauge(&self, stream: Stream) -> &AtomicU64 {
        match stream {
            Stream::Events => &self.event_streams,
            Stream::Live => &self.live_streams,
        }
    }

    /// The exposition of these counters.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::from(
            "# HELP ttydrive_http_responses_total Answers by class of status.\n\
             # TYPE ttydrive_http_responses_total counter\n",
        );
        for (index, counter) in self.by_class.iter().enumerate() {
            out += &format!(
                "ttydrive_http_responses_total{{class=\"{}xx\"}} {}\n",
                index + 1,
                counter.load(Ordering::Relaxed)
            );
        }
        out += "# HELP ttydrive_streams_open Open event and live streams.\n\
                # TYPE ttydrive_streams_open gauge\n";
        for (name, stream) in [("events", Stream::Events), ("live", Stream::Live)] {
            let open = self.gauge(stream).load(Ordering::Relaxed);
            out += &format!("ttydrive_streams_open{{kind=\"{name}\"}} {open}\n");
        }
        out
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.metrics.gauge(self.stream).fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn answers_and_streams_are_counted() {
        let metrics = Arc::new(Metrics::default());
        metrics.answered(200);
        metrics.answered(404);
        metrics.answered(404);
        let open = metrics.open(Stream::Events);
        let text = metrics.text();
        assert!(text.contains("ttydrive_http_responses_total{class=\"4xx\"} 2\n"), "{text}");
        assert!(text.contains("ttydrive_streams_open{kind=\"events\"} 1\n"), "{text}");
        drop(open);
        assert!(metrics.text().contains("ttydrive_streams_open{kind=\"events\"} 0\n"));
    }
}
