//! Every bound of this crate with its reason.

/// Bytes kept of one OSC, DCS or APC string; what follows is dropped, the string still ends.
/// Large enough for any clipboard or image header, small enough for a hundred sessions.
pub const STRING_BYTES_MAX: usize = 1 << 20;
/// Parameters of one control sequence; xterm keeps 30, more are dropped.
pub const PARAMS_MAX: usize = 32;
/// Largest terminal. Above it a resize is clamped: the grid is memory.
pub const SIDE_MAX: u16 = 1_000;
/// Lines of scrollback whatever the caller asks for.
pub const SCROLLBACK_LINES_MAX: usize = 100_000;
/// Replies waiting to be taken; a program that asks without reading gets no more.
pub const REPLIES_MAX: usize = 1_024;
/// Events waiting to be taken; the oldest go first.
pub const EVENTS_MAX: usize = 1_024;
/// Names of unanswered queries; a program that probes asks a few dozen.
pub const UNANSWERED_MAX: usize = 64;
/// Bytes of one such name; it comes from the program.
pub const UNANSWERED_NAME_BYTES_MAX: usize = 160;
/// Distinct looks alive at once: more than the cells of the largest usual screen.
pub const STYLES_MAX: usize = 1 << 18;
/// Distinct grapheme clusters alive at once.
pub const CLUSTERS_MAX: usize = 1 << 16;
/// Bytes of one cluster; a letter with sixteen marks fits, a stack of hundreds does not.
pub const CLUSTER_BYTES_MAX: usize = 64;
/// Distinct link targets alive at once.
pub const LINKS_MAX: usize = 1 << 14;
/// Bytes of one link target, the usual bound for addresses.
pub const LINK_BYTES_MAX: usize = 2_083;
/// Bytes of a title; a window bar shows far fewer.
pub const TITLE_BYTES_MAX: usize = 4_096;
/// Looks pushed by `CSI # {`, as many as xterm keeps.
pub const PEN_STACK_MAX: usize = 10;
/// Titles pushed by `CSI 22 t`.
pub const TITLE_STACK_MAX: usize = 10;
/// Entries of the kitty keyboard stack; the oldest is evicted, as its protocol asks.
pub const KITTY_STACK_MAX: usize = 16;
/// Text of a notification or of a program's status message.
pub const NOTE_BYTES_MAX: usize = 2_048;
/// Repetitions of one REP: a full screen of the largest size is enough.
pub const REPEAT_MAX: usize = 65_535;

const _: () = assert!(STYLES_MAX > 500 * 200, "a 500x200 screen of unlike cells fits");
const _: () = assert!(CLUSTER_BYTES_MAX < TITLE_BYTES_MAX);
