//! Scope to confinement: `plan -> argv -> spawn`. The only crate with `unsafe`.

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
pub use host::{BaseEntry, Bwrap, Host};
pub use pin::{PinnedProgram, pin_program};
pub use plan::{Bind, EgressPlan, Identity, JailPlan, Op, Ownership, Plan, plan};
pub use request::{Narrowing, Program, Request};
pub use scope::{Access, Filesystem, ListedPath, Network, ResourceLimits, Scope, UidMode};
pub use spawn::{Guard, Launch, ProgramExit, Started, close_inherited_fds, prepare};
pub use stage::exec_stage;
