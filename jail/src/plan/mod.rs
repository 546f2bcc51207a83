//! A scope becomes a list of steps. Nothing has happened when a plan exists, and a plan that
//! cannot be made in full is an error that names its remedy.
//!
//! `plan` looks at the named paths once and then decides; everything behind `assemble` is
//! pure. A plan can be compared whole, shown, and sent to the worker; it holds the child's
//! variables, so it never goes on a command line.

mod argv;
mod assemble;
pub(crate) mod identity;
mod look;
mod mounts;
mod op;
mod screen;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub(crate) use argv::{Resolve, options};
pub use identity::Identity;
pub use op::{Bind, Op, Ownership};

use crate::egress::Rules;
use crate::host::Bwrap;
use crate::limits::BWRAP_FLOOR;
use crate::{CgroupPlan, Host, JailError, Program, Request};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub session_id: String,
    pub program: Program,
    /// The whole environment of the program.
    pub env: Vec<(String, String)>,
    /// Names that were asked for and refused.
    pub env_dropped: Vec<String>,
    pub cwd: PathBuf,
    /// `None` only under `unsafeDisableSandbox`.
    pub jail: Option<JailPlan>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JailPlan {
    pub bwrap: PathBuf,
    pub identity: Identity,
    pub unshare_net: bool,
    /// The program may make unix sockets: only where its scope has use for one.
    pub unix_sockets: bool,
    pub ops: Vec<Op>,
    /// The proxy of `listed-hosts`.
    pub egress: Option<EgressPlan>,
    pub cgroup: Option<CgroupPlan>,
    /// `security.permission.allowedFsPaths`: of the scope's paths only what lies in these.
    pub narrowed_paths: Option<Vec<PathBuf>>,
    /// Give the program, not pid 1, to the kernel when memory runs out.
    pub memory_capped: bool,
}

/// What the proxy lets through, as written in the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgressPlan {
    pub hosts: Vec<String>,
    pub narrowed: Option<Vec<String>>,
}

impl EgressPlan {
    pub(crate) fn rules(&self) -> Result<Rules, JailError> {
        Rules::parse(&self.hosts, self.narrowed.as_deref())
            .map_err(|error| JailError::Hosts { detail: error.to_string() })
    }
}

/// Makes the plan of one start.
///
/// # Errors
/// When any part of the scope cannot be materialised on this machine.
pub fn plan(request: &Request, host: &Host) -> Result<Plan, JailError> {
    assemble::assemble(request, host, &look::Paths::look(request, host))
}

impl Plan {
    /// bubblewrap's arguments with sources as planned; the stage gives it pinned ones.
    #[must_use]
    pub fn bwrap_argv(&self) -> Vec<OsString> {
        self.jail.as_ref().map(|jail| options(jail, &argv::AsPlanned)).unwrap_or_default()
    }

    /// `host`, `namespace`, `daemon`, or `none` without a sandbox.
    #[must_use]
    pub fn uid_kind(&self) -> &'static str {
        self.jail.as_ref().map_or("none", |jail| jail.identity.kind())
    }
}

fn usable_bwrap(host: &Host) -> Result<PathBuf, JailError> {
    let fix = "Install bubblewrap 0.5 or newer (Debian, Ubuntu: apt install bubblewrap; Fedora: \
               dnf install bubblewrap) and see `ttydrive doctor`.";
    let unavailable = |detail: String| JailError::Unavailable { detail, fix: fix.to_owned() };
    match &host.bwrap {
        Bwrap::Missing => Err(unavailable("there is no bwrap on PATH".to_owned())),
        Bwrap::Broken { path, detail } => {
            Err(unavailable(format!("{} does not run: {detail}", path.display())))
        }
        Bwrap::Found { version, .. } if *version < BWRAP_FLOOR => {
            let (major, minor, patch) = version;
            Err(unavailable(format!("bubblewrap {major}.{minor}.{patch} is too old (floor 0.5)")))
        }
        Bwrap::Found { path, .. } => Ok(path.clone()),
    }
}
