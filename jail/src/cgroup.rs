//! Resource limits by cgroup, version 2 where it has the controllers, else version 1.
//!
//! Each session with a limit gets directories of its own below the service's cgroup, or below
//! the nearest one above that may be written. A limit that cannot be set is a refusal. The
//! directories go with the guard of the session; empty ones that a killed worker left are
//! swept at the next start.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::limits::CGROUPS_SWEPT_MAX;
use crate::{JailError, ResourceLimits};

const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpu"];
const PREFIX: &str = "ttydrive-";
/// bubblewrap and the jail's pid 1 are counted too.
const OWN_PROCESSES: u32 = 2;
/// The kernel's default period for cpu quotas, in microseconds.
const CPU_PERIOD_US: u64 = 100_000;

/// Where a controller's directories can be made on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cgroups {
    places: Vec<Place>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    controller: &'static str,
    unified: bool,
    dir: PathBuf,
}

/// Directories to make and files to write before anything of the session starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CgroupPlan {
    pub dirs: Vec<CgroupDir>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CgroupDir {
    pub path: PathBuf,
    /// Controllers that must be on for the children of the directory above; version 2 only.
    pub enable: Vec<String>,
    /// File name, value, and whether the kernel may lack the file.
    pub settings: Vec<(String, String, bool)>,
}

impl Cgroups {
    #[must_use]
    pub fn probe() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let (mounts, own) = (read("/proc/self/mountinfo"), read("/proc/self/cgroup"));
        let mut places = Vec::new();
        for controller in CONTROLLERS {
            let unified = unified_dir(&mounts, &own, controller).map(|dir| Place {
                controller,
                unified: true,
                dir,
            });
            let place = unified.or_else(|| {
                legacy_dir(&mounts, &own, controller).map(|dir| Place {
                    controller,
                    unified: false,
                    dir,
                })
            });
            places.extend(place);
        }
        Self { places }
    }

    /// Controllers that cannot be used here.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        let usable =
            |name: &&'static str| self.places.iter().any(|place| place.controller == *name);
        CONTROLLERS.into_iter().filter(|name| !usable(name)).collect()
    }

    #[must_use]
    pub fn version(&self) -> &'static str {
        match self.places.first() {
            Some(place) if place.unified => "v2",
            Some(_) => "v1",
            None => "none",
        }
    }

    pub(crate) fn plan(
        &self,
        limits: ResourceLimits,
        session_id: &str,
    ) -> Result<Option<CgroupPlan>, JailError> {
        let mut dirs: Vec<CgroupDir> = Vec::new();
        for (controller, key, settings) in wanted(limits) {
            let place =
                self.places.iter().find(|place| place.controller == controller).ok_or_else(
                    || refused(key, &format!("no writable {controller} cgroup here")),
                )?;
            let path = place.dir.join(format!("{PREFIX}{session_id}"));
            let files = if place.unified { settings.unified } else { settings.legacy };
            let enable = place.unified.then(|| controller.to_owned());
            match dirs.iter_mut().find(|dir| dir.path == path) {
                Some(dir) => {
                    dir.settings.extend(files);
                    dir.enable.extend(enable);
                }
                None => dirs.push(CgroupDir {
                    path,
                    enable: enable.into_iter().collect(),
                    settings: files,
                }),
            }
        }
        Ok((!dirs.is_empty()).then_some(CgroupPlan { dirs }))
    }
}

struct Settings {
    unified: Vec<(String, String, bool)>,
    legacy: Vec<(String, String, bool)>,
}

fn wanted(limits: ResourceLimits) -> Vec<(&'static str, &'static str, Settings)> {
    let file =
        |name: &str, value: &dyn std::fmt::Display| (name.to_owned(), value.to_string(), false);
    let maybe =
        |name: &str, value: &dyn std::fmt::Display| (name.to_owned(), value.to_string(), true);
    let mut wanted = Vec::new();
    if let Some(bytes) = limits.memory_bytes {
        let settings = Settings {
            unified: vec![file("memory.max", &bytes), maybe("memory.swap.max", &0)],
            legacy: vec![
                file("memory.limit_in_bytes", &bytes),
                maybe("memory.memsw.limit_in_bytes", &bytes),
            ],
        };
        wanted.push(("memory", "limits.memoryBytes", settings));
    }
    if let Some(pids) = limits.pids {
        let max = file("pids.max", &pids.saturating_add(OWN_PROCESSES));
        let settings = Settings { unified: vec![max.clone()], legacy: vec![max] };
        wanted.push(("pids", "limits.pids", settings));
    }
    if let Some(percent) = limits.cpu_percent {
        let quota = u64::from(percent) * CPU_PERIOD_US / 100;
        let settings = Settings {
            unified: vec![file("cpu.max", &format!("{quota} {CPU_PERIOD_US}"))],
            legacy: vec![
                file("cpu.cfs_period_us", &CPU_PERIOD_US),
                file("cpu.cfs_quota_us", &quota),
            ],
        };
        wanted.push(("cpu", "limits.cpuPercent", settings));
    }
    wanted
}

fn refused(key: &str, detail: &str) -> JailError {
    JailError::Unavailable {
        detail: format!("{key} cannot be enforced: {detail}"),
        fix: format!(
            "Run the service as root or in a systemd unit with Delegate=yes, or remove {key} from \
             the allow entry."
        ),
    }
}

