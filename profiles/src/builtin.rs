//! The profiles that come with the product, embedded as they stand in their folders.

/// Where each came from, and its text.
pub const TEXTS: &[(&str, &str)] = &[
    ("claude-code/profile.toml", include_str!("../claude-code/profile.toml")),
    ("codex/profile.toml", include_str!("../codex/profile.toml")),
    ("aider/profile.toml", include_str!("../aider/profile.toml")),
    ("gemini-cli/profile.toml", include_str!("../gemini-cli/profile.toml")),
    ("opencode/profile.toml", include_str!("../opencode/profile.toml")),
];
