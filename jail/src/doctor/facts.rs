//! What the kernel and the system say about themselves.

use std::path::PathBuf;

/// Everything the checks want to know that no plan needs. `None`: the switch does not exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// `user.max_user_namespaces`.
    pub user_namespaces_max: Option<u64>,
    /// Debian's `kernel.unprivileged_userns_clone`.
    pub unprivileged_userns_clone: Option<u64>,
    /// Ubuntu's `kernel.apparmor_restrict_unprivileged_userns`.
    pub apparmor_restricts_userns: Option<u64>,
    pub kernel_release: String,
    /// `tmux 3.3a`.
    pub tmux: Option<String>,
    /// 0: none.
    pub landlock_abi: i32,
    /// What the kernel lists as filter actions; empty without seccomp.
    pub seccomp_actions: String,
}

impl Facts {
    #[must_use]
    pub fn probe() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let number = |path: &str| read(path).trim().parse().ok();
        Self {
            user_namespaces_max: number("/proc/sys/user/max_user_namespaces"),
            unprivileged_userns_clone: number("/proc/sys/kernel/unprivileged_userns_clone"),
            apparmor_restricts_userns: number(
                "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
            ),
            kernel_release: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            tmux: tmux(),
            landlock_abi: crate::stage::sys::landlock_abi(),
            seccomp_actions: read("/proc/sys/kernel/seccomp/actions_avail").trim().to_owned(),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the jail crate may start processes")]
fn tmux() -> Option<String> {
    let path = on_path("tmux")?;
    let mut command = std::process::Command::new(path);
    let output = command.arg("-V").env_clear().output().ok()?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    version.starts_with("tmux ").then_some(version)
}

fn on_path(name: &str) -> Option<PathBuf> {
    let search = std::env::var_os("PATH")?;
    std::env::split_paths(&search)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|path| nix::unistd::access(path, nix::unistd::AccessFlags::X_OK).is_ok())
}
