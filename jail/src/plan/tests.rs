//! Plans compared whole or in the part that matters; nothing is started.

use std::path::PathBuf;

use super::look::{Paths, Seen};
use super::{Op, Plan, assemble};
use crate::host::{BaseEntry, Bwrap};
use crate::{
    Access, Cgroups, Filesystem, Host, JailError, ListedPath, Network, Program, Request,
    ResourceLimits, Scope, UidMode,
};

fn host() -> Host {
    Host {
        uid: 1000,
        gid: 1000,
        user: "ann".to_owned(),
        home: "/home/ann".into(),
        shell: "/bin/bash".into(),
        time_zone: None,
        bwrap: Bwrap::Found { path: "/usr/bin/bwrap".into(), version: (0, 8, 0) },
        can_mount: false,
        base: vec![
            BaseEntry::Tree { path: "/usr".into(), source: "/usr".into() },
            BaseEntry::Link { path: "/bin".into(), target: "usr/bin".into() },
        ],
        cgroups: Cgroups::default(),
    }
}

fn request() -> Request {
    Request {
        session_id: "ts_1".to_owned(),
        program: Program {
            path: "/usr/bin/bash".into(),
            sha256: String::new(),
            argv0: None,
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
        workspace: "/home/ann/.ttydrive/workspace/projects".into(),
        cwd: "/home/ann/.ttydrive/workspace/projects".into(),
        data_dir: "/home/ann/.ttydrive".into(),
        hidden: vec!["/home/ann/config.yaml".into()],
        env: Vec::new(),
        env_overrides: Vec::new(),
        unsafe_disable_sandbox: false,
        uid_slot: 0,
        profile: None,
        narrowing: None,
    }
}

fn paths(extra: &[(&str, &str, bool)]) -> Paths {
    let mut paths = Paths::default();
    let usual = [
        ("/usr/bin/bash", "/usr/bin/bash", false),
        ("/home/ann", "/home/ann", true),
        ("/home/ann/.ttydrive", "/home/ann/.ttydrive", true),
        ("/home/ann/config.yaml", "/home/ann/config.yaml", false),
        ("/home/ann/.ttydrive/workspace/projects", "/home/ann/.ttydrive/workspace/projects", true),
    ];
    for (path, real, is_dir) in usual.iter().chain(extra) {
        paths.insert(path.into(), Seen { real: real.into(), is_dir: *is_dir });
    }
    paths
}

fn plan(request: &Request, extra: &[(&str, &str, bool)]) -> Result<Plan, JailError> {
    assemble::assemble(request, &host(), &paths(extra))
}

fn words(plan: &Plan) -> String {
    let argv = plan.bwrap_argv();
    argv.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[test]
fn least_privilege_whole() {
    let plan = plan(&request(), &[]).unwrap();
    let expected = "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup \
        --die-with-parent --as-pid-1 --cap-drop ALL --hostname ttydrive --unshare-net \
        --uid 65534 --gid 65534 \
        --dir /etc --ro-bind /usr /usr --symlink usr/bin /bin \
        --perms 0444 --ro-bind-data 3 /etc/passwd --perms 0444 --ro-bind-data 4 /etc/group \
        --proc /proc --dev /dev --tmpfs /tmp --tmpfs /run --tmpfs /var/tmp \
        --symlink /run /var/run --tmpfs /home/ann --tmpfs /home/ann/.ttydrive \
        --bind /home/ann/.ttydrive/workspace/projects /home/ann/.ttydrive/workspace/projects \
        --remount-ro /home/ann/.ttydrive \
        --ro-bind /usr/bin/bash /usr/bin/bash --remount-ro /";
    assert_eq!(words(&plan), expected);
    assert!(!words(&plan).contains("--new-session"));
}

#[test]
fn a_plan_survives_its_journey() {
    let plan = plan(&request(), &[]).unwrap();
    let json = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan);
}

#[test]
fn the_mask_is_under_the_workspace_and_over_the_home() {
    for filesystem in
        [Filesystem::Workspace, Filesystem::ListedPaths, Filesystem::Home, Filesystem::Full]
    {
        let mut request = request();
        request.scope.filesystem = filesystem;
        let ops = plan(&request, &[]).unwrap().jail.unwrap().ops;
        let at = |wanted: &dyn Fn(&Op) -> bool| ops.iter().rposition(wanted);
        let mask = at(&|op| *op == Op::Tmpfs("/home/ann/.ttydrive".into())).unwrap();
        let workspace = at(&|op| op.dest().ends_with("projects")).unwrap();
        assert!(mask < workspace, "{filesystem:?}");
        assert!(ops.iter().skip(mask + 1).all(|op| op.dest() != &PathBuf::from("/home/ann")));
        let program = at(&|op| op.dest().ends_with("bash")).unwrap();
        let behind = ops.iter().skip(program + 1).all(|op| matches!(op, Op::RemountRo(_)));
        assert!(behind, "{filesystem:?}: the program is bound last");
        let config = at(&|op| op.dest().ends_with("config.yaml"));
        let shows = matches!(filesystem, Filesystem::Home | Filesystem::Full);
        assert_eq!(config.is_some(), shows, "{filesystem:?}: masked where it would show");
    }
}

#[test]
fn a_path_below_another_comes_behind_it_whatever_the_order_in_the_file() {
    let listed = |path: &str, access| ListedPath { path: path.into(), access };
    let mut request = request();
    request.scope.filesystem = Filesystem::ListedPaths;
    request.scope.paths = vec![listed("/srv/a/b", Access::Ro), listed("/srv/a", Access::Rw)];
    let seen = [("/srv/a/b", "/srv/a/b", true), ("/srv/a", "/srv/a", true)];
    let text = words(&plan(&request, &seen).unwrap());
    let (outer, inner) = ("--bind /srv/a /srv/a", "--ro-bind /srv/a/b /srv/a/b");
    assert!(text.find(outer).unwrap() < text.find(inner).unwrap(), "{text}");
}

#[test]
fn a_second_mount_of_the_data_dir_is_masked_and_refused_as_a_source() {
    let mut seen = paths(&[("/home/ann/again", "/home/ann/again", true)]);
    seen.mounts = "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n\
                   21 20 8:1 /home/ann/.ttydrive /home/ann/again rw - ext4 /dev/sda1 rw\n"
        .to_owned();
    let mut request = request();
    request.scope.filesystem = Filesystem::Home;
    let plan = assemble::assemble(&request, &host(), &seen).unwrap();
    assert!(words(&plan).contains("--tmpfs /home/ann/again"));
    request.scope.filesystem = Filesystem::ListedPaths;
    request.scope.paths = vec![ListedPath { path: "/home/ann/again".into(), access: Access::Ro }];
    let error = assemble::assemble(&request, &host(), &seen).unwrap_err();
    assert!(error.to_string().contains("data directory"), "{error}");
}

#[test]
fn root_without_the_right_to_mount_is_refused() {
    let host = Host { uid: 0, gid: 0, ..host() };
    let error = assemble::assemble(&request(), &host, &paths(&[])).unwrap_err();
    assert!(error.to_string().contains("CAP_SYS_ADMIN"), "{error}");
    let host = Host { can_mount: true, ..host };
    let plan = assemble::assemble(&request(), &host, &paths(&[])).unwrap();
    assert_eq!(plan.uid_kind(), "host");
}
