//! Starts jails the way a worker does and reads what they print.

use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use jail::{
    Filesystem, Guard, Host, JailError, Network, Plan, Program, ProgramExit, Request,
    ResourceLimits, Scope, Started, UidMode,
};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// No single wait of these tests may be longer.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A data dir with a workspace, as the service lays it out.
pub struct Place {
    _dir: tempfile::TempDir,
    pub data_dir: PathBuf,
    pub projects: PathBuf,
    /// The service user's home.
    pub home: PathBuf,
    /// Beside the data dir; nothing of a scope by itself.
    pub root: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    pub fn below(parent: &Path) -> Self {
        let dir = tempfile::Builder::new().prefix("jail-test").tempdir_in(parent).unwrap();
        let root = std::fs::canonicalize(dir.path()).unwrap();
        let data_dir = root.join("data");
        let projects = data_dir.join("workspace/projects");
        std::fs::create_dir_all(&projects).unwrap();
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(&data_dir, private).unwrap();
        let home = root.join("home");
        std::fs::create_dir(&home).unwrap();
        // Others may enter, so that only the jail keeps anyone out.
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&root, open).unwrap();
        Self { _dir: dir, data_dir, projects, home, root }
    }

    pub fn request(&self, script: &str) -> Request {
        let program = jail::pin_program(Path::new("/bin/bash"), None).unwrap();
        Request {
            session_id: "ts_0123456789abcdef".to_owned(),
            program: Program {
                path: program.path,
                sha256: program.sha256,
                argv0: None,
                args: vec!["-c".to_owned(), script.to_owned()],
            },
            scope: least(),
            limits: ResourceLimits::default(),
            workspace: self.projects.clone(),
            cwd: self.projects.clone(),
            data_dir: self.data_dir.clone(),
            hidden: Vec::new(),
            env: Vec::new(),
            env_overrides: Vec::new(),
            unsafe_disable_sandbox: false,
            uid_slot: 7,
            profile: None,
            narrowing: None,
        }
    }

    /// Runs a bash script at least privilege and returns what it printed.
    pub fn run(&self, script: &str) -> String {
        finish(&self.request(script)).output
    }
}

pub fn least() -> Scope {
    Scope {
        filesystem: Filesystem::Workspace,
        paths: Vec::new(),
        network: Network::None,
        hosts: Vec::new(),
        credential_paths: Vec::new(),
        ephemeral_writable_paths: Vec::new(),
        uid: UidMode::Dedicated,
    }
}

pub struct Outcome {
    pub output: String,
    pub exit: Option<ProgramExit>,
}

/// A running jail and its PTY.
pub struct Running {
    pub started: Started,
    pub guard: Guard,
    pub master: OwnedFd,
    pub output: String,
    pub child: Child,
}

/// Plans and starts.
pub fn start(request: &Request) -> Result<Running, JailError> {
    start_on(request, &host(request))
}

/// This machine, with the place's home as the service user's.
pub fn host(request: &Request) -> Host {
    let home = request.data_dir.parent().unwrap().join("home");
    Host { home, ..Host::probe() }
}

pub fn start_on(request: &Request, host: &Host) -> Result<Running, JailError> {
    let plan = jail::plan(request, host)?;
    launch(&plan)
}

pub fn launch(plan: &Plan) -> Result<Running, JailError> {
    // By its magic link, because a throwaway user may not reach the build directory.
    let (launch, mut guard) = jail::prepare(plan, Path::new("/proc/self/exe"))?;
    let pty = nix::pty::openpty(None, None).unwrap();
    let (master, slave) = (pty.master, pty.slave);
    let mut command = Command::new(&launch.program);
    command.args(&launch.args).env_clear().envs(launch.env).current_dir(&launch.cwd);
    command.stdin(slave.try_clone().unwrap()).stdout(slave.try_clone().unwrap());
    command.stderr(slave);
    #[allow(unsafe_code)]
    // SAFETY: only async-signal-safe calls, as between fork and exec it must be.
    unsafe {
        command.pre_exec(|| {
            nix::unistd::setsid()?;
            nix::libc::ioctl(0, nix::libc::TIOCSCTTY, 0);
            Ok(())
        });
    }
    let mut child = command.spawn().unwrap();
    drop(command);
    match guard.wait_started(child.id().cast_signed(), PATIENCE) {
        Ok(started) => Ok(Running { started, guard, master, output: String::new(), child }),
        Err(error) => {
            child.wait().unwrap();
            Err(error)
        }
    }
}

/// Who the service of a test is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    Root,
    User,
}

/// An id nobody has.
const THROWAWAY: u32 = 61_111;

impl Service {
    /// Becomes it; each test has a process of its own. False: this cannot be tested here.
    pub fn enter(self) -> bool {
        let root = nix::unistd::Uid::effective().is_root();
        match self {
            Self::Root if !root => {
                println!("NOT TESTED: a service that is root, because these tests are not");
                false
            }
            Self::Root => true,
            Self::User if !root => true,
            Self::User => {
                let (uid, gid) = (THROWAWAY.into(), THROWAWAY.into());
                nix::unistd::setgroups(&[]).unwrap();
                nix::unistd::setresgid(gid, gid, gid).unwrap();
                nix::unistd::setresuid(uid, uid, uid).unwrap();
                // As after a login: the descriptors of this process can be opened by its own.
                nix::sys::prctl::set_dumpable(true).unwrap();
                true
            }
        }
    }
}

/// The same test for a service that is root and one that is not.
#[macro_export]
macro_rules! for_both {
    ($name:ident, $body:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            use $crate::harness::Service;

            fn check(service: Service) {
                if service.enter() {
                    let body: fn(Service) = $body;
                    body(service);
                }
            }

            #[test]
            fn as_root() {
                check(Service::Root);
            }

            #[test]
            fn as_user() {
                check(Service::User);
            }
        }
    };
}

/// Runs to the end.
pub fn finish(request: &Request) -> Outcome {
    match start(request) {
        Ok(mut running) => running.finish(),
        Err(error) => panic!("not started: {error} — {}", error.hint()),
    }
}

impl Running {
    pub fn finish(&mut self) -> Outcome {
        while self.read_more() {}
        self.child.wait().unwrap();
        Outcome { output: std::mem::take(&mut self.output), exit: self.guard.exit() }
    }

    /// Reads until the text shows.
    pub fn expect(&mut self, text: &str) {
        while !self.output.contains(text) {
            assert!(self.read_more(), "ended without {text:?}: {:?}", self.output);
        }
    }

    pub fn send(&self, bytes: &str) {
        nix::unistd::write(&self.master, bytes.as_bytes()).unwrap();
    }

    /// False at the end of the terminal.
    fn read_more(&mut self) -> bool {
        let mut fds = [PollFd::new(self.master.as_fd(), PollFlags::POLLIN)];
        let ready = poll(&mut fds, PollTimeout::try_from(PATIENCE).unwrap()).unwrap();
        assert!(ready > 0, "silent for {PATIENCE:?}; so far: {:?}", self.output);
        let mut buffer = [0; 65_536];
        let mut file = std::fs::File::from(self.master.try_clone().unwrap());
        match file.read(&mut buffer) {
            Ok(0) | Err(_) => false,
            Ok(count) => {
                self.output.push_str(&String::from_utf8_lossy(&buffer[..count]));
                true
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.child.try_wait().unwrap().is_none() {
            self.started.kill_tree();
            self.child.wait().unwrap();
        }
        let _ = self.master.as_raw_fd();
    }
}
