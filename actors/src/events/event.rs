//! The event vocabulary. A variant holds ids, enums, counts and durations; there is no field
//! that could take screen text or keystrokes. `Notification` alone carries an excerpt, and
//! that is a `SafeText`: already bounded, redacted and wrapped.

use std::time::Duration;

use policy::{Confidence, Kind, Reason, SafeText, State};

use super::code::{Cap, Code};
use crate::caller::Owner;
use crate::session_types::Outcome;

/// One fact to be stored and sent. `owner` and `session_id` decide who may see it.
#[derive(Debug, Clone)]
pub struct Emit {
    /// `None`: a fact about the service, seen by viewers and admins.
    pub owner: Option<Owner>,
    pub session_id: Option<String>,
    pub event: Event,
}

#[derive(Debug, Clone)]
pub enum Event {
    SessionState {
        phase: SessionPhase,
        /// Since creation.
        duration: Duration,
        exit_code: Option<i32>,
        reason: Option<Code>,
    },
    SpawnFailed {
        error_kind: Code,
        /// One of our own sentences.
        hint: &'static str,
    },
    InputNeeded {
        state: State,
        kind: Kind,
        reason: Reason,
        confidence: Confidence,
    },
    Stuck {
        no_progress: Duration,
        reason: StuckReason,
        confidence: Confidence,
    },
    AutoAnswered {
        source: AnswerSource,
        keystroke_count: u32,
    },
    Escalated {
        reason: EscalationReason,
    },
    Keystroke {
        kind: KeystrokeKind,
        byte_length: u64,
        redactions: u32,
        outcome: Outcome,
    },
    SessionEvicted {
        reason: EvictionReason,
        limit: Cap,
        duration: Duration,
    },
    DrivePromoted {
        reason: Code,
    },
    DriveReattached {
        reason: Code,
    },
    Notification(Box<Notification>),
    ApprovalRequested {
        approval_id: String,
        kind: Code,
    },
    ApprovalResolved {
        approval_id: String,
        kind: Code,
        decision: ApprovalDecision,
    },
    JobExited {
        job_id: String,
        status: Code,
        exit_code: Option<i32>,
        duration: Duration,
    },
    ToolCompleted {
        handle: String,
        tool: Code,
        status: ToolStatus,
        duration: Duration,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionPhase {
    Created,
    Running,
    Exited,
    Lost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StuckReason {
    Classified(Reason),
    /// The heartbeat found a hung child where the screen said nothing.
    LivenessBackstop,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerSource {
    /// Index into the entry's `hintPatterns`.
    Hint(usize),
    /// Name of the profile's dialog.
    Dialog(Code),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EscalationReason {
    Destructive,
    Approval,
    AuthLogin,
    NoSafeMatch,
    LoopDetected,
    Stuck,
    SpendLimit,
    HopLimit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeystrokeKind {
    Text,
    Key,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EvictionReason {
    Idle,
    MaxSessions,
    WallClock,
    MaxInteractions,
    Spend,
    NeverTasked,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalDecision {
    Granted,
    Denied,
    Expired,
}

/// How a call that had been handed out as pending ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolStatus {
    Ok,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NotificationOutcome {
    Started,
    Progress,
    Done,
    NeedsYou,
    Failed,
}

/// What a human is told about a drive.
#[derive(Debug, Clone)]
pub struct Notification {
    pub outcome: NotificationOutcome,
    pub reason: Option<Code>,
    pub error_kind: Option<Code>,
    pub duration: Duration,
    pub interactions: u64,
    pub cost_usd: f64,
    /// At most 512 bytes.
    pub excerpt: Option<SafeText>,
}
