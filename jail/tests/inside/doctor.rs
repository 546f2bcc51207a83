//! Every known failure has its sentence and its fix.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use jail::{Bwrap, Check, CheckStatus, Facts, Host, JailError, SelfTest, diagnose, self_test};

use crate::for_both;
use crate::harness::Place;

fn healthy() -> Facts {
    Facts {
        user_namespaces_max: Some(10_000),
        unprivileged_userns_clone: Some(1),
        apparmor_restricts_userns: None,
        kernel_release: "6.1.0".to_owned(),
        tmux: Some("tmux 3.3a".to_owned()),
        landlock_abi: 3,
        seccomp_actions: "kill_process errno allow".to_owned(),
    }
}

const PASSED: SelfTest = SelfTest::Passed { uid_kind: "host" };

fn find(checks: &[Check], name: &str) -> Check {
    checks.iter().find(|check| check.name == name).unwrap().clone()
}

fn line(host: &Host, facts: &Facts, test: &SelfTest, name: &str) -> (CheckStatus, String) {
    let check = find(&diagnose(host, facts, test), name);
    (check.status, format!("{} | {}", check.detail, check.fix.unwrap_or_default()))
}

for_both!(a_real_jail_runs, |_| {
    let host = Host::probe();
    let test = self_test(&host);
    assert!(matches!(test, SelfTest::Passed { .. }), "{test:?}");
    let checks = diagnose(&host, &Facts::probe(), &test);
    let broken: Vec<_> =
        checks.iter().filter(|check| check.status == CheckStatus::Broken).collect();
    assert!(broken.is_empty(), "{broken:?}");
    assert!(checks.iter().all(|check| check.status == CheckStatus::Ok || check.fix.is_some()));
});

#[test]
fn each_switch_of_the_kernel() {
    use CheckStatus::{Broken, Degraded};
    type Change = fn(&mut Facts);
    let host = Host::probe();
    let cases: &[(&str, Change, CheckStatus, &str)] = &[
        (
            "user-namespaces",
            |f| f.user_namespaces_max = Some(0),
            Broken,
            "max_user_namespaces=10000",
        ),
        ("user-namespaces", |f| f.user_namespaces_max = None, Broken, "CONFIG_USER_NS"),
        (
            "user-namespaces",
            |f| f.unprivileged_userns_clone = Some(0),
            Broken,
            "kernel.unprivileged_userns_clone=1",
        ),
        (
            "platform",
            |f| f.kernel_release = "4.4.0-19041-Microsoft".into(),
            Broken,
            "--set-version",
        ),
        ("landlock", |f| f.landlock_abi = 0, Degraded, "5.13"),
        ("seccomp", |f| f.seccomp_actions.clear(), Broken, "CONFIG_SECCOMP_FILTER"),
        ("tmux", |f| f.tmux = None, Degraded, "backend: spawn"),
    ];
    for (name, change, status, fix) in cases {
        let mut facts = healthy();
        assert_eq!(line(&host, &facts, &PASSED, name).0, CheckStatus::Ok, "{name} when healthy");
        change(&mut facts);
        let (got, text) = line(&host, &facts, &PASSED, name);
        assert!(got == *status && text.contains(fix), "{name}: {got:?} {text}");
    }
    let wsl2 = Facts { kernel_release: "5.15.90.1-microsoft-standard-WSL2".into(), ..healthy() };
    assert_eq!(line(&host, &wsl2, &PASSED, "platform").0, CheckStatus::Ok);
}

#[test]
fn apparmor_counts_only_when_it_bites() {
    let host = Host::probe();
    let facts = Facts { apparmor_restricts_userns: Some(1), ..healthy() };
    assert_eq!(line(&host, &facts, &PASSED, "apparmor").0, CheckStatus::Ok);
    let failed = SelfTest::Failed(JailError::Unavailable { detail: "x".into(), fix: "y".into() });
    let (status, text) = line(&host, &facts, &failed, "apparmor");
    assert!(status == CheckStatus::Broken && text.contains("apparmor_parser"), "{text}");
}

for_both!(each_way_bubblewrap_fails, |_| {
    let place = Place::new();
    let cases = [
        ("bwrap: setting up uid map: Permission denied", "apparmor_parser"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "apparmor_parser"),
        (
            "bwrap: No permissions to create new namespace, likely because the kernel does not \
             allow non-privileged user namespaces.",
            "unprivileged_userns_clone=1",
        ),
        ("bwrap: Creating new namespace failed: No space left on device", "max_user_namespaces"),
        ("bwrap: Creating new namespace failed: Operation not permitted", "seccomp=unconfined"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "unmasked"),
        ("bwrap: Failed to make / slave: Operation not permitted", "CAP_SYS_ADMIN"),
        ("bwrap: Unknown option --perms", "0.5 or newer"),
        ("bwrap: something nobody has seen", "ttydrive doctor"),
    ];
    for (words, fix) in cases {
        let fake = fake_bwrap(&place.root, &format!("echo \"{words}\" >&2; exit 1"));
        let host = Host { bwrap: Bwrap::Found { path: fake, version: (0, 8, 0) }, ..Host::probe() };
        let test = self_test(&host);
        let (status, text) = line(&host, &healthy(), &test, "jail");
        assert_eq!(status, CheckStatus::Broken, "{words}");
        assert!(text.contains(words) && text.contains(fix), "{text}");
    }
});

fn fake_bwrap(dir: &Path, script: &str) -> PathBuf {
    let path = dir.join("bwrap");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn bubblewrap_missing_old_or_strange() {
    for (bwrap, words) in [
        (Bwrap::Missing, "no bwrap on PATH"),
        (Bwrap::Found { path: "/usr/bin/bwrap".into(), version: (0, 4, 1) }, "too old"),
        (Bwrap::Broken { path: "/x/bwrap".into(), detail: "said nothing".into() }, "does not run"),
    ] {
        let host = Host { bwrap, ..Host::probe() };
        let test = self_test(&host);
        assert!(matches!(test, SelfTest::Failed(_)));
        let (status, text) = line(&host, &healthy(), &test, "bubblewrap");
        assert_eq!(status, CheckStatus::Broken);
        assert!(text.contains(words) && text.contains("apt install bubblewrap"), "{text}");
    }
}

#[test]
fn user_namespaces_really_off() {
    if !crate::harness::Service::Root.enter() {
        return;
    }
    // In a user namespace of its own the limit can be set without touching the machine.
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec bwrap --unshare-user \
                  --ro-bind / / true";
    let output = std::process::Command::new("unshare")
        .args(["-U", "-r", "sh", "-c", script])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    let place = Place::new();
    let fake = fake_bwrap(&place.root, &format!("cat >&2 <<'END'\n{said}END\nexit 1"));
    let host = Host { bwrap: Bwrap::Found { path: fake, version: (0, 8, 0) }, ..Host::probe() };
    let (_, text) = line(&host, &healthy(), &self_test(&host), "jail");
    assert!(text.contains("max_user_namespaces"), "{text}");
}
