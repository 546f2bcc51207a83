//! Each dimension of a scope shows what it says, and nothing of the service's.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use jail::{Access, Filesystem, JailError, ListedPath, Network, Request, UidMode};

use crate::for_both;
use crate::harness::{Place, finish, start};

fn listed(path: &Path, access: Access) -> ListedPath {
    ListedPath { path: path.to_owned(), access }
}

/// Says of each file whether it can be read and written.
fn probe(request: &mut Request, files: &[PathBuf]) -> Vec<String> {
    let script = "for f; do r=-; w=-; cat \"$f\" >/dev/null 2>&1 && r=r; \
                  (echo x >> \"$f\") 2>/dev/null && w=w; echo \"=> $r$w\"; done";
    let names = files.iter().map(|file| file.to_string_lossy().into_owned());
    request.program.args = ["-c", script, "probe"].map(str::to_owned).into_iter().collect();
    request.program.args.extend(names);
    let output = finish(request).output;
    output.lines().filter_map(|line| line.strip_prefix("=> ")).map(str::to_owned).collect()
}

fn private_file(path: &Path) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "content\n").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    path.to_owned()
}

for_both!(listed_paths_show_at_their_access_and_nothing_else, |_| {
    let place = Place::new();
    let read = private_file(&place.root.join("ro/file"));
    let write = private_file(&place.root.join("rw/file"));
    let other = private_file(&place.root.join("other/file"));
    let home = private_file(&place.home.join("file"));
    let mut request = place.request("");
    request.scope.filesystem = Filesystem::ListedPaths;
    request.scope.paths = vec![
        listed(&place.root.join("ro"), Access::Ro),
        listed(&place.root.join("rw"), Access::Rw),
    ];
    let saw = probe(&mut request, &[read, write.clone(), other, home.clone()]);
    // The home is an empty place of the session's own.
    assert_eq!(saw, ["r-", "rw", "--", "-w"].map(str::to_owned));
    assert_eq!(fs::read_to_string(home).unwrap(), "content\n");
    assert_eq!(fs::read_to_string(write).unwrap(), "content\nx\n");
});

for_both!(a_listed_symlink_works_under_its_own_name, |_| {
    let place = Place::new();
    let real = private_file(&place.root.join("real/file"));
    let link = place.root.join("link");
    symlink(place.root.join("real"), &link).unwrap();
    let mut request = place.request("");
    request.scope.filesystem = Filesystem::ListedPaths;
    request.scope.paths = vec![listed(&link, Access::Ro)];
    let saw = probe(&mut request, &[link.join("file"), real]);
    assert_eq!(saw, ["r-", "r-"].map(str::to_owned));
});

for_both!(home_is_writable_without_its_secrets_and_the_data_dir, |_| {
    let place = Place::new();
    // The data dir where it is by default.
    let data_dir = place.home.join(".ttydrive");
    fs::rename(&place.data_dir, &data_dir).unwrap();
    let secret = private_file(&data_dir.join("secret"));
    let ssh = private_file(&place.home.join(".ssh/id"));
    let netrc = private_file(&place.home.join(".netrc"));
    let config = private_file(&place.home.join(".config/ttydrive/config.yaml"));
    let own = private_file(&place.home.join("own"));
    let outside = private_file(&place.root.join("outside"));
    let mut request = place.request("");
    request.data_dir = place.data_dir.clone();
    symlink(&data_dir, &place.data_dir).unwrap();
    request.scope.filesystem = Filesystem::Home;
    request.hidden = vec![config.clone()];
    let files = [secret, ssh.clone(), netrc.clone(), config.clone(), own, outside.clone()];
    let saw = probe(&mut request, &files);
    // A masked directory and /tmp are private scratch; a masked single file is empty.
    assert_eq!(saw, ["--", "-w", "r-", "r-", "rw", "-w"].map(str::to_owned));
    for file in [ssh, outside, netrc.clone(), config.clone()] {
        assert_eq!(fs::read_to_string(&file).unwrap(), "content\n", "{}", file.display());
    }
    request.program.args = vec![
        "-c".to_owned(),
        format!("cat {} {}; echo end >> new", netrc.display(), config.display()),
    ];
    let output = finish(&request).output;
    assert!(!output.contains("content"), "{output}");
    assert!(place.projects.join("new").exists(), "the workspace is bound back");
});

