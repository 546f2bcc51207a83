//! The event log: everything that happened, stored first, then sent.

pub mod code;
pub mod event;
mod fields;

pub use code::{Cap, Code};
pub use event::{
    AnswerSource, ApprovalDecision, Emit, EscalationReason, Event, EvictionReason, KeystrokeKind,
    Notification, NotificationOutcome, SessionPhase, StuckReason, ToolStatus,
};
pub use fields::EVENT_TYPES;
