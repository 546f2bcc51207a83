//! What is known about single programs, as data: patterns, dialogs, ghost text.
//!
//! A profile is read-side knowledge: it says what a screen of one program means. It is chosen
//! by the allow entry alone, never by what a program prints, and it can never widen a scope.
//! What is done with a match is not this crate's business.

mod builtin;
mod error;
mod load;
mod model;

#[cfg(test)]
mod tests;

use std::path::Path;

pub use error::ProfileError;
pub use model::{Dialog, DialogKind, Meaning, Pattern, Profile, Region, Render};

/// All profiles known to a running service.
#[derive(Debug, Clone, Default)]
pub struct Profiles {
    all: Vec<Profile>,
}

impl Profiles {
    /// The profiles that come with the product.
    ///
    /// # Errors
    /// A built-in profile is broken, which a test of this crate rules out.
    pub fn builtin() -> Result<Self, ProfileError> {
        let mut profiles = Self::default();
        for (origin, text) in builtin::TEXTS {
            profiles.add(load::parse(origin, text)?)?;
        }
        Ok(profiles)
    }

    /// Adds the profile in a folder, or all profiles in its folders. All or nothing.
    ///
    /// # Errors
    /// A file cannot be read, a profile is not valid, or an id is taken.
    pub fn load_dir(&mut self, dir: &Path) -> Result<(), ProfileError> {
        let mut next = self.clone();
        for file in load::files(dir)? {
            next.add(load::read(&file)?)?;
        }
        *self = next;
        Ok(())
    }

    fn add(&mut self, profile: Profile) -> Result<(), ProfileError> {
        if self.get(&profile.id).is_some() {
            return Err(ProfileError::DuplicateId { id: profile.id });
        }
        for allow_id in &profile.allow_ids {
            if let Some(other) = self.for_allow_id(allow_id) {
                return Err(ProfileError::DuplicateAllowId {
                    id: profile.id.clone(),
                    allow_id: allow_id.clone(),
                    other: other.id.clone(),
                });
            }
        }
        self.all.push(profile);
        Ok(())
    }

    /// The profile that claims an allow entry, if any.
    #[must_use]
    pub fn for_allow_id(&self, allow_id: &str) -> Option<&Profile> {
        self.all.iter().find(|profile| profile.allow_ids.iter().any(|id| id == allow_id))
    }

    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Profile> {
        self.all.iter().find(|profile| profile.id == id)
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|profile| profile.id.as_str())
    }
}