for_both!(full_masks_the_data_dir_wherever_it_was_moved, |service| {
    let place = Place::below(Path::new("/var/tmp"));
    let moved = place.root.join("moved");
    let secret = place.data_dir.join("secret");
    private_file(&secret);
    fs::rename(&place.data_dir, &moved).unwrap();
    symlink(&moved, &place.data_dir).unwrap();
    let outside = private_file(&place.root.join("outside"));
    let mut request = place.request("");
    request.scope.filesystem = Filesystem::Full;
    request.scope.uid = UidMode::Daemon;
    let saw = probe(&mut request, &[secret, moved.join("secret"), outside]);
    assert_eq!(saw, ["--", "--", "rw"].map(str::to_owned), "{service:?}");
    request.program.args =
        vec!["-c".to_owned(), "ls /proc/1 >/dev/null; ls /tmp /run | wc -l; echo x > made".into()];
    finish(&request);
    assert!(place.projects.join("made").exists(), "the workspace is bound back");
});

for_both!(full_with_a_uid_of_its_own, |_| {
    let place = Place::below(Path::new("/var/tmp"));
    let secret = private_file(&place.data_dir.join("secret"));
    let own = private_file(&place.home.join("own"));
    let mut request = place.request("");
    request.scope.filesystem = Filesystem::Full;
    let saw = probe(&mut request, &[secret, own, "/etc/shadow".into(), "/mnt/0".into()]);
    assert_eq!(saw, ["--", "rw", "--", "--"].map(str::to_owned));
});

for_both!(credentials_are_readable_only_and_scratch_is_private, |_| {
    let place = Place::new();
    let key = private_file(&place.home.join(".tool/credentials.json"));
    let sibling = private_file(&place.home.join(".tool/other"));
    let cache = private_file(&place.home.join(".cache/tool/old"));
    let mut request = place.request("");
    request.scope.credential_paths = vec![key.clone()];
    request.scope.ephemeral_writable_paths = vec![place.home.join(".cache/tool")];
    let fresh = place.home.join(".cache/tool/fresh");
    let saw = probe(&mut request, &[key, sibling.clone(), cache.clone(), fresh.clone()]);
    // What is beside the credential is private scratch of the session, as is the cache.
    assert_eq!(saw, ["r-", "-w", "-w", "-w"].map(str::to_owned));
    assert_eq!(fs::read_to_string(&sibling).unwrap(), "content\n");
    assert!(!fresh.exists() && fs::read_to_string(cache).unwrap() == "content\n");
});

for_both!(a_missing_path_is_refused_by_its_key, |_| {
    let place = Place::new();
    let missing = place.root.join("missing");
    let refusal = |change: &dyn Fn(&mut Request)| {
        let mut request = place.request("");
        change(&mut request);
        start(&request).map(drop).unwrap_err()
    };
    let errors = [
        (
            "scope.paths",
            refusal(&|request| {
                request.scope.filesystem = Filesystem::ListedPaths;
                request.scope.paths = vec![listed(&missing, Access::Ro)];
            }),
        ),
        (
            "scope.credentialPaths",
            refusal(&|request| {
                request.scope.credential_paths = vec![missing.clone()];
            }),
        ),
        (
            "scope.ephemeralWritablePaths",
            refusal(&|request| {
                request.scope.ephemeral_writable_paths = vec![missing.clone()];
            }),
        ),
    ];
    for (key, error) in errors {
        assert!(matches!(&error, JailError::Source { key: named, .. } if named == key), "{error}");
        assert!(error.hint().contains(key));
    }
});

