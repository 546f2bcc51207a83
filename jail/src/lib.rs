//! Scope to confinement: `plan -> argv -> spawn`. The only crate with `unsafe`.
//!
//! `plan` decides, purely but for one look at the named paths; `prepare` makes what the stages
//! read; `exec_stage` is the `ttydrive jail-exec` stage that opens, checks, mounts, drops the
//! uid and becomes bubblewrap; `Guard` tells the worker what really happened.
//!
//! **What is declared is made in full or nothing runs.** Every refusal has a `hint`.
//!
//! Decisions a reader may look for:
//! - As root each session has a host uid from a reserved range. What the operator gave it is
//!   shown through idmapped mounts, so files stay the service's on disk, several sessions
//!   share a workspace, and nothing is ever chowned. A file system that cannot do that is a
//!   refusal. With `full` the rest of the root answers to that uid's ordinary rights.
//! - `HOME` is the service user's home by name; unless the scope shows it, it is an empty
//!   place of the session's own. With `home`, the usual places of keys are masked unless the
//!   operator listed exactly that path; with `full` they are not.
//! - Without `network: full` a program may only make internet and netlink sockets: a unix
//!   socket in a bound directory, or vsock, would be a way round the network namespace.
//!   `socketpair` works.
//! - The program leads a session of its own with the PTY as its controlling terminal; no
//!   process of the jail outside shares it. 32-bit programs are killed by the filter.
//! - Landlock lets a confined program mount nothing, so a sandbox inside a jail has to do
//!   without mounts.
//!
//! What it does not do: terminals, agents, HTTP; the credential broker (`broker-only` is
//! refused); naming a session's events.

mod cgroup;
mod doctor;
pub mod egress;
mod env;
mod error;
mod host;
pub mod limits;
mod pin;
mod plan;
mod request;
mod scope;
mod spawn;
mod stage;
mod symptoms;
mod tree;

pub use cgroup::{CgroupDir, CgroupPlan, Cgroups};
pub use doctor::{Check, CheckStatus, Facts, SelfTest, diagnose, doctor, self_test};
pub use error::{ErrorKind, JailError};
pub use host::{BaseEntry, Bwrap, Host, service_home};
pub use pin::{PinnedProgram, pin_program};
pub use plan::{Bind, EgressPlan, Identity, JailPlan, Op, Ownership, Plan, plan};
pub use request::{Narrowing, Program, Request};
pub use scope::{Access, Filesystem, ListedPath, Network, ResourceLimits, Scope, UidMode};
pub use spawn::{Guard, Launch, ProgramExit, Started, close_inherited_fds, prepare};
pub use stage::exec_stage;
