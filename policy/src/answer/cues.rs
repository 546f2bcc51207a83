//! Words that make an answer unsafe, as a table. Whole words, in folded running text.

use std::sync::LazyLock;

use regex::Regex;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cue {
    AuthLogin,
    Destructive,
    Approval,
}

const AUTH_LOGIN: &[&str] = &[
    "log in",
    "login",
    "sign in",
    "signin",
    "authenticate",
    "authorize",
    "authorization",
    "oauth",
    "token expired",
    "session expired",
    "enter your password",
    "password:",
    "passphrase",
    "api key",
    "credential",
    "credentials",
    "two-factor",
    "2fa",
    "verification code",
];

const DESTRUCTIVE: &[&str] = &[
    "delete",
    "rm -rf",
    "rm -fr",
    "remove all",
    "overwrite",
    "force push",
    "force-push",
    "drop table",
    "drop database",
    "wipe",
    "erase",
    "permanently",
    "reset --hard",
    "discard all",
    "destroy",
];

const APPROVAL: &[&str] = &[
    "approve",
    "approval",
    "are you sure",
    "confirm",
    "confirmation",
    "proceed with",
    "do you accept",
    "accept the",
    "grant access",
    "allow access",
];

static AUTH_LOGIN_WORDS: LazyLock<Regex> = LazyLock::new(|| words(AUTH_LOGIN));
static DESTRUCTIVE_WORDS: LazyLock<Regex> = LazyLock::new(|| words(DESTRUCTIVE));
static APPROVAL_WORDS: LazyLock<Regex> = LazyLock::new(|| words(APPROVAL));

fn words(list: &[&str]) -> Regex {
    let one = |word: &&str| {
        let escaped = regex::escape(word).replace(' ', r"\s+");
        let end = if word.ends_with(':') { "" } else { r"\b" };
        format!(r"\b{escaped}{end}")
    };
    let all: Vec<String> = list.iter().map(one).collect();
    Regex::new(&format!("(?i){}", all.join("|"))).expect("words of a table, compiled by tests")
}

/// The first of the given families of which a word stands in the text.
pub fn first(text: &str, cues: &[Cue]) -> Option<Cue> {
    let stands = |cue: &Cue| match cue {
        Cue::AuthLogin => AUTH_LOGIN_WORDS.is_match(text),
        Cue::Destructive => DESTRUCTIVE_WORDS.is_match(text),
        Cue::Approval => APPROVAL_WORDS.is_match(text),
    };
    cues.iter().copied().find(stands)
}
