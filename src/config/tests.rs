use std::time::Duration;

use actors::settings::{AutoAnswer, DriveMode, NotifyMode, ReadMode};
use jail::{Access, Filesystem, Network, UidMode};

use super::error::Finding;
use super::*;

fn load_str(text: &str) -> Result<Lowered, ConfigError> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.yaml");
    std::fs::write(&file, text).unwrap();
    load_file(&file, &Overrides::default())
}

fn findings(text: &str) -> Vec<Finding> {
    load_str(text).expect_err("must not load").findings().to_vec()
}

/// An allow entry around the given extra lines (each indented by ten spaces).
fn entry(extra: &str) -> String {
    format!(
        "agents:
  default:
    skills:
      terminal:
        allow:
        - id: sh
          match: {{ path: /bin/sh }}
          consent: {{ acknowledgedRisk: true, acknowledgedAt: \"2026-06-14T00:00:00Z\" }}
{extra}"
    )
}

#[test]
fn the_embedded_default_offers_bash_and_python_at_least_privilege() {
    let overrides = Overrides::default();
    let lowered = load_text(DEFAULT_YAML, "<embedded default>", None, &overrides).unwrap();
    assert_eq!(lowered.server.bind.to_string(), "127.0.0.1:7717");
    let terminal = &lowered.settings.agents["default"].terminal;
    let bash = &terminal.allow["bash"];
    assert_eq!(bash.scope.filesystem, Filesystem::Workspace);
    assert_eq!(bash.scope.network, Network::None);
    assert_eq!(bash.scope.uid, UidMode::Dedicated);
    assert_eq!(bash.sha256.len(), 64);
    assert!(bash.program.is_absolute());
}

#[test]
fn an_empty_file_means_the_documented_defaults_and_nothing_may_start() {
    let lowered = load_str("").unwrap();
    let agent = &lowered.settings.agents["default"];
    let terminal = &agent.terminal;
    assert!(terminal.enabled && terminal.redact_secrets && terminal.audit);
    assert!(!terminal.unsafe_disable_sandbox);
    assert!(terminal.allow.is_empty());
    assert_eq!(terminal.sessions_max, 8);
    assert_eq!(terminal.idle_ttl, Duration::from_millis(900_000));
    assert_eq!(terminal.ring_bytes, 262_144);
    assert_eq!(terminal.stuck_after, Duration::from_secs(30));
    assert_eq!(terminal.concurrent_attention_turns_max, 4);
    assert_eq!((terminal.default_cols, terminal.default_rows), (80, 24));
    assert_eq!(terminal.default_scrollback, 1000);
    assert_eq!(terminal.drive.mode, DriveMode::Auto);
    assert_eq!(terminal.drive.read_mode, ReadMode::Digest);
    assert_eq!(terminal.drive.notify, NotifyMode::Terminal);
    assert!(terminal.drive.durable);
    assert_eq!(terminal.drive.heartbeat, Duration::from_secs(90));
    assert_eq!(terminal.drive.heartbeat_notify, Duration::from_secs(3600));
    assert_eq!(agent.workspace, lowered.settings.data_dir.join("workspace"));
    assert!(agent.tool_policy.allowed.iter().any(|tool| tool == "terminal_session_create"));
}

#[test]
fn all_errors_come_at_once_with_line_path_and_nearest_key() {
    let text = "\
datadir: /tmp/x
agents:
  default:
    skills:
      terminal:
        worker: { maxSesions: 4, stuckMs: 5 }
        defaults:
          cols: 1
";
    let found = findings(text);
    let seen: Vec<(usize, &str)> =
        found.iter().map(|finding| (finding.line, finding.key.as_str())).collect();
    let worker = "agents.default.skills.terminal.worker";
    assert_eq!(
        seen,
        [
            (1, "datadir"),
            (6, format!("{worker}.maxSesions").as_str()),
            (6, format!("{worker}.stuckMs").as_str()),
            (8, "agents.default.skills.terminal.defaults.cols"),
        ]
    );
    assert_eq!(found[0].hint.as_deref(), Some("did you mean `dataDir`?"));
    let hint = found[1].hint.as_deref().unwrap();
    assert_eq!(hint, format!("did you mean `{worker}.maxSessions`?"));
}

#[test]
fn top_level_skills_says_where_it_belongs() {
    let found = findings("skills:\n  terminal: {}\n");
    assert!(found.iter().all(|finding| finding.key == "skills" && finding.line == 1));
    assert!(found.iter().any(|f| f.hint.as_deref().unwrap_or("").contains("agents.<id>")));
}

#[test]
fn broken_yaml_aliases_and_repeated_keys_are_findings() {
    assert!(findings("a: [1\n")[0].problem.contains("not valid YAML"));
    assert!(findings("dataDir: &x /tmp\nserver: *x\n")[0].problem.contains("aliases"));
    let found = findings("server: {}\nserver: {}\n");
    assert_eq!((found[0].line, found[0].problem.as_str()), (2, "this key stands here twice"));
    let deep = "[".repeat(500) + &"]".repeat(500);
    assert!(!findings(&format!("dataDir: {deep}\n")).is_empty());
}

#[test]
fn an_entry_without_consent_is_refused() {
    let text = entry("").replace("          consent:", "          backend: spawn #");
    assert!(findings(&text)[0].key.ends_with("allow[0].consent"));
    let text = entry("").replace("acknowledgedRisk: true", "acknowledgedRisk: false");
    assert!(findings(&text)[0].key.ends_with("acknowledgedRisk"));
    let text = entry("").replace("2026-06-14T00:00:00Z", "yesterday");
    assert!(findings(&text)[0].problem.contains("RFC 3339"));
    // The rest of such an entry is checked all the same.
    let text = text.replace("/bin/sh", "bin/sh");
    assert!(findings(&text).iter().any(|finding| finding.key.ends_with("match.path")));
}

#[test]
fn an_entry_lowers_to_a_scope() {
    let text = entry(
        "          scope:
            filesystem: listed-paths
            paths: [/opt, { path: /srv, access: rw }]
            network: listed-hosts
            hosts: [\"*.example.org\", \"example.com:8443\"]
            uid: daemon
            env: { A: plain, N: 7 }
          autoAnswer: none
          hintPatterns: [\"Continue?\", { text: \"Pick one\", keys: [Down, Enter] }]
          limits: { wallClockMs: 1000, maxInteractions: 3, memoryBytes: 1073741824, pids: 64 }
          approveOnCreate: true
",
    );
    let lowered = load_str(&text).unwrap();
    let sh = &lowered.settings.agents["default"].terminal.allow["sh"];
    assert_eq!(sh.scope.filesystem, Filesystem::ListedPaths);
    let access: Vec<Access> = sh.scope.paths.iter().map(|path| path.access).collect();
    assert_eq!(access, [Access::Ro, Access::Rw]);
    assert_eq!(sh.scope.hosts, ["*.example.org", "example.com:8443"]);
    let env: Vec<(&str, &str)> = sh.env.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(env, [("A", "plain"), ("N", "7")]);
    assert_eq!(sh.auto_answer, AutoAnswer::None);
    assert_eq!(sh.hint_patterns[1].keys, ["Down", "Enter"]);
    assert_eq!(sh.limits.wall_clock, Some(Duration::from_secs(1)));
    assert_eq!(sh.limits.resources.pids, Some(64));
    assert!(sh.approve_on_create);
    assert!(lowered.warnings.iter().any(|warning| warning.contains("not answered yet")));
}

#[test]
fn impossible_entries_are_findings() {
    for (extra, key) in [
        ("          scope: { network: listed-hosts }\n", "scope.hosts"),
        ("          scope: { filesystem: listed-paths }\n", "scope.paths"),
        ("          scope: { credentialPaths: [relative] }\n", "credentialPaths[0]"),
        ("          scope: { env: { A: { fromEnv: TTYDRIVE_TEST_UNSET } } }\n", "env.A"),
        ("          scope: { env: { A: { fromFile: /nonexistent/x } } }\n", "env.A"),
        ("          scope: { env: { \"A=B\": x } }\n", "env.A=B"),
        ("          autoAnswer: sometimes\n", "autoAnswer"),
        ("          hintPatterns: [{ text: x, keys: [Entr] }]\n", "hintPatterns[0]"),
        ("          hintPatterns: [\" \"]\n", "hintPatterns[0]"),
        ("          limits: { pids: 0 }\n", "limits.pids"),
        ("          limits: { wallClockMs: -5 }\n", "limits.wallClockMs"),
    ] {
        let found = findings(&entry(extra));
        assert!(found.iter().any(|f| f.key.ends_with(key)), "{extra}: {found:?}");
    }
}

#[test]
fn programs_must_exist_and_a_pin_is_what_counts() {
    let missing = entry("").replace("/bin/sh", "/nonexistent/program");
    assert!(findings(&missing)[0].key.ends_with("match.path"));
    let relative = entry("").replace("/bin/sh", "bin/sh");
    assert!(findings(&relative)[0].problem.contains("absolute"));
    let pin = format!("sha256:{}", "0".repeat(64));
    let pinned = entry("").replace("/bin/sh", &format!("/bin/sh, hash: \"{pin}\""));
    let lowered = load_str(&pinned).unwrap();
    let sh = &lowered.settings.agents["default"].terminal.allow["sh"];
    assert_eq!((sh.hash_pinned, sh.sha256.as_str()), (true, "0".repeat(64).as_str()));
    assert!(lowered.warnings.iter().any(|text| text.contains("match.hash")));
    let bad_pin = entry("").replace("/bin/sh", "/bin/sh, hash: md5:00");
    assert!(findings(&bad_pin).iter().any(|f| f.key.ends_with("match.hash")));
}

#[test]
fn ids_are_strict_and_unique() {
    let bad = entry("").replace("id: sh", "id: \"S H\"");
    assert!(findings(&bad)[0].key.ends_with("allow[0].id"));
    let twice = entry(concat!(
        "        - id: sh\n          match: { path: /bin/sh }\n",
        "          consent: { acknowledgedRisk: true, ",
        "acknowledgedAt: \"2026-06-14T00:00:00Z\" }\n",
    ));
    assert!(findings(&twice).iter().any(|f| f.problem.contains("used twice")));
}

#[test]
fn binding_beyond_loopback_needs_the_operators_word() {
    let found = findings("server: { bind: \"0.0.0.0:7717\" }\n");
    assert!(found[0].hint.as_deref().unwrap().contains("allowRemote"));
    assert!(load_str("server: { bind: \"0.0.0.0:7717\", allowRemote: true }\n").is_ok());
    assert!(findings("server: { bind: nonsense }\n")[0].key == "server.bind");
}

#[test]
fn tool_policy_resolves_and_names_the_nearest() {
    let text = "agents:\n  default:\n    toolPolicy: { profile: terminal-read-only, \
                allow: [terminal_session_kill], deny: [search_tools] }\n";
    let policy = &load_str(text).unwrap().settings.agents["default"].tool_policy;
    assert!(policy.allowed.iter().any(|tool| tool == "terminal_session_kill"));
    assert!(!policy.allowed.iter().any(|tool| tool == "search_tools"));
    let bad = "agents:\n  default:\n    toolPolicy: { allow: [terminal_session_kil] }\n";
    let found = findings(bad);
    assert!(found[0].hint.as_deref().unwrap().contains("terminal_session_kill"));
}

#[test]
fn secrets_never_stand_in_a_finding() {
    let canary = "canary-5f1d";
    let text = entry(&format!("          scope: {{ env: {{ \"9A\": \"{canary}\" }} }}\n"));
    let shown = load_str(&text).expect_err("bad name").to_string();
    assert!(!shown.contains(canary), "{shown}");
}

#[test]
fn a_named_agent_has_its_own_workspace() {
    let lowered = load_str("agents: { builder: {} }\n").unwrap();
    let workspace = &lowered.settings.agents["builder"].workspace;
    assert!(workspace.ends_with("workspace-builder"));
}
