//! The child's environment, built from nothing.
//!
//! A fixed base, then what the operator and the profile add. On the added names a deny-list
//! applies: names that make an interpreter or loader run other code, that tell a nested CLI it
//! is nested, or that belong to this service. The operator can spare a name of the first two
//! kinds; never the service's own and never what would lie about the terminal.

use crate::plan::identity::Identity;
use crate::{Host, Network, Request, egress};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pattern {
    Name(&'static str),
    Prefix(&'static str),
}

use Pattern::{Name, Prefix};

/// Dropped unless spared by name.
const DENIED: &[Pattern] = &[
    // Make a shell or interpreter run or load something else.
    Name("BASH_ENV"),
    Name("ENV"),
    Name("PYTHONSTARTUP"),
    Name("RUBYOPT"),
    Name("PERL5OPT"),
    Name("NODE_OPTIONS"),
    Name("NODE_ENV"),
    Name("JAVA_TOOL_OPTIONS"),
    Name("_JAVA_OPTIONS"),
    Name("JDK_JAVA_OPTIONS"),
    Prefix("LD_"),
    Prefix("DYLD_"),
    Prefix("PIP_"),
    Prefix("UV_"),
    // Exported shell functions.
    Prefix("BASH_FUNC_"),
    // Tell a CLI that it runs inside another.
    Name("CLAUDECODE"),
    Prefix("CLAUDE_CODE_"),
];

/// Dropped always: the terminal's size comes from the terminal, and what is the service's own
/// never enters a jail.
const NEVER: &[Pattern] =
    &[Name("COLUMNS"), Name("LINES"), Prefix("TMUX"), Prefix("TTYDRIVE_"), Name("STY")];

impl Pattern {
    fn matches(self, name: &str) -> bool {
        match self {
            Name(wanted) => name == wanted,
            Prefix(prefix) => name.starts_with(prefix),
        }
    }
}

/// The variables and the names that were refused.
pub(crate) struct Environment {
    pub variables: Vec<(String, String)>,
    pub dropped: Vec<String>,
}

pub(crate) fn build(request: &Request, host: &Host, identity: Identity) -> Environment {
    let user = identity.user_name(host).to_owned();
    let mut environment = Environment {
        variables: vec![
            pair("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
            pair("HOME", &host.home.to_string_lossy()),
            pair("USER", &user),
            pair("LOGNAME", &user),
            pair("SHELL", &host.shell.to_string_lossy()),
            pair("LANG", "C.UTF-8"),
            pair("TERM", "xterm-256color"),
            pair("COLORTERM", "truecolor"),
        ],
        dropped: Vec::new(),
    };
    if let Some(zone) = &host.time_zone {
        environment.variables.push(pair("TZ", zone));
    }
    if request.scope.network == Network::ListedHosts {
        environment.announce_proxy();
    }
    for (name, value) in &request.env {
        environment.add(name, value, &request.env_overrides);
    }
    environment
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

impl Environment {
    /// Clients disagree about case, so both.
    fn announce_proxy(&mut self) {
        let proxy = format!("http://{}", egress::ADDRESS);
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            self.variables.push(pair(name, &proxy));
            self.variables.push(pair(&name.to_ascii_lowercase(), &proxy));
        }
        for name in ["NO_PROXY", "no_proxy"] {
            self.variables.push(pair(name, "localhost,127.0.0.1,::1"));
        }
    }

    fn add(&mut self, name: &str, value: &str, spared: &[String]) {
        if !allowed(name, value, spared) {
            if !self.dropped.iter().any(|dropped| dropped == name) {
                self.dropped.push(name.to_owned());
            }
            return;
        }
        self.variables.retain(|(known, _)| known != name);
        self.variables.push(pair(name, value));
    }
}

fn allowed(name: &str, value: &str, spared: &[String]) -> bool {
    let sound = !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0');
    let never = NEVER.iter().any(|pattern| pattern.matches(name));
    let denied = DENIED.iter().any(|pattern| pattern.matches(name)) || value.starts_with("()");
    sound && !never && (!denied || spared.iter().any(|spare| spare == name))
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn deny_list_holds_and_can_be_lifted_by_name_only_where_it_may() {
        let spared = ["LD_LIBRARY_PATH", "COLUMNS", "TTYDRIVE_TOKEN", "TMUX"].map(str::to_owned);
        for (name, plain, lifted) in [
            ("EDITOR", true, true),
            ("LD_PRELOAD", false, false),
            ("LD_LIBRARY_PATH", false, true),
            ("ENV", false, false),
            ("ENVIRONMENT", true, true),
            ("PIP_INDEX_URL", false, false),
            ("UV_CACHE_DIR", false, false),
            ("CLAUDE_CODE_ENTRYPOINT", false, false),
            ("CLAUDE_CONFIG_DIR", true, true),
            ("BASH_FUNC_ls%%", false, false),
            ("COLUMNS", false, false),
            ("LINES", false, false),
            ("TMUX", false, false),
            ("TMUX_PANE", false, false),
            ("TTYDRIVE_TOKEN", false, false),
            ("A=B", false, false),
            ("", false, false),
        ] {
            assert_eq!(allowed(name, "1", &[]), plain, "{name}");
            assert_eq!(allowed(name, "1", &spared), lifted, "{name} with overrides");
        }
        assert!(!allowed("F", "() { :; }; echo x", &[]), "function by value");
    }
}
