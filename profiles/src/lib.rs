//! What is known about single programs, as data: patterns, dialogs, ghost text.

/// Read-side knowledge about one program. It can never widen a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub id: String,
    pub allow_ids: Vec<String>,
    pub render: Render,
}

/// How the program draws what is not part of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Render {
    /// Dim text at or right of the cursor is a suggestion.
    pub ghost_text: bool,
}

/// All profiles known to a running service.
#[derive(Debug, Clone, Default)]
pub struct Profiles {
    all: Vec<Profile>,
}

impl Profiles {
    /// The profile that claims an allow entry, if any.
    #[must_use]
    pub fn for_allow_id(&self, allow_id: &str) -> Option<&Profile> {
        self.all.iter().find(|profile| profile.allow_ids.iter().any(|id| id == allow_id))
    }
}
