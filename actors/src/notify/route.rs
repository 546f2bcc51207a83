//! Which events go to which webhook.

use crate::events::StoredEvent;
use crate::settings::Webhook;

/// The event type that notifications have.
const NOTIFICATION: &str = "drive:notification";

/// Where to, and what. The secret stays with the courier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) url: String,
    /// Patterns of event types, or outcomes of notifications (`needs-you`). Empty: all
    /// notifications.
    events: Vec<String>,
}

pub(crate) fn routes(webhooks: &[Webhook]) -> Vec<Route> {
    webhooks
        .iter()
        .map(|webhook| Route { url: webhook.url.clone(), events: webhook.events.clone() })
        .collect()
}

impl Route {
    pub(crate) fn takes(&self, event: &StoredEvent) -> bool {
        let notification = event.kind == NOTIFICATION;
        if self.events.is_empty() {
            return notification;
        }
        let outcome = event.fields.get("outcome").and_then(|value| value.as_str());
        self.events.iter().any(|wanted| {
            crate::events::glob_matches(wanted, &event.kind)
                || (notification && outcome == Some(wanted))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Route;
    use crate::events::StoredEvent;

    fn event(kind: &str, outcome: &str) -> StoredEvent {
        StoredEvent {
            id: 1,
            kind: kind.to_owned(),
            time: String::new(),
            owner: None,
            session_id: None,
            fields: json!({ "outcome": outcome }).as_object().unwrap().clone(),
        }
    }

    #[test]
    fn types_outcomes_and_nothing() {
        let takes = |events: &[&str], kind: &str, outcome: &str| {
            let events = events.iter().map(|e| (*e).to_owned()).collect();
            Route { url: String::new(), events }.takes(&event(kind, outcome))
        };
        assert!(takes(&[], "drive:notification", "done"));
        assert!(!takes(&[], "terminal:stuck", "done"));
        assert!(takes(&["needs-you"], "drive:notification", "needs-you"));
        assert!(!takes(&["needs-you"], "drive:notification", "done"));
        // An outcome means notifications; other events have members of that name too.
        assert!(!takes(&["delivered"], "terminal:keystroke", "delivered"));
        assert!(takes(&["terminal:*"], "terminal:stuck", ""));
        assert!(takes(&["failed", "*"], "tool:completed", ""));
    }
}
