//! Which events a subscriber may and wants to see.

use super::EVENT_TYPES;
use crate::caller::{Caller, Owner, Role};

/// Patterns in one subscription; the event types fit three times over.
const PATTERNS_MAX: usize = 48;
const PATTERN_BYTES_MAX: usize = 64;

/// What a subscriber asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventFilter {
    pub session_id: Option<String>,
    /// `*` stands for any run of characters: `terminal:*`. Empty: all.
    pub types: Vec<String>,
    /// Replay everything later than this id; `None`: only what happens from now on.
    pub after: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    #[error("`{pattern}` matches no event type")]
    MatchesNothing { pattern: String },
    #[error("more than {PATTERNS_MAX} patterns")]
    TooMany,
}

/// A checked filter bound to a caller.
#[derive(Debug, Clone)]
pub(super) struct Filter {
    /// `None`: sees all owners.
    owner: Option<Owner>,
    session_id: Option<String>,
    /// `None`: all types.
    types: Option<Vec<&'static str>>,
}

impl Filter {
    pub(super) fn new(caller: &Caller, wish: &EventFilter) -> Result<Self, FilterError> {
        if wish.types.len() > PATTERNS_MAX {
            return Err(FilterError::TooMany);
        }
        let mut types = Vec::new();
        for pattern in &wish.types {
            let before = types.len();
            types.extend(EVENT_TYPES.iter().filter(|kind| glob_matches(pattern, kind)));
            if types.len() == before {
                let pattern = pattern.chars().take(PATTERN_BYTES_MAX).collect();
                return Err(FilterError::MatchesNothing { pattern });
            }
        }
        Ok(Self {
            owner: match caller.role {
                Role::Agent => Some(caller.owner.clone()),
                Role::Viewer | Role::Admin => None,
            },
            session_id: wish.session_id.clone(),
            types: (!wish.types.is_empty()).then_some(types),
        })
    }

    pub(super) fn matches(
        &self,
        kind: &str,
        owner: Option<&Owner>,
        session_id: Option<&str>,
    ) -> bool {
        let mine = self.owner.as_ref().is_none_or(|me| owner == Some(me));
        let wanted = self.types.as_ref().is_none_or(|types| types.contains(&kind));
        let here = self.session_id.as_deref().is_none_or(|id| session_id == Some(id));
        mine && wanted && here
    }
}

/// `*` matches any run, everything else itself. The pieces between the stars must follow each
/// other; taking the first fit of each is enough.
pub(crate) fn glob_matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caller::Origin;

    fn caller(role: Role, agent: &str, key: &str) -> Caller {
        let owner = Owner { agent_id: agent.to_owned(), session_key: key.to_owned() };
        Caller { owner, role, origin: Origin::Interactive, token_id: "tok_1".to_owned() }
    }

    #[test]
    fn globs() {
        let cases = [
            ("*", "a:b", true),
            ("terminal:*", "terminal:stuck", true),
            ("terminal:*", "drive:notification", false),
            ("terminal:stuck", "terminal:stuck", true),
            ("terminal:stuck", "terminal:stuck2", false),
            ("*:notification", "drive:notification", true),
            ("*o*", "tool:completed", true),
            ("t*l:*d", "tool:completed", true),
            ("t*l:*x", "tool:completed", false),
            ("ab*ba", "aba", false),
            ("", "a", false),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(glob_matches(pattern, text), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn an_agent_sees_its_own_session_key_only() {
        let me = caller(Role::Agent, "a", "main");
        let filter = Filter::new(&me, &EventFilter::default()).unwrap();
        let other_key = Owner { agent_id: "a".to_owned(), session_key: "two".to_owned() };
        assert!(filter.matches("terminal:stuck", Some(&me.owner), Some("ts_1")));
        assert!(!filter.matches("terminal:stuck", Some(&other_key), Some("ts_1")));
        assert!(!filter.matches("terminal:stuck", None, None));
        for role in [Role::Viewer, Role::Admin] {
            let all = Filter::new(&caller(role, "z", "main"), &EventFilter::default()).unwrap();
            assert!(all.matches("terminal:stuck", Some(&other_key), None));
            assert!(all.matches("terminal:stuck", None, None));
        }
    }

    #[test]
    fn a_pattern_that_can_never_match_is_an_error() {
        let wish = EventFilter {
            types: vec!["terminal:*".to_owned(), "terminal:stcuk".to_owned()],
            ..EventFilter::default()
        };
        assert_eq!(
            Filter::new(&caller(Role::Admin, "a", "main"), &wish).err(),
            Some(FilterError::MatchesNothing { pattern: "terminal:stcuk".to_owned() })
        );
    }
}
