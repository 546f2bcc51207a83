//! From TOML to a profile, refusing whatever is not certain.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::error::ProfileError;
use crate::model::{Dialog, DialogKind, Meaning, Pattern, Profile, Region, Render};

/// A profile is a page or two; more is a mistake.
const FILE_BYTES_MAX: u64 = 256 * 1024;
/// A compiled pattern; the default of the engine is ten times as much.
const PATTERN_BYTES_MAX: usize = 1024 * 1024;
/// A screen has no more rows.
const REGION_ROWS_MAX: usize = 200;
/// Patterns and dialogs run on every observation.
const ENTRIES_MAX: usize = 128;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Raw {
    id: String,
    allow_ids: Vec<String>,
    platform_version: String,
    #[serde(default)]
    render: RawRender,
    #[serde(default)]
    perception: Vec<RawPattern>,
    #[serde(default)]
    dialogs: Vec<RawDialog>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    ephemeral_writable_paths: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawRender {
    #[serde(default)]
    ghost_text: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawPattern {
    name: String,
    means: String,
    region: String,
    detect: String,
    #[serde(default)]
    priority: i32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawDialog {
    name: String,
    detect: OneOrMany,
    region: String,
    kind: String,
    #[serde(default)]
    answer: Vec<String>,
    #[serde(default)]
    destructive: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// The profile files at a path: its own, or those of its folders.
pub fn files(dir: &Path) -> Result<Vec<PathBuf>, ProfileError> {
    let own = dir.join("profile.toml");
    if own.is_file() {
        return Ok(vec![own]);
    }
    let broken = |source| ProfileError::Read { path: dir.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(broken)? {
        let file = entry.map_err(broken)?.path().join("profile.toml");
        if file.is_file() {
            found.push(file);
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(ProfileError::Nothing { dir: dir.to_owned() });
    }
    Ok(found)
}

pub fn read(path: &Path) -> Result<Profile, ProfileError> {
    let broken = |source| ProfileError::Read { path: path.to_owned(), source };
    let length = std::fs::metadata(path).map_err(broken)?.len();
    if length > FILE_BYTES_MAX {
        return Err(ProfileError::TooLarge { path: path.to_owned(), max: FILE_BYTES_MAX });
    }
    let text = std::fs::read_to_string(path).map_err(broken)?;
    parse(&path.display().to_string(), &text)
}

pub fn parse(origin: &str, text: &str) -> Result<Profile, ProfileError> {
    let raw: Raw = toml::from_str(text).map_err(|error| ProfileError::Syntax {
        origin: origin.to_owned(),
        detail: error.to_string().trim_end().to_owned(),
    })?;
    Lower { origin }.profile(raw)
}

struct Lower<'a> {
    origin: &'a str,
}

impl Lower<'_> {
    fn profile(&self, raw: Raw) -> Result<Profile, ProfileError> {
        self.name("id", &raw.id)?;
        let mut seen = BTreeSet::new();
        for allow_id in &raw.allow_ids {
            self.name("allowIds", allow_id)?;
            if !seen.insert(allow_id) {
                return Err(self.value("allowIds", &format!("`{allow_id}` stands there twice")));
            }
        }
        if raw.perception.len() + raw.dialogs.len() > ENTRIES_MAX {
            let detail = format!("more than {ENTRIES_MAX} patterns and dialogs");
            return Err(self.value("perception", &detail));
        }
        let mut perception = raw
            .perception
            .into_iter()
            .map(|pattern| self.pattern(pattern))
            .collect::<Result<Vec<_>, _>>()?;
        perception.sort_by_key(|pattern| std::cmp::Reverse(pattern.priority));
        let dialogs = raw
            .dialogs
            .into_iter()
            .map(|dialog| self.dialog(dialog))
            .collect::<Result<Vec<_>, _>>()?;
        self.unique(perception.iter().map(|pattern| pattern.name.as_str()), "perception")?;
        self.unique(dialogs.iter().map(|dialog| dialog.name.as_str()), "dialogs")?;
        Ok(Profile {
            id: raw.id,
            allow_ids: raw.allow_ids,
            platform_version: raw.platform_version,
            render: Render { ghost_text: raw.render.ghost_text },
            perception,
            dialogs,
            env: raw.env,
            ephemeral_writable_paths: raw.ephemeral_writable_paths,
        })
    }

    fn pattern(&self, raw: RawPattern) -> Result<Pattern, ProfileError> {
        Ok(Pattern {
            means: self.meaning(&raw.means)?,
            region: self.region(&raw.region)?,
            detect: self.regex(&raw.name, &raw.detect)?,
            priority: raw.priority,
            name: raw.name,
        })
    }

    fn dialog(&self, raw: RawDialog) -> Result<Dialog, ProfileError> {
        let patterns = match raw.detect {
            OneOrMany::One(pattern) => vec![pattern],
            OneOrMany::Many(patterns) => patterns,
        };
        if patterns.is_empty() {
            return Err(self.value("dialogs.detect", "needs at least one pattern"));
        }
        if let Some(key) = raw.answer.iter().find(|key| term::keys::parse(key).is_err()) {
            return Err(self.value("dialogs.answer", &format!("`{key}` is not a key")));
        }
        if raw.destructive && !raw.answer.is_empty() {
            return Err(self.value("dialogs.answer", "a destructive dialog has no answer"));
        }
        Ok(Dialog {
            detect: patterns
                .iter()
                .map(|pattern| self.regex(&raw.name, pattern))
                .collect::<Result<_, _>>()?,
            region: self.region(&raw.region)?,
            kind: self.kind(&raw.kind)?,
            answer: raw.answer,
            destructive: raw.destructive,
            name: raw.name,
        })
    }

    fn regex(&self, name: &str, pattern: &str) -> Result<Regex, ProfileError> {
        // Word boundaries of Unicode make the fast engine give up on other text.
        let mut builder = RegexBuilder::new(&pattern.replace(r"\b", r"(?-u:\b)"));
        builder.size_limit(PATTERN_BYTES_MAX).multi_line(true);
        let regex = builder.build().map_err(|error| ProfileError::Pattern {
            origin: self.origin.to_owned(),
            name: name.to_owned(),
            detail: error.to_string(),
        })?;
        if regex.is_match("") {
            return Err(ProfileError::MatchesEmpty {
                origin: self.origin.to_owned(),
                name: name.to_owned(),
            });
        }
        Ok(regex)
    }

    fn region(&self, text: &str) -> Result<Region, ProfileError> {
        let rows = text.strip_prefix("bottom(").and_then(|rest| rest.strip_suffix(')'));
        match (text, rows.map(str::parse::<usize>)) {
            ("title", _) => Ok(Region::Title),
            ("box", _) => Ok(Region::Box),
            ("after_last_rule", _) => Ok(Region::AfterLastRule),
            ("cursor_row", _) => Ok(Region::CursorRow),
            (_, Some(Ok(rows))) if (1..=REGION_ROWS_MAX).contains(&rows) => {
                Ok(Region::Bottom(rows))
            }
            _ => Err(self.value(
                "region",
                &format!("`{text}` is not title, bottom(n), box, after_last_rule or cursor_row"),
            )),
        }
    }

    fn meaning(&self, text: &str) -> Result<Meaning, ProfileError> {
        Ok(match text {
            "working" => Meaning::Working,
            "composer" => Meaning::Composer,
            "prompt" => Meaning::Prompt,
            "menu" => Meaning::Menu,
            "turn_end" => Meaning::TurnEnd,
            "queued" => Meaning::Queued,
            _ => {
                let known = "working, composer, prompt, menu, turn_end or queued";
                return Err(self.value("means", &format!("`{text}` is not {known}")));
            }
        })
    }

    fn kind(&self, text: &str) -> Result<DialogKind, ProfileError> {
        Ok(match text {
            "menu" => DialogKind::Menu,
            "confirm" => DialogKind::Confirm,
            "permission" => DialogKind::Permission,
            "trust" => DialogKind::Trust,
            "login" => DialogKind::Login,
            "limit" => DialogKind::Limit,
            _ => {
                let known = "menu, confirm, permission, trust, login or limit";
                return Err(self.value("kind", &format!("`{text}` is not {known}")));
            }
        })
    }

    fn name(&self, field: &str, text: &str) -> Result<(), ProfileError> {
        let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if text.is_empty() || text.len() > 64 || !text.chars().all(fine) {
            let detail = format!("`{text}` is not 1 to 64 letters, digits, `-`, `_` or `.`");
            return Err(self.value(field, &detail));
        }
        Ok(())
    }

    fn unique<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
        field: &str,
    ) -> Result<(), ProfileError> {
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name) {
                return Err(self.value(field, &format!("two entries are named `{name}`")));
            }
        }
        Ok(())
    }

    fn value(&self, field: &str, detail: &str) -> ProfileError {
        ProfileError::Value {
            origin: self.origin.to_owned(),
            field: field.to_owned(),
            detail: detail.to_owned(),
        }
    }
}
