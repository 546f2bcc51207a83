//! Which notifications an operator wants (`drive.notify`). Pure.

use crate::events::NotificationOutcome;
use crate::settings::NotifyMode;

/// `terminal`: beginnings and ends, and what needs somebody. `all`: also single turns.
/// `none`: only what needs somebody; that is always sent.
pub(super) fn wanted(mode: NotifyMode, outcome: NotificationOutcome) -> bool {
    match (mode, outcome) {
        (_, NotificationOutcome::NeedsYou) | (NotifyMode::All, _) => true,
        (
            NotifyMode::Terminal,
            NotificationOutcome::Started
            | NotificationOutcome::Done
            | NotificationOutcome::Failed
            // The hourly sign of life has its own switch, `heartbeatNotifyMs`.
            | NotificationOutcome::Progress,
        ) => true,
        (
            NotifyMode::None,
            NotificationOutcome::Started
            | NotificationOutcome::Done
            | NotificationOutcome::Failed
            | NotificationOutcome::Progress,
        ) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::wanted;
    use crate::events::NotificationOutcome::{Done, Failed, NeedsYou, Progress, Started};
    use crate::settings::NotifyMode;

    #[test]
    fn needs_you_is_always_sent_and_none_is_quiet() {
        for outcome in [Started, Done, Failed, Progress, NeedsYou] {
            assert!(wanted(NotifyMode::All, outcome) && wanted(NotifyMode::Terminal, outcome));
            assert_eq!(wanted(NotifyMode::None, outcome), outcome == NeedsYou);
        }
    }
}
