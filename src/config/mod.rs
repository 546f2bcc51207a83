//! The configuration file: found, parsed with lines, read by a closed schema, lowered.
//!
//! The only part of the project that knows YAML. A file with any finding changes nothing,
//! and all findings are reported in one go.

mod error;
mod lower;
mod lower_allow;
mod raw;
mod read;
mod read_allow;
mod reader;
#[cfg(test)]
mod tests;
mod yaml;

use std::path::{Path, PathBuf};

pub use error::ConfigError;
pub use lower::Lowered;

use error::Findings;
use lower::Surroundings;

/// The configuration used when there is no file; `config print-default` shows it.
pub const DEFAULT_YAML: &str = include_str!("default.yaml");

/// A configuration file beyond this size is a mistake.
const FILE_BYTES_MAX: u64 = 1_048_576;

/// What the command line says about configuration.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    pub config: Option<PathBuf>,
    pub data_dir: Option<PathBuf>,
    pub bind: Option<String>,
}

/// The file that applies: `--config`, `$TTYDRIVE_CONFIG`, the user's, the system's, none.
pub fn find(overrides: &Overrides) -> Option<PathBuf> {
    if let Some(file) = &overrides.config {
        return Some(file.clone());
    }
    if let Some(file) = std::env::var_os("TTYDRIVE_CONFIG").filter(|file| !file.is_empty()) {
        return Some(PathBuf::from(file));
    }
    let user = jail::service_home().map(|home| home.join(".config/ttydrive/config.yaml"));
    let system = PathBuf::from("/etc/ttydrive/config.yaml");
    user.into_iter().chain([system]).find(|file| file.exists())
}

/// Loads the file that applies, or the embedded default.
pub fn load(overrides: &Overrides) -> Result<Lowered, ConfigError> {
    match find(overrides) {
        Some(file) => load_file(&file, overrides),
        None => load_text(DEFAULT_YAML, "<embedded default>", None, overrides),
    }
}

pub fn load_file(file: &Path, overrides: &Overrides) -> Result<Lowered, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { path: file.to_owned(), source };
    let size = std::fs::metadata(file).map_err(unreadable)?.len();
    if size > FILE_BYTES_MAX {
        return Err(ConfigError::TooLarge { path: file.to_owned(), limit: FILE_BYTES_MAX });
    }
    let text = lower::read_bounded(file, FILE_BYTES_MAX).map_err(unreadable)?;
    let resolved = std::fs::canonicalize(file).map_err(unreadable)?;
    load_text(&text, &file.display().to_string(), Some(resolved), overrides)
}

fn load_text(
    text: &str,
    name: &str,
    config_file: Option<PathBuf>,
    overrides: &Overrides,
) -> Result<Lowered, ConfigError> {
    let mut findings = Findings::default();
    let root = yaml::parse(text, &mut findings);
    let raw = read::read(&root, &mut findings);
    let home = jail::service_home().unwrap_or_else(|| {
        findings.add(1, "", "there is no home directory: set HOME");
        PathBuf::from("/")
    });
    let around = Surroundings {
        home,
        tolerate_missing_programs: config_file.is_none(),
        config_file,
        data_dir: overrides.data_dir.clone(),
        bind: overrides.bind.clone(),
    };
    let lowered = lower::lower(raw, &around, &mut findings);
    match findings.into_error(name) {
        Some(error) => Err(error),
        None => Ok(lowered),
    }
}
