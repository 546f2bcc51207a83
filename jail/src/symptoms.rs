//! bubblewrap's words and what to do about them.

use std::path::Path;

use crate::JailError;

struct Symptom {
    /// All of these appear in the text.
    words: &'static [&'static str],
    sentence: &'static str,
    fix: &'static str,
}

pub(crate) const APPARMOR: &str = "Ubuntu's AppArmor keeps bwrap from making user namespaces: \
install the profile (apt install apparmor-profiles && ln -s /usr/share/apparmor/extra-profiles/\
bwrap-userns-restrict /etc/apparmor.d/ && apparmor_parser -r /etc/apparmor.d/\
bwrap-userns-restrict), or set sysctl kernel.apparmor_restrict_unprivileged_userns=0.";

/// First match wins, so the special come before the general.
const SYMPTOMS: &[Symptom] = &[
    Symptom {
        words: &["setting up uid map", "Permission denied"],
        sentence: "user namespaces are restricted by AppArmor",
        fix: APPARMOR,
    },
    Symptom {
        words: &["loopback", "RTM_NEWADDR"],
        sentence: "network namespaces are restricted by AppArmor",
        fix: APPARMOR,
    },
    Symptom {
        words: &["No permissions to create", "namespace"],
        sentence: "user namespaces are switched off",
        fix: "Set sysctl kernel.unprivileged_userns_clone=1 (Debian) and user.max_user_namespaces \
              to 10000 or more.",
    },
    Symptom {
        words: &["namespace", "No space left on device"],
        sentence: "no more user namespaces are allowed",
        fix: "Set sysctl user.max_user_namespaces to 10000 or more.",
    },
    Symptom {
        words: &["Creating new namespace failed"],
        sentence: "namespaces cannot be made here",
        fix: "Set sysctl user.max_user_namespaces to 10000 or more; in a container, allow \
              user namespaces (for Docker: --security-opt seccomp=unconfined).",
    },
    Symptom {
        words: &["Can't mount proc"],
        sentence: "a fresh /proc cannot be mounted: this is a container without the right to",
        fix: "Give the container an unmasked /proc (Docker: --security-opt systempaths=unconfined; \
              Kubernetes: procMount Unmasked) or run outside of it.",
    },
    Symptom {
        words: &["Failed to make / slave"],
        sentence: "mounts cannot be changed here: this is a container without the right to",
        fix: "Give the container CAP_SYS_ADMIN or user namespaces, or run outside of it.",
    },
    Symptom {
        words: &["Can't find source path"],
        sentence: "a path of the scope cannot be reached by the session's user",
        fix: "Check that every directory above it may be entered, or set scope.uid: daemon.",
    },
    Symptom {
        words: &["nknown option"],
        sentence: "bubblewrap is too old",
        fix: "Install bubblewrap 0.5 or newer.",
    },
];

pub(crate) fn explain(text: &str) -> (Option<&'static str>, &'static str) {
    let found =
        SYMPTOMS.iter().find(|symptom| symptom.words.iter().all(|word| text.contains(word)));
    match found {
        Some(symptom) => (Some(symptom.sentence), symptom.fix),
        None => (None, "Run `ttydrive doctor` on this machine; it names what is missing."),
    }
}

/// The error for what bubblewrap said.
pub(crate) fn bwrap_failed(text: &str) -> JailError {
    let (sentence, fix) = explain(text);
    let said = if text.is_empty() { "bwrap ended without a word" } else { text };
    let detail = match sentence {
        Some(sentence) => format!("{sentence} ({said})"),
        None => said.to_owned(),
    };
    JailError::Unavailable { detail, fix: fix.to_owned() }
}

pub(crate) fn bwrap_did_not_start(path: &Path, why: &str) -> JailError {
    JailError::Unavailable {
        detail: format!("{} cannot be executed: {why}", path.display()),
        fix: "Install bubblewrap 0.5 or newer where every user may execute it.".to_owned(),
    }
}
