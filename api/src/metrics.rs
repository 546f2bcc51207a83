//! Counters of the HTTP side, in Prometheus' text format together with what the actors know.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Answers by class of status, and streams that are open.
#[derive(Debug, Default)]
pub struct Metrics {
    by_class: [AtomicU64; 5],
    event_streams: AtomicU64,
    live_streams: AtomicU64,
    calls: AtomicU64,
}

/// What is going on right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    EventStream,
    LiveStream,
    /// A tool call that has not ended, whoever still waits for it.
    Call,
}

/// Counts down when it is dropped.
pub struct Counted {
    metrics: Arc<Metrics>,
    open: Open,
}

impl Metrics {
    pub fn answered(&self, status: u16) {
        let class = usize::from(status / 100).saturating_sub(1);
        if let Some(counter) = self.by_class.get(class) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[must_use]
    pub fn open(self: &Arc<Self>, open: Open) -> Counted {
        self.gauge(open).fetch_add(1, Ordering::Relaxed);
        Counted { metrics: self.clone(), open }
    }

    fn gauge(&self, open: Open) -> &AtomicU64 {
        match open {
            Open::EventStream => &self.event_streams,
            Open::LiveStream => &self.live_streams,
            Open::Call => &self.calls,
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
        let now = [
            ("ttydrive_event_streams_open", "Event streams with a reader.", Open::EventStream),
            ("ttydrive_live_streams_open", "Live views with a reader.", Open::LiveStream),
            ("ttydrive_tool_calls_running", "Tool calls that have not ended.", Open::Call),
        ];
        for (name, help, open) in now {
            gauge(&mut out, name, help, self.gauge(open).load(Ordering::Relaxed));
        }
        out
    }
}

/// Appends one number that goes up and down.
pub fn gauge(out: &mut String, name: &str, help: &str, value: u64) {
    *out += &format!("# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}\n");
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.metrics.gauge(self.open).fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_streams_are_counted() {
        let metrics = Arc::new(Metrics::default());
        metrics.answered(200);
        metrics.answered(404);
        metrics.answered(404);
        let open = metrics.open(Open::EventStream);
        let text = metrics.text();
        assert!(text.contains("ttydrive_http_responses_total{class=\"4xx\"} 2\n"), "{text}");
        assert!(text.contains("ttydrive_event_streams_open 1\n"), "{text}");
        drop(open);
        assert!(metrics.text().contains("ttydrive_event_streams_open 0\n"));
    }
}
