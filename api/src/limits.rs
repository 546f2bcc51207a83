//! Bounds of the HTTP side, each with its reason.

use std::time::Duration;

/// Largest request body (contract).
pub const BODY_BYTES_MAX: usize = 1024 * 1024;

/// How much of a body that is too large is still read and thrown away before the answer, so
/// that an ordinary client gets to see the 413 instead of a reset connection.
pub const BODY_DISCARD_BYTES_MAX: usize = 16 * 1024 * 1024;

/// How long such a client may take to send what is thrown away.
pub const BODY_DISCARD_WAIT: Duration = Duration::from_secs(5);

/// A body that arrives slower than this in all is given up.
pub const BODY_WAIT: Duration = Duration::from_secs(30);

/// Largest text of one `send_text` (contract).
pub const TEXT_BYTES_MAX: usize = 256 * 1024;

/// A session key is a short name: it is stored with every session and event.
pub const SESSION_KEY_BYTES_MAX: usize = 128;

/// An idempotency key is stored for a day; a UUID has 36 bytes.
pub const IDEMPOTENCY_KEY_BYTES_MAX: usize = 255;

/// The longest `Prefer: wait` that is honoured; a longer one counts as this. It covers the
/// longest tool call (a wait of ten minutes) with room to spare.
pub const PREFER_WAIT_MAX: Duration = Duration::from_secs(660);

/// What an SSE client waits before it connects again (contract).
pub const SSE_RETRY_MS: u64 = 2_000;

/// A comment line keeps proxies from closing a silent stream (contract).
pub const SSE_COMMENT_EVERY: Duration = Duration::from_secs(15);

/// Globs of one `types=` filter: there are fifteen event types.
pub const SSE_TYPES_MAX: usize = 32;

/// Largest integer of the wire: beyond it, JSON readers that use doubles lose digits.
pub const INTEGER_MAX: u64 = (1 << 53) - 1;

/// How long a graceful stop waits for calls in flight; the service as a whole has 10 s.
pub const STOP_WAIT_SEC: u64 = 3;

/// When a client may try again after the service was found stopping: a restart takes about
/// as long.
pub const RESTART_WAIT: Duration = Duration::from_secs(5);

/// Calls of one agent remembered for its hourly budget, whatever the cap: 800 kB.
pub const BUDGET_CALLS_COUNTED_MAX: usize = 100_000;

/// Requests name a field at most this long in messages; the rest is cut.
pub const NAME_SHOWN_CHARS_MAX: usize = 80;

/// JSON nesting that is followed; no argument of ours is deeper than three.
pub const JSON_DEPTH_MAX: usize = 16;

/// Connections at once: 500 SSE subscribers and 200 waits fit several times over, and the
/// service keeps descriptors for its sessions.
pub const CONNECTIONS_MAX: usize = 4_096;

const _: () = assert!(TEXT_BYTES_MAX < BODY_BYTES_MAX);
const _: () = assert!(BODY_BYTES_MAX < BODY_DISCARD_BYTES_MAX);