for_both!(sources_are_screened, |_| {
    let place = Place::new();
    let ssh = private_file(&place.home.join(".ssh/id"));
    fs::create_dir_all(place.home.join("sub")).unwrap();
    symlink("/proc", place.root.join("proc-link")).unwrap();
    let refused = [
        PathBuf::from("/"),
        "/proc/self".into(),
        "/sys".into(),
        "/dev".into(),
        "/run".into(),
        place.root.join("proc-link"),
        place.data_dir.clone(),
        place.data_dir.join("workspace"),
        place.root.clone(),
        place.home.clone(),
        ssh.clone(),
    ];
    for path in refused {
        let mut request = place.request("true");
        request.scope.filesystem = Filesystem::ListedPaths;
        request.scope.paths = vec![listed(&path, Access::Ro)];
        let error = start(&request).map(drop).unwrap_err();
        assert!(error.to_string().contains("may not be"), "{}: {error}", path.display());
    }
    // Exactly that path is the operator's word.
    let mut request = place.request("");
    request.scope.filesystem = Filesystem::ListedPaths;
    request.scope.paths = vec![listed(&place.home.join(".ssh"), Access::Ro)];
    assert_eq!(probe(&mut request, &[ssh]), ["r-".to_owned()]);
});

for_both!(network_full_reaches_the_host, |_| {
    let place = Place::new();
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let mut request = place.request(&format!("exec 5<>/dev/tcp/127.0.0.1/{port} && echo reached"));
    request.scope.network = Network::Full;
    assert!(finish(&request).output.contains("reached"));
});

for_both!(the_workspace_reached_through_symlinked_parents, |_| {
    let place = Place::new();
    let alias = place.root.join("alias");
    symlink(&place.data_dir, &alias).unwrap();
    let mut request = place.request("echo made > here; pwd");
    request.workspace = alias.join("workspace/projects");
    request.cwd = alias.join("workspace/projects");
    request.data_dir = alias;
    finish(&request);
    assert!(place.projects.join("here").exists());
});

for_both!(uid_kinds, |service| {
    let place = Place::new();
    let own = nix::unistd::Uid::effective().as_raw();
    let mut request = place.request("id -u");
    let plan = jail::plan(&request, &crate::harness::host(&request)).unwrap();
    let first: u32 = finish(&request).output.trim().parse().unwrap();
    let expected = match service {
        crate::harness::Service::Root => ("host", 1_900_000_007),
        crate::harness::Service::User => ("namespace", 65_534),
    };
    assert_eq!((plan.uid_kind(), first), expected);
    request.scope.uid = UidMode::Daemon;
    assert_eq!(finish(&request).output.trim(), own.to_string());
});

for_both!(a_narrowing_leaves_only_what_both_allow, |_| {
    if jail::Facts::probe().landlock_abi == 0 {
        println!("NOT TESTED: this kernel has no Landlock");
        return;
    }
    let place = Place::new();
    let kept = private_file(&place.root.join("listed/kept/file"));
    let cut = private_file(&place.root.join("listed/cut/file"));
    let unlisted = private_file(&place.root.join("unlisted/file"));
    let own = private_file(&place.projects.join("own"));
    let files = [kept, cut, unlisted, own];
    let mut request = place.request("");
    request.scope.filesystem = Filesystem::ListedPaths;
    request.scope.paths = vec![listed(&place.root.join("listed"), Access::Rw)];
    assert_eq!(probe(&mut request, &files), ["rw", "rw", "--", "rw"].map(str::to_owned));
    let fs_paths = vec![place.root.join("listed/kept"), place.root.join("unlisted")];
    request.narrowing = Some(jail::Narrowing { fs_paths, net_hosts: Vec::new() });
    assert_eq!(probe(&mut request, &files), ["rw", "--", "--", "rw"].map(str::to_owned));
});

for_both!(claude_code_gets_its_own_session_env, |_| {
    let place = Place::new();
    let old = private_file(&place.home.join(".claude/session-env/old"));
    let mut request = place.request("");
    request.scope.filesystem = Filesystem::Home;
    let file = [old.clone()];
    assert_eq!(probe(&mut request, &file), ["rw".to_owned()], "shown to others");
    request.profile = Some("claude-code".to_owned());
    assert_eq!(probe(&mut request, &file), ["-w".to_owned()], "private to this one");
    assert_eq!(fs::read_to_string(old).unwrap(), "content\nx\n", "by the first probe only");
});
