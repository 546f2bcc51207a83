//! Facts about this machine that a plan depends on. Collected once, cheap to collect again.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::unistd::{Gid, Uid, User};

use crate::Cgroups;

/// What the plan needs to know of the machine and of the user the service runs as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    pub uid: u32,
    pub gid: u32,
    pub user: String,
    /// The service user's home, symlinks resolved.
    pub home: PathBuf,
    pub shell: PathBuf,
    pub time_zone: Option<String>,
    pub bwrap: Bwrap,
    /// May mount and change uids: a root that is not fenced in by a container.
    pub can_mount: bool,
    /// `/usr`, `/bin` …: what exists of the system base.
    pub base: Vec<BaseEntry>,
    pub cgroups: Cgroups,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bwrap {
    Missing,
    /// Found but does not tell its version.
    Broken {
        path: PathBuf,
        detail: String,
    },
    Found {
        path: PathBuf,
        version: (u32, u32, u32),
    },
}

/// One path of the read-only system base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseEntry {
    /// `/bin` where it is a link into `/usr`.
    Link { path: PathBuf, target: PathBuf },
    /// Shown at `path`; `source` has its symlinks resolved.
    Tree { path: PathBuf, source: PathBuf },
}

const BASE_DIRS: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/// What programs need of `/etc`. Names only: no key, no password hash, no host secret.
const ETC: &[&str] = &[
    "alternatives",
    "bash.bashrc",
    "bash_completion",
    "bash_completion.d",
    "ca-certificates",
    "ca-certificates.conf",
    "crypto-policies",
    "debian_version",
    "emacs",
    "fish",
    "fonts",
    "gai.conf",
    "host.conf",
    "hosts",
    "inputrc",
    "java-11-openjdk",
    "java-17-openjdk",
    "java-21-openjdk",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
    "locale.conf",
    "localtime",
    "magic",
    "magic.mime",
    "manpath.config",
    "mime.types",
    "mc",
    "nanorc",
    "nsswitch.conf",
    "os-release",
    "pki/ca-trust",
    "pki/tls/certs",
    "profile",
    "profile.d",
    "protocols",
    "python3",
    "resolv.conf",
    "rpc",
    "services",
    "shells",
    "ssl/certs",
    "ssl/cert.pem",
    "ssl/openssl.cnf",
    "terminfo",
    "timezone",
    "vim",
    "vimrc",
    "xattr.conf",
    "xdg",
    "zsh",
    "zshenv",
    "zshrc",
];

/// The home of the user the service runs as: `$HOME`, else the password database. What the
/// configuration calls `~` and what a jail calls home are the same place.
#[must_use]
pub fn service_home() -> Option<PathBuf> {
    let named = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    named
        .or_else(|| User::from_uid(Uid::effective()).ok().flatten().map(|user| user.dir))
        .filter(|home| home != Path::new(""))
}

impl Host {
    /// Looks. Starts `bwrap --version` and nothing else.
    #[must_use]
    pub fn probe() -> Self {
        let (uid, gid) = (Uid::effective(), Gid::effective());
        let entry = User::from_uid(uid).ok().flatten();
        let user = entry.as_ref().map_or_else(|| uid.to_string(), |entry| entry.name.clone());
        let home = service_home().unwrap_or_else(|| PathBuf::from("/"));
        let home = std::fs::canonicalize(&home).unwrap_or(home);
        Self {
            uid: uid.as_raw(),
            gid: gid.as_raw(),
            user,
            // The root itself cannot be a private directory.
            home: if home == Path::new("/") { PathBuf::from("/tmp") } else { home },
            shell: first_existing(&["/bin/bash", "/bin/sh"]),
            time_zone: std::env::var("TZ").ok().filter(|zone| !zone.is_empty()),
            bwrap: find_bwrap(),
            can_mount: uid.is_root() && effective_capability(CAP_SYS_ADMIN),
            base: base_entries(),
            cgroups: Cgroups::probe(),
        }
    }
}

const CAP_SYS_ADMIN: u32 = 21;

fn effective_capability(number: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & (1 << number) != 0)
}

fn first_existing(paths: &[&str]) -> PathBuf {
    let found = paths.iter().find(|path| Path::new(path).exists());
    PathBuf::from(found.unwrap_or(&"/bin/sh"))
}

fn base_entries() -> Vec<BaseEntry> {
    let mut entries = Vec::new();
    for dir in BASE_DIRS {
        let path = PathBuf::from(dir);
        let Ok(meta) = std::fs::symlink_metadata(&path) else { continue };
        match std::fs::read_link(&path) {
            Ok(target) if meta.is_symlink() => entries.push(BaseEntry::Link { path, target }),
            _ => entries.push(BaseEntry::Tree { source: path.clone(), path }),
        }
    }
    for name in ETC {
        let path = Path::new("/etc").join(name);
        let Ok(source) = std::fs::canonicalize(&path) else { continue };
        // Already inside the base: an alternatives-like link keeps working as a link.
        if source.starts_with("/usr") {
            entries.push(BaseEntry::Link { path, target: source });
            continue;
        }
        let readable = std::fs::metadata(&source).is_ok_and(|meta| meta.mode() & 0o004 != 0);
        if readable {
            entries.push(BaseEntry::Tree { path, source });
        }
    }
    entries
}

fn find_bwrap() -> Bwrap {
    let search = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    let found = std::env::split_paths(&search)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join("bwrap"))
        .find(|path| nix::unistd::access(path, nix::unistd::AccessFlags::X_OK).is_ok());
    let Some(path) = found else { return Bwrap::Missing };
    match ask_version(&path) {
        Ok(version) => Bwrap::Found { path, version },
        Err(detail) => Bwrap::Broken { path, detail },
    }
}

#[expect(clippy::disallowed_methods, reason = "the jail crate starts bubblewrap")]
fn ask_version(path: &Path) -> Result<(u32, u32, u32), String> {
    let output = std::process::Command::new(path)
        .arg("--version")
        .env_clear()
        .stdin(std::process::Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    parse_version(&text).ok_or_else(|| format!("`--version` answered {text:?}"))
}

/// `bubblewrap 0.8.0` and `bubblewrap 0.11.0-rc1`.
fn parse_version(text: &str) -> Option<(u32, u32, u32)> {
    let number = text.strip_prefix("bubblewrap ")?;
    let mut parts = number.split('.').map(|part| {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    });
    Some((parts.next()??, parts.next()??, parts.next().flatten().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::parse_version;

    #[test]
    fn versions() {
        assert_eq!(parse_version("bubblewrap 0.8.0"), Some((0, 8, 0)));
        assert_eq!(parse_version("bubblewrap 0.11.0-rc1"), Some((0, 11, 0)));
        assert_eq!(parse_version("bubblewrap 0.5"), Some((0, 5, 0)));
        assert_eq!(parse_version("something 1.2.3"), None);
        assert_eq!(parse_version(""), None);
    }
}