impl CgroupPlan {
    /// Makes the directories and moves this process, and so all it starts, into them.
    pub(crate) fn enter(&self) -> Result<(), JailError> {
        self.dirs.iter().try_for_each(CgroupDir::enter)
    }

    /// Also those of sessions whose worker was killed: an empty one belongs to nobody.
    pub(crate) fn sweep(&self) {
        let parents = self.dirs.iter().filter_map(|dir| dir.path.parent());
        for parent in parents {
            let Ok(entries) = std::fs::read_dir(parent) else { continue };
            for entry in entries.flatten().take(CGROUPS_SWEPT_MAX) {
                if entry.file_name().to_string_lossy().starts_with(PREFIX) {
                    // Refused by the kernel while a process is in it.
                    let _ = std::fs::remove_dir(entry.path());
                }
            }
        }
    }

    pub(crate) fn remove(&self) {
        for dir in &self.dirs {
            let _ = std::fs::remove_dir(&dir.path);
        }
    }
}

impl CgroupDir {
    fn enter(&self) -> Result<(), JailError> {
        let failed = |what: &str, error: std::io::Error| {
            refused("limits", &format!("{} {what}: {error}", self.path.display()))
        };
        if let Some(parent) = self.path.parent() {
            for controller in &self.enable {
                let switch = parent.join("cgroup.subtree_control");
                // On already, or not to be had: the settings below tell.
                let _ = std::fs::write(switch, format!("+{controller}"));
            }
        }
        match std::fs::create_dir(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(failed("cannot be made", error));
            }
            Ok(()) | Err(_) => {}
        }
        for (name, value, optional) in &self.settings {
            let file = self.path.join(name);
            if !*optional || file.exists() {
                std::fs::write(&file, value).map_err(|error| failed(name, error))?;
            }
        }
        let own = std::process::id().to_string();
        std::fs::write(self.path.join("cgroup.procs"), own)
            .map_err(|error| failed("cannot be entered", error))
    }
}

/// The nearest writable directory from the own cgroup up whose children can have it.
fn unified_dir(mounts: &str, own: &str, controller: &str) -> Option<PathBuf> {
    let point = mount_point(mounts, |kind, _| kind == "cgroup2")?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mut dir = point.join(path.trim_start_matches('/'));
    loop {
        let lists = |file: &str| {
            let text = std::fs::read_to_string(dir.join(file)).unwrap_or_default();
            text.split_whitespace().any(|word| word == controller)
        };
        // A cgroup with processes in it cannot switch controllers on; the root can.
        let switchable =
            lists("cgroup.subtree_control") || (dir == point && lists("cgroup.controllers"));
        if switchable && writable(&dir) {
            return Some(dir);
        }
        if dir == point || !dir.pop() {
            return None;
        }
    }
}

fn legacy_dir(mounts: &str, own: &str, controller: &str) -> Option<PathBuf> {
    let has = |list: &str| list.split(',').any(|word| word == controller);
    let point = mount_point(mounts, |kind, options| kind == "cgroup" && has(options))?;
    let path = own.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        has(fields.next()?).then(|| fields.next()).flatten()
    })?;
    let own_dir = point.join(path.trim_start_matches('/'));
    [own_dir, point].into_iter().find(|dir| writable(dir))
}

fn writable(dir: &Path) -> bool {
    nix::unistd::access(dir, nix::unistd::AccessFlags::W_OK).is_ok() && dir.is_dir()
}

/// `… /root /point options [tags] - kind source super-options`.
fn mount_point(mounts: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let mut right = right.split(' ');
        let kind = right.next()?;
        let options = right.nth(1)?;
        wanted(kind, options).then(|| left.split(' ').nth(4).map(PathBuf::from)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::{Cgroups, Place};
    use crate::ResourceLimits;

    fn places(unified: bool) -> Cgroups {
        let place = |controller, dir: &str| Place { controller, unified, dir: dir.into() };
        let dir = |name: &str| if unified { "/cg".to_owned() } else { format!("/cg/{name}") };
        Cgroups { places: vec![place("memory", &dir("memory")), place("pids", &dir("pids"))] }
    }

    const LIMITS: ResourceLimits =
        ResourceLimits { memory_bytes: Some(1 << 20), pids: Some(30), cpu_percent: None };

    #[test]
    fn version_2_has_one_directory_and_version_1_one_for_each() {
        let plan = places(true).plan(LIMITS, "ts_1").unwrap().unwrap();
        let [dir] = plan.dirs.as_slice() else { panic!("{plan:?}") };
        assert_eq!(dir.enable, ["memory", "pids"]);
        assert!(dir.settings.contains(&("pids.max".to_owned(), "32".to_owned(), false)));
        let plan = places(false).plan(LIMITS, "ts_1").unwrap().unwrap();
        let paths: Vec<_> = plan.dirs.iter().map(|dir| dir.path.to_str().unwrap()).collect();
        assert_eq!(paths, ["/cg/memory/ttydrive-ts_1", "/cg/pids/ttydrive-ts_1"]);
    }

    #[test]
    fn a_limit_without_its_controller_is_refused_by_its_key() {
        let limits = ResourceLimits { cpu_percent: Some(50), ..LIMITS };
        let error = places(true).plan(limits, "ts_1").unwrap_err();
        assert!(error.to_string().contains("limits.cpuPercent"), "{error}");
        assert_eq!(places(true).plan(ResourceLimits::default(), "ts_1"), Ok(None));
    }
}
