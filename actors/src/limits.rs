//! Bounds of sessions and of what is done with them, each with its reason.

use std::time::Duration;

/// Settle window of a wait that asked for nothing else (contract).
pub const SETTLE_MS_DEFAULT: i64 = 120;
/// Text of one send (contract).
pub const TEXT_BYTES_MAX: usize = 256 * 1024;
/// What a tty in canonical mode keeps of one line.
pub const CANONICAL_LINE_BYTES_MAX: usize = 4_095;
/// Longer text is pasted when the program takes pastes (contract).
pub const TYPED_BYTES_MAX: usize = 64;
/// Keys of one call (contract).
pub const KEYS_MAX: usize = 64;
/// A key call has no timeout of its own.
pub const KEYS_TIMEOUT: Duration = Duration::from_secs(15);

/// A screen that never stands still does not hold back Enter for longer.
pub const TYPED_SETTLE_MS_MAX: i64 = 2_000;
/// Nor the answer, once the effect of Enter was seen.
pub const EFFECT_SETTLE_MS_MAX: i64 = 3_000;
/// How long a send waits for a moving screen before it looks for a dialog on it.
pub const CHECK_SETTLE_MS_MAX: i64 = 300;

/// Sends and key calls in line for one session; each is a transaction.
pub const SENDS_MAX: usize = 64;
/// Waits on one session: the spec speaks of hundreds over all.
pub const WAITS_MAX: usize = 1_000;
/// Viewers of one session's live output.
pub const VIEWERS_MAX: usize = 16;
/// Output messages waiting for one viewer; a slower one is cut off.
pub const VIEWER_QUEUE: usize = 256;
/// Inbox of a session: a wait of each and some calls beside them.
pub const SESSION_INBOX: usize = 2_048;
/// Inbox of the registry and of the classifier.
pub const SERVICE_INBOX: usize = 4_096;

/// Longest wait (contract).
pub const WAIT_MAX: Duration = Duration::from_secs(600);
/// A compiled regular expression; patterns that need more are refused.
pub const REGEX_BYTES_MAX: usize = 1024 * 1024;
/// Lines scrolled off that a text condition looks at.
pub const FRESH_LINES_MAX: u32 = 2_000;
/// Scrollback kept of an ended session.
pub const ENDED_LINES_MAX: u32 = 5_000;
/// Inputs remembered of one caller, to tell their echo from output.
pub const INPUTS_MAX: usize = 16;
/// Lines of one input whose echo is looked for.
pub const ECHO_LINES_MAX: usize = 200;
/// Callers remembered of one session.
pub const CALLERS_MAX: usize = 64;

/// A look at a live worker takes milliseconds; a stopped one must not hold up calls.
pub const LOOK_MAX: Duration = Duration::from_secs(10);
/// Other requests to a worker that do not wait for the program.
pub const REQUEST_MAX: Duration = Duration::from_secs(10);
/// From creating the worker to the program running in its jail.
pub const LAUNCH_MAX: Duration = Duration::from_secs(25);
/// Connecting to a worker that lived before this process.
pub const ATTACH_MAX: Duration = Duration::from_secs(3);
/// Politeness of a kill (contract).
pub const KILL_GRACE_MS: i64 = 2_000;
/// After KILL everything must be gone; the kernel needs milliseconds.
pub const KILL_HARD_MS: i64 = 5_000;
/// Without any output since the input and no reader known, the state before is believed again
/// after this.
pub const SILENT_INPUT_MS: i64 = 1_000;
/// First and longest pause between looks at a session that seems to work.
pub const RELOOK_MS_MIN: i64 = 150;
/// See above.
pub const RELOOK_MS_MAX: i64 = 2_000;

/// Read caps (contract).
pub const SCREEN_BYTES_MAX: usize = 8_192;
/// See above; mode `full`.
pub const FULL_BYTES_MAX: usize = 64 * 1024;
/// Cleaned final output (contract).
pub const EXIT_TAIL_BYTES_MAX: usize = 8_192;
/// Scrollback of one read.
pub const SCROLLBACK_MAX: u32 = 10_000;

/// Uids reserved for sessions: far more than can live at once.
pub const UID_SLOTS: u32 = 60_000;
/// Characters of a session's name.
pub const NAME_CHARS_MAX: usize = 120;
/// Arguments of one create.
pub const ARGS_MAX: usize = 256;
/// Their bytes together; the kernel itself takes 128 KiB of one.
pub const ARGS_BYTES_MAX: usize = 128 * 1024;
/// Characters of a project's name (contract).
pub const PROJECT_CHARS_MAX: usize = 64;
/// Sessions of the whole service, so that an id space of uids suffices.
pub const SESSIONS_MAX: usize = 4_096;
/// Pause between two runs of the reaper (contract).
pub const REAP_EVERY: Duration = Duration::from_secs(30);
/// Ending everything when the service stops.
pub const DRAIN_KILL_MAX: Duration = Duration::from_secs(6);
/// Letting the others go: one message each, no disk and no worker in the way.
pub const DRAIN_LET_GO_MAX: Duration = Duration::from_secs(1);

const _: () = {
    assert!(SCREEN_BYTES_MAX < FULL_BYTES_MAX);
    assert!(RELOOK_MS_MIN < RELOOK_MS_MAX);
    assert!(KILL_GRACE_MS < KILL_HARD_MS);
};
