//! Other places where the data directory can be reached: the same file system mounted twice,
//! or a part of it bound elsewhere.

use std::path::{Path, PathBuf};

struct Mount {
    device: String,
    root: PathBuf,
    point: PathBuf,
}

/// Every path but `dir` itself under which `dir`, or a part of it, shows.
pub(crate) fn aliases(mountinfo: &str, dir: &Path) -> Vec<PathBuf> {
    let mounts: Vec<Mount> = mountinfo.lines().filter_map(parse).collect();
    // Of mounts on one point the last one counts; of nested points the deepest.
    let home = mounts
        .iter()
        .enumerate()
        .filter(|(_, mount)| dir.starts_with(&mount.point))
        .max_by_key(|(index, mount)| (mount.point.components().count(), *index))
        .map(|(_, mount)| mount);
    let Some(home) = home else { return Vec::new() };
    let Ok(below) = dir.strip_prefix(&home.point) else { return Vec::new() };
    let inside = join(&home.root, below);
    let mut found: Vec<PathBuf> = mounts
        .iter()
        .filter(|mount| mount.device == home.device)
        .filter_map(|mount| match inside.strip_prefix(&mount.root) {
            Ok(rest) => Some(join(&mount.point, rest)),
            Err(_) => mount.root.starts_with(&inside).then(|| mount.point.clone()),
        })
        .filter(|path| path != dir && !path.starts_with(dir))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn join(base: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { base.to_owned() } else { base.join(rest) }
}

/// `36 35 98:0 /root /point options…`; blanks in paths are octal escapes.
fn parse(line: &str) -> Option<Mount> {
    let mut fields = line.split(' ').skip(2);
    Some(Mount {
        device: fields.next()?.to_owned(),
        root: unescape(fields.next()?),
        point: unescape(fields.next()?),
    })
}

fn unescape(text: &str) -> PathBuf {
    let text = text.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n");
    PathBuf::from(text.replace("\\134", "\\"))
}

#[cfg(test)]
mod tests {
    use super::aliases;
    use std::path::Path;

    const MOUNTS: &str = "\
20 1 8:1 / / rw - ext4 /dev/sda1 rw
21 20 0:5 / /proc rw - proc proc rw
30 20 8:2 / /srv rw - ext4 /dev/sdb1 rw
31 20 8:2 /state /mnt/again rw - ext4 /dev/sdb1 rw
32 20 8:2 /state/data/workspace /mnt/deep rw - ext4 /dev/sdb1 rw
33 20 8:2 /other /mnt/other rw - ext4 /dev/sdb1 rw
34 20 8:1 / /mnt/with\\040blank rw - ext4 /dev/sda1 rw
";

    #[test]
    fn a_second_mount_and_a_bound_part_are_found() {
        let found = aliases(MOUNTS, Path::new("/srv/state/data"));
        assert_eq!(found, [Path::new("/mnt/again/data"), Path::new("/mnt/deep")]);
    }

    #[test]
    fn the_root_mounted_again_with_a_blank_in_its_name() {
        let found = aliases(MOUNTS, Path::new("/var/data"));
        assert_eq!(found, [Path::new("/mnt/with blank/var/data")]);
    }
}
