//! Every bound of this crate, with its reason.

use std::time::Duration;

/// First uid and gid of the range sessions get when the service is root. Above everything
/// people, services, subordinate ranges and systemd's containers (up to 1879048191) are given,
/// below the 2147483648 that signed programs cannot take.
pub const SESSION_UID_FIRST: u32 = 1_900_000_000;
/// Slots in that range; far more than sessions can live at once.
pub const SESSION_UID_COUNT: u32 = 60_000;
/// uid and gid inside the user namespace of a service that is not root.
pub const NAMESPACE_UID: u32 = 65_534;

/// Oldest bubblewrap with `--perms` and correct `--args` handling.
pub const BWRAP_FLOOR: (u32, u32, u32) = (0, 5, 0);

/// Largest launch plan taken: arguments, environment and paths of one program.
pub const PLAN_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Text of a failed start kept for the error: bubblewrap says one line, a loader a few.
pub const LOG_BYTES_MAX: usize = 16 * 1024;
/// Records a stage can send before it has to be done: hello, exec, failed.
pub const RECORDS_BYTES_MAX: usize = 64 * 1024;
/// Mounts in one jail: the base has about 60, an operator lists a few dozen.
pub const OPS_MAX: usize = 1_024;
/// Connections of one session at once; programs that open hundreds exist, thousands not.
pub const EGRESS_CONNECTIONS_MAX: usize = 1_024;
/// Longest request head; section 4.4.
pub const EGRESS_HEAD_BYTES_MAX: usize = 8 * 1024;
/// For a client to send its head.
pub const EGRESS_HEAD: Duration = Duration::from_secs(30);
/// For one look-up and for one connection attempt.
pub const EGRESS_DIAL: Duration = Duration::from_secs(15);
/// Refusals kept until someone reports them.
pub const EGRESS_EVENTS_MAX: usize = 256;
/// Characters of a refused host that are kept: the longest name DNS has.
pub const EGRESS_HOST_MAX: usize = 253;
/// Directories of ended sessions removed in one sweep.
pub const CGROUPS_SWEPT_MAX: usize = 1_000;
/// For a killed jail to leave its cgroup; what stays is swept at a later start.
pub const CGROUP_EMPTY: Duration = Duration::from_millis(500);
/// How much of /proc one search for a child walks.
pub const PROC_ENTRIES_MAX: usize = 100_000;
