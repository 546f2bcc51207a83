//! Every bound of this crate, with its reason.

use std::time::Duration;

/// Widest row taken off the wire. Sessions are at most 500 columns; twice that leaves room
/// without letting a lying peer ask for a picture of gigabytes.
pub const WIRE_COLS_MAX: u16 = 1_000;
/// Tallest frame taken off the wire; sessions have at most 200 rows.
pub const WIRE_ROWS_MAX: u16 = 400;

/// Cap of one message, as the protocol promises it.
pub const FRAME_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Room made before each read of a socket.
pub const READ_BUFFER_BYTES: usize = 4 * 1024;
/// A larger read buffer is given back once it is empty.
pub const READ_BUFFER_KEPT_BYTES: usize = 64 * 1024;

/// Output waiting for one slow subscriber; older bytes are dropped and counted.
pub const OUTPUT_QUEUE_BYTES: usize = 1024 * 1024;
/// Largest `Output` message, so that a request's reply is never behind much of it.
pub const OUTPUT_CHUNK_BYTES: usize = 64 * 1024;

/// Launch specification on a worker's standard input.
pub const SPEC_BYTES_MAX: u64 = 1024 * 1024;
/// The one line a worker answers with on its standard output.
pub const READY_LINE_BYTES_MAX: u64 = 8 * 1024;

/// Requests of one link that may wait for their replies.
pub const LINK_REQUESTS_MAX: usize = 256;
/// Encoded requests waiting for the socket.
pub const LINK_QUEUE: usize = 32;
/// Pushes waiting for the session actor; behind it they are coalesced.
pub const LINK_PUSHES: usize = 16;
/// Time a new connection has to say hello.
pub const HELLO_TIMEOUT: Duration = Duration::from_secs(5);

/// Longest line of a worker's standard error that reaches the log.
pub const STDERR_LINE_BYTES_MAX: usize = 1_024;
/// Lines of one worker's standard error that reach the log.
pub const STDERR_LINES_MAX: u32 = 200;

/// `Changed` at most this often; a person sees no more than 60 pictures a second.
pub const CHANGED_INTERVAL: Duration = Duration::from_millis(15);
/// Content must stand still this long to be settled.
pub const SETTLE_WINDOW: Duration = Duration::from_millis(120);
/// Slowest rate at which unchanged content under running output is reported again.
pub const RESETTLE_INTERVAL_MAX: Duration = Duration::from_secs(1);
/// The emulator's picture is compared at most this often under a flood.
pub const EVALUATE_INTERVAL: Duration = Duration::from_millis(2);
/// A synchronized update is shown after this long even when the program never closes it.
pub const SYNC_UPDATE_MAX: Duration = Duration::from_millis(150);

/// Cleaned final output of an ended program.
pub const EXIT_TAIL_BYTES: usize = 8 * 1024;
/// Most raw output kept for it, whatever the specification asks for.
pub const RING_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Raw output looked at for the cleaned one: colourful programs spend many bytes a letter.
pub const EXIT_TAIL_RAW_BYTES: usize = 256 * 1024;

/// Input waiting for a program that does not read: four texts of the largest size.
pub const INPUT_QUEUE_BYTES: usize = 1024 * 1024;
/// Writes waiting in line.
pub const INPUT_QUEUE_ITEMS: usize = 64;
/// Terminal replies waiting; a program that asks and never reads loses the rest.
pub const REPLY_QUEUE_BYTES: usize = 64 * 1024;
/// Longest deadline of a write.
pub const WRITE_DEADLINE_MAX: Duration = Duration::from_secs(60);
/// While input waits, the terminal is tried this often even without a wake-up.
pub const WRITE_RETRY: Duration = Duration::from_millis(20);

/// Connections at a time: the daemon's, its successor's, and a few that only look.
pub const CONNECTIONS_MAX: usize = 8;
/// Requests of one connection whose replies are not written yet.
pub const CONNECTION_REQUESTS_MAX: usize = 64;
/// Messages of all connections waiting for the session.
pub const CONNECTION_INBOX: usize = 8;
/// Pause after a failed accept (no descriptors left).
pub const ACCEPT_RETRY: Duration = Duration::from_millis(200);

/// Bytes read of any file below /proc.
pub const PROC_FILE_BYTES_MAX: u64 = 64 * 1024;
/// Processes of one session that are looked at; a fork bomb must not cost the worker more.
pub const PROC_PROCESSES_MAX: usize = 512;
/// Threads of one process that are looked at.
pub const PROC_TASKS_MAX: usize = 128;
/// Processes of the foreground group that are searched for a blocked reader.
pub const PROC_FOREGROUND_MAX: usize = 32;
/// Open files of one process that are looked at.
pub const PROC_FDS_MAX: usize = 256;

/// History lines of one look or snapshot.
pub const HISTORY_ROWS_MAX: usize = 10_000;
/// History of one look; half of a message, so that the frame always fits beside it.
pub const HISTORY_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Lines of the alternate screen's past in one look: several times what a read gives out, and
/// little enough to fit beside frame and history.
pub const TRANSCRIPT_BYTES_MAX: usize = 1024 * 1024;
/// Link targets of one row; 200 rows of them still fit into a message.
pub const ROW_LINK_BYTES_MAX: usize = 16 * 1024;
/// Title carried with each look.
pub const TITLE_BYTES_MAX: usize = 4 * 1024;

/// A new worker whose daemon never comes ends after this.
pub const FIRST_CONNECTION_MAX: Duration = Duration::from_secs(10);
/// A session that is not durable outlives its daemon's link by this.
pub const LINK_GRACE: Duration = Duration::from_secs(2);
/// A durable session whose program has ended waits this long for a daemon to hear it.
pub const ORPHAN_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// The jail has this long to start the program.
pub const START_MAX: Duration = Duration::from_secs(20);
/// After the program's end its last output is read for at most this long, …
pub const DRAIN_MAX: Duration = Duration::from_secs(1);
/// … or until nothing came for this long, when somebody else holds the terminal.
pub const DRAIN_QUIET: Duration = Duration::from_millis(100);
/// Killing everything is confirmed within this time or reported as not done.
pub const KILL_MAX: Duration = Duration::from_secs(2);
/// Pause between two looks whether everything is gone.
pub const KILL_POLL: Duration = Duration::from_millis(5);
/// Last words to the daemon may take this long.
pub const FAREWELL_MAX: Duration = Duration::from_millis(500);
/// One attempt to read the terminal.
pub const PTY_READ_BYTES: usize = 16 * 1024;
/// Output handled before requests get their turn.
pub const PTY_TURN_BYTES: usize = 128 * 1024;

/// Largest terminal.
pub const SESSION_COLS_MAX: u16 = 500;
/// Largest terminal.
pub const SESSION_ROWS_MAX: u16 = 200;
