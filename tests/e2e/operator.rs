//! What an operator does to a running service: reload, pin, revoke, start a second one.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Answer, Config, Service, until};

const BINARY: &str = env!("CARGO_BIN_EXE_ttydrive");

/// A copy of /bin/sh that a test may change, where jails can see it.
fn own_shell(folder: &Path) -> String {
    let path = folder.join("own-shell");
    std::fs::copy("/bin/sh", &path).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn create(service: &Service, id: &str) -> Answer {
    service.agent().tool("terminal_session_create", &json!({ "allowId": id }))
}

/// An entry for a shell in a folder of the test.
fn entry(folder: &Path, path: &str, hash: Option<String>) -> Value {
    let mut matching = json!({ "path": path });
    if let Some(hash) = hash {
        matching["hash"] = hash.into();
    }
    json!({
        "id": "own",
        "match": matching,
        "scope": { "filesystem": "listed-paths", "paths": [{ "path": folder, "access": "ro" }] },
        "consent": { "acknowledgedRisk": true, "acknowledgedAt": "2026-01-01T00:00:00Z" },
    })
}

#[test]
fn a_reload_takes_a_good_file_and_leaves_a_bad_one() {
    let service = Service::with(&Config::default());
    assert!(create(&service, "again").status >= 400);
    service.reload(&Config::default().allow("again", "/bin/sh").text());
    service.until_logged("configuration reloaded");
    assert_eq!(create(&service, "again").status, 200);
    // Without `again`, and with an error: nothing of it counts.
    service.reload(&Config::default().server("noSuchKey", json!(1)).text());
    service.until_logged("configuration not reloaded");
    service.until_logged("noSuchKey");
    assert_eq!(create(&service, "again").status, 200);
}

#[test]
fn a_binary_that_changed_since_it_was_read_is_refused_until_a_reload() {
    let folder = tempfile::tempdir().unwrap();
    let shell = own_shell(folder.path());
    let config = Config::default().entry(entry(folder.path(), &shell, None));
    let service = Service::with(&config);
    assert_eq!(create(&service, "own").status, 200);
    // A new file in its place, as an upgrade does it.
    let mut bytes = std::fs::read(&shell).unwrap();
    bytes.push(0);
    std::fs::remove_file(&shell).unwrap();
    std::fs::write(&shell, bytes).unwrap();
    std::fs::set_permissions(&shell, std::fs::Permissions::from_mode(0o755)).unwrap();
    create(&service, "own").problem(403, "permission_denied");
    service.reload(&config.text());
    service.until_logged("configuration reloaded");
    assert_eq!(create(&service, "own").status, 200);
}

#[test]
fn a_binary_other_than_its_pin_loads_and_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shell = own_shell(folder.path());
    let pin = "0".repeat(64);
    let pinned = entry(folder.path(), &shell, Some(format!("sha256:{pin}")));
    let service = Service::with(&Config::default().entry(pinned));
    service.until_logged("does not match its match.hash");
    create(&service, "own").problem(403, "permission_denied");
    assert_eq!(create(&service, "bash").status, 200);
    let posture = service.admin().get("/v1/posture").ok();
    let entries = posture["agents"][0]["allow"].as_array().expect("entries");
    let own = entries.iter().find(|entry| entry["allowId"] == "own").expect("it is shown");
    assert_eq!((&own["hashPinned"], &own["sha256"]), (&json!(true), &json!(pin)));
}

#[test]
fn pinned_arguments_come_first() {
    let mut echo = entry(Path::new("/usr"), "/bin/echo", None);
    echo["match"]["argsPrefix"] = json!(["first"]);
    echo["scope"] = json!({});
    let service = Service::with(&Config::default().entry(echo));
    let session = service.agent().create(json!({ "allowId": "own", "args": ["second"] }));
    let screen = session.wait_exit();
    let text = screen["screen"].as_str().expect("a screen");
    assert!(text.contains("first second"), "{text}");
}

#[test]
fn a_second_service_on_one_data_dir_refuses() {
    let service = Service::start();
    let second = Command::new(BINARY)
        .args(["serve", "--bind", "127.0.0.1:0", "--data-dir"])
        .arg(service.data_dir())
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(said.contains(&format!("pid {}", service.pid())), "{said}");
    assert_eq!(service.agent().get("/v1/sessions").status, 200);
}

#[test]
fn a_revoked_token_stops() {
    let service = Service::start();
    let agent = service.agent();
    assert_eq!(agent.get("/v1/sessions").status, 200);
    let token = |args: &[&str]| {
        let mut command = Command::new(BINARY);
        command.args(["token"]).args(args).arg("--data-dir").arg(service.data_dir());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let list = token(&["list", "--json"]);
    assert!(!list.to_string().contains(&agent.token), "a list never has secrets");
    let rows = list.as_array().expect("rows");
    let own = rows.iter().find(|row| row["role"] == "agent").expect("the agent's token");
    token(&["revoke", own["id"].as_str().unwrap(), "--json"]);
    let refused = || agent.get("/v1/sessions").status != 200;
    until(refused, || "a revoked token still works".to_owned());
    agent.get("/v1/sessions").problem(401, "unauthenticated");
    assert_eq!(service.admin().get("/v1/sessions").status, 200);
}
