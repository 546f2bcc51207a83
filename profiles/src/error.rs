//! Why a profile is refused.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("{}: no profile.toml in it or in its folders", dir.display())]
    Nothing { dir: PathBuf },
    #[error("{}: larger than {max} bytes", path.display())]
    TooLarge { path: PathBuf, max: u64 },
    #[error("{origin}: {detail}")]
    Syntax { origin: String, detail: String },
    #[error("{origin}: `{field}`: {detail}")]
    Value { origin: String, field: String, detail: String },
    #[error("{origin}: pattern of `{name}` does not compile: {detail}")]
    Pattern { origin: String, name: String, detail: String },
    #[error("{origin}: pattern of `{name}` matches the empty string")]
    MatchesEmpty { origin: String, name: String },
    #[error("there are two profiles `{id}`")]
    DuplicateId { id: String },
    #[error("profile `{id}` claims the allow id `{allow_id}` of profile `{other}`")]
    DuplicateAllowId { id: String, allow_id: String, other: String },
}

impl ProfileError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Read { .. } => "check the path and its permissions",
            Self::Nothing { .. } => "name the folder that holds profile.toml",
            Self::TooLarge { .. } => "shorten the profile",
            Self::Syntax { .. } => "correct the file; unknown keys are refused",
            Self::Value { .. } => "correct the value",
            Self::Pattern { .. } => "patterns have no look-around and no back references",
            Self::MatchesEmpty { .. } => "make the pattern need at least one character",
            Self::DuplicateId { .. } => "give one of them another id",
            Self::DuplicateAllowId { .. } => "let only one profile claim an allow entry",
        }
    }
}
