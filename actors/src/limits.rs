//! The numbers of the actor system, each with its reason.

use std::time::Duration;

/// Longest `text` of one send (contract).
pub const SEND_TEXT_BYTES_MAX: usize = 256 * 1024;
/// A canonical tty keeps this many bytes of one line and drops the rest (contract, N_TTY).
pub const CANONICAL_LINE_BYTES_MAX: usize = 4_095;
/// Longer text is pasted when the program understands pastes (contract).
pub const PASTE_AUTO_BYTES: usize = 64;
/// Keys of one call (contract).
pub const KEYS_MAX: usize = 64;
/// Cap of a screen in `digest` and `diff` mode (contract).
pub const SCREEN_BYTES_MAX: usize = 8_192;
/// Cap of a screen in `full` mode (contract).
pub const SCREEN_FULL_BYTES_MAX: usize = 64 * 1024;
/// Cap of the cleaned final output (contract).
pub const EXIT_TAIL_BYTES_MAX: usize = 8 * 1024;
/// Longest `waitMs` and `timeoutMs` (contract).
pub const WAIT_MAX: Duration = Duration::from_millis(600_000);
/// Window of an idle wait that asked for nothing else (contract).
pub const IDLE_DEFAULT: Duration = Duration::from_millis(120);
/// Size of a compiled `forRegex`: linear-time matching stays quick below it.
pub const REGEX_BYTES_MAX: usize = 256 * 1024;
/// Longest `forText` or `forRegex`.
pub const PATTERN_BYTES_MAX: usize = 4_096;
/// History lines looked at by one text wait: what scrolls by faster is counted as truncated.
pub const WAIT_HISTORY_ROWS_MAX: u32 = 5_000;
/// History lines one `full` read may ask for.
pub const READ_HISTORY_ROWS_MAX: u32 = 5_000;
/// A text wait looks at the screen at most this often.
pub const LOOK_INTERVAL: Duration = Duration::from_millis(25);
/// The settle window of the service (contract).
pub const SETTLE: Duration = Duration::from_millis(120);
/// How long a send waits for the screen to stand still before it goes on: a spinner never
/// does, and the program must not wait for Enter for ever.
pub const SETTLE_PATIENCE: Duration = Duration::from_millis(1_500);
/// Pause between a paste and its Enter: programs ignore an Enter that could belong to it.
pub const PASTE_ENTER_GAP: Duration = Duration::from_millis(300);
/// Answers of a worker that lives come within milliseconds; a stopped one is not waited for.
pub const WORKER_REQUEST_MAX: Duration = Duration::from_secs(10);
/// Start of a worker and its program, jail included, on a loaded machine.
pub const WORKER_LAUNCH_MAX: Duration = Duration::from_secs(30);
/// Re-attaching a worker that lives.
pub const WORKER_ATTACH_MAX: Duration = Duration::from_secs(3);
/// Frames whose place in the history is remembered for `sinceFrame`.
pub const FRAME_MARKS_MAX: usize = 512;
/// Callers with a mark of their own in one session.
pub const CALLER_MARKS_MAX: usize = 64;
/// Text of a send that is remembered to tell its echo from output.
pub const ECHO_BYTES_MAX: usize = 16 * 1024;
/// First pause between looks at a settled, working screen that brings no output.
pub const RELOOK_FIRST: Duration = Duration::from_millis(250);
/// The longest such pause; it doubles up to here.
pub const RELOOK_MAX: Duration = Duration::from_secs(15);
/// Unsettled for this long is work, not a redraw of a clock.
pub const WORKED_ON: Duration = Duration::from_secs(3);
/// A kill is over within its grace and the kernel's reaping.
pub const KILL_WAIT_MAX: Duration = Duration::from_secs(15);
/// The reaper's pace (contract).
pub const REAP_INTERVAL: Duration = Duration::from_secs(30);
/// Mailbox of an actor: callers wait when it is full.
pub const MAILBOX: usize = 1_024;
/// Finished sessions kept readable per agent, over its `maxSessions`.
pub const FINISHED_KEPT_MAX: usize = 256;
/// Reserved uids: 60,000 sessions may live at once.
pub const UID_SLOTS: u32 = 60_000;
/// Characters of a session name.
pub const NAME_CHARS_MAX: usize = 120;
/// Arguments of one create.
pub const ARGS_MAX: usize = 256;
/// Their bytes together (the kernel's own limit is 128 KiB each).
pub const ARGS_BYTES_MAX: usize = 128 * 1024;

const _: () = assert!(SCREEN_BYTES_MAX < SCREEN_FULL_BYTES_MAX);
const _: () = assert!(SETTLE.as_millis() <= IDLE_DEFAULT.as_millis());
const _: () = assert!(SETTLE_PATIENCE.as_millis() > SETTLE.as_millis());
