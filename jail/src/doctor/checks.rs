//! The table: one function per line, each failure with its one sentence and its fix.

use super::{Check, CheckStatus, Facts, SelfTest};
use crate::host::Bwrap;
use crate::limits::BWRAP_FLOOR;
use crate::{Host, symptoms};

use CheckStatus::{Broken, Degraded, Ok};

pub(super) fn all(host: &Host, facts: &Facts, test: &SelfTest) -> Vec<Check> {
    vec![
        bubblewrap(host),
        user_namespaces(host, facts),
        apparmor(host, facts, test),
        platform(facts),
        jail(host, test),
        session_uid(host),
        seccomp(facts),
        landlock(facts),
        cgroup(host),
        tmux(facts),
    ]
}

fn check(name: &'static str, status: CheckStatus, detail: impl Into<String>, fix: &str) -> Check {
    let fix = (!fix.is_empty()).then(|| fix.to_owned());
    Check { name, status, detail: detail.into(), fix }
}

const INSTALL: &str = "Install bubblewrap 0.5 or newer (Debian, Ubuntu: apt install bubblewrap; \
                       Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap).";

fn bubblewrap(host: &Host) -> Check {
    let name = "bubblewrap";
    match &host.bwrap {
        Bwrap::Missing => check(name, Broken, "there is no bwrap on PATH", INSTALL),
        Bwrap::Broken { path, detail } => {
            check(name, Broken, format!("{} does not run: {detail}", path.display()), INSTALL)
        }
        Bwrap::Found { version: (major, minor, patch), path } => {
            let found = format!("{major}.{minor}.{patch} at {}", path.display());
            if (*major, *minor, *patch) < BWRAP_FLOOR {
                check(name, Broken, format!("{found} is too old (floor 0.5)"), INSTALL)
            } else {
                check(name, Ok, found, "")
            }
        }
    }
}

fn user_namespaces(host: &Host, facts: &Facts) -> Check {
    let name = "user-namespaces";
    match (facts.user_namespaces_max, facts.unprivileged_userns_clone) {
        (None, _) => check(
            name,
            Broken,
            "this kernel is built without user namespaces",
            "Use a kernel with CONFIG_USER_NS=y.",
        ),
        (Some(0), _) => check(
            name,
            Broken,
            "user namespaces are switched off (user.max_user_namespaces is 0)",
            "sysctl -w user.max_user_namespaces=10000, and the same in /etc/sysctl.d.",
        ),
        // A session's own uid is an ordinary user too.
        (_, Some(0)) => check(
            name,
            Broken,
            format!("only root may make user namespaces ({} is the service's user)", host.user),
            "sysctl -w kernel.unprivileged_userns_clone=1, and the same in /etc/sysctl.d.",
        ),
        (Some(most), _) => check(name, Ok, format!("up to {most}"), ""),
    }
}

fn apparmor(host: &Host, facts: &Facts, test: &SelfTest) -> Check {
    let name = "apparmor";
    let _ = host;
    match (facts.apparmor_restricts_userns, test) {
        (None | Some(0), _) => check(name, Ok, "does not restrict user namespaces", ""),
        (Some(_), SelfTest::Passed { .. }) => {
            check(name, Ok, "restricts user namespaces, bwrap has a profile that allows them", "")
        }
        (Some(_), SelfTest::Failed(_)) => check(
            name,
            Broken,
            "AppArmor restricts user namespaces and bwrap has no profile that allows them",
            symptoms::APPARMOR,
        ),
    }
}

fn platform(facts: &Facts) -> Check {
    let release = &facts.kernel_release;
    let wsl1 = release.contains("Microsoft") && !release.contains("WSL2");
    if wsl1 {
        check(
            "platform",
            Broken,
            "WSL 1 has no Linux kernel and so no namespaces",
            "In Windows: wsl --set-version <distribution> 2.",
        )
    } else {
        check("platform", Ok, format!("Linux {release}"), "")
    }
}

fn jail(host: &Host, test: &SelfTest) -> Check {
    let name = "jail";
    match test {
        SelfTest::Passed { uid_kind } => {
            let detail = format!("a real one ran as {} with uid kind {uid_kind}", host.user);
            check(name, Ok, detail, "")
        }
        SelfTest::Failed(error) => check(name, Broken, error.to_string(), &error.hint()),
    }
}

fn session_uid(host: &Host) -> Check {
    let name = "session-uid";
    match (host.uid, host.can_mount) {
        (0, true) => check(name, Ok, "host: each session has a uid of its own", ""),
        (0, false) => check(
            name,
            Broken,
            "the service is root without CAP_SYS_ADMIN, so it cannot give sessions their own uid",
            "Run the service as an ordinary user, or give the container CAP_SYS_ADMIN.",
        ),
        _ => check(name, Ok, "namespace: sessions are nobody in a user namespace", ""),
    }
}

fn seccomp(facts: &Facts) -> Check {
    if facts.seccomp_actions.contains("errno") {
        check("seccomp", Ok, "system call filters work", "")
    } else {
        check(
            "seccomp",
            Broken,
            "this kernel has no system call filters",
            "Use a kernel with CONFIG_SECCOMP_FILTER=y.",
        )
    }
}

fn landlock(facts: &Facts) -> Check {
    match facts.landlock_abi {
        abi if abi > 0 => check("landlock", Ok, format!("ABI {abi}"), ""),
        _ => check(
            "landlock",
            Degraded,
            "this kernel has no Landlock: the mounts alone confine files",
            "Use Linux 5.13 or newer with landlock in the lsm= list.",
        ),
    }
}

fn cgroup(host: &Host) -> Check {
    let missing = host.cgroups.missing();
    let version = host.cgroups.version();
    if missing.is_empty() {
        check("cgroup", Ok, format!("{version}: memory, pids and cpu can be limited"), "")
    } else {
        check(
            "cgroup",
            Degraded,
            format!(
                "no writable cgroup for {}: entries with such a limit are refused",
                missing.join(", ")
            ),
            "Run the service as root or in a systemd unit with Delegate=yes.",
        )
    }
}

fn tmux(facts: &Facts) -> Check {
    match &facts.tmux {
        Some(version) => check("tmux", Ok, version.clone(), ""),
        None => check(
            "tmux",
            Degraded,
            "there is no tmux on PATH: drives cannot outlive their worker",
            "Install tmux (apt install tmux), or set backend: spawn.",
        ),
    }
}
