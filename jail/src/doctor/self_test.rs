//! One real jail: user, PID and network namespaces, mounts, filter, as the service's user.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{
    Filesystem, Host, JailError, Network, Plan, Program, Request, ResourceLimits, Scope, UidMode,
    pin_program, plan, prepare,
};

/// A program that does nothing takes milliseconds; a machine that needs longer than this
/// cannot start sessions either.
const DEADLINE: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelfTest {
    Passed { uid_kind: &'static str },
    Failed(JailError),
}

/// Starts `/bin/true` in a jail at least privilege.
#[must_use]
pub fn self_test(host: &Host) -> SelfTest {
    match run(host) {
        Ok(uid_kind) => SelfTest::Passed { uid_kind },
        Err(error) => SelfTest::Failed(error),
    }
}

fn run(host: &Host) -> Result<&'static str, JailError> {
    let dir = Scratch::new()?;
    let request = request(&dir.path)?;
    let plan = plan(&request, host)?;
    start(&plan)?;
    Ok(plan.uid_kind())
}

fn request(dir: &Path) -> Result<Request, JailError> {
    let program = ["/bin/true", "/usr/bin/true"]
        .iter()
        .find_map(|path| pin_program(Path::new(path), None).ok())
        .ok_or_else(|| start_error("there is no /bin/true to try"))?;
    let workspace = dir.join("projects");
    Ok(Request {
        session_id: format!("self-test-{}", std::process::id()),
        program: Program {
            path: program.path,
            sha256: program.sha256,
            // One of many names of a multi-call binary.
            argv0: Some("true".to_owned()),
            args: Vec::new(),
        },
        scope: Scope {
            filesystem: Filesystem::Workspace,
            paths: Vec::new(),
            network: Network::None,
            hosts: Vec::new(),
            credential_paths: Vec::new(),
            ephemeral_writable_paths: Vec::new(),
            uid: UidMode::Dedicated,
        },
        limits: ResourceLimits::default(),
        cwd: workspace.clone(),
        workspace,
        data_dir: dir.to_owned(),
        hidden: Vec::new(),
        env: Vec::new(),
        env_overrides: Vec::new(),
        unsafe_disable_sandbox: false,
        uid_slot: 0,
        profile: None,
        narrowing: None,
    })
}

#[expect(clippy::disallowed_methods, reason = "the jail crate starts jails")]
fn start(plan: &Plan) -> Result<(), JailError> {
    let (launch, mut guard) = prepare(plan, Path::new("/proc/self/exe"))?;
    let mut child = std::process::Command::new(&launch.program)
        .args(&launch.args)
        .env_clear()
        .current_dir(&launch.cwd)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .map_err(|error| start_error(&error.to_string()))?;
    let started = guard.wait_started(child.id().cast_signed(), DEADLINE);
    if let Err(JailError::Start { .. }) = &started {
        let _ = child.kill();
    }
    let _ = child.wait();
    started.map(drop)
}

fn start_error(detail: &str) -> JailError {
    JailError::Start { detail: detail.to_owned(), fix: "See the other checks.".to_owned() }
}

/// A directory that goes when this does.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new() -> Result<Self, JailError> {
        let template = std::env::temp_dir().join("ttydrive-doctor-XXXXXX");
        let path = nix::unistd::mkdtemp(&template)
            .map_err(|error| start_error(&format!("no temporary directory: {}", error.desc())))?;
        std::fs::create_dir(path.join("projects"))
            .map_err(|error| start_error(&error.to_string()))?;
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        Ok(Self { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
