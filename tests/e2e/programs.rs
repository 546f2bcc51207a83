//! Real programs, driven through the API.

use serde_json::{Value, json};

use crate::harness::{Client, Config, Service, Session};

/// The entry of a program, or a clear word that this host lacks it.
fn with(id: &str, path: &str) -> Option<(Service, Client)> {
    if !std::path::Path::new(path).exists() {
        eprintln!("not run: {path} is not installed on this host");
        return None;
    }
    let service = Service::with(&Config::default().allow(id, path));
    let agent = service.agent();
    Some((service, agent))
}

fn bash(client: &Client, script: &str) -> Session {
    client.create(json!({ "allowId": "bash", "args": ["-c", script] }))
}

#[test]
fn bash_runs_commands_and_keeps_its_state() {
    let service = Service::start();
    let agent = service.agent();
    let session = agent.create(json!({ "allowId": "bash", "args": ["--norc"], "cols": 100 }));
    session.wait_state("awaiting-input");
    assert_eq!(session.submit("answer=$((6*7))")["outcome"], "submitted");
    session.submit("echo the answer is $answer");
    let reply = session.wait(json!({ "forText": "the answer is 42" }));
    assert!(reply["screen"].as_str().unwrap().contains("UNTRUSTED_"), "{reply:#}");
    session.wait_state("awaiting-input");
    session.submit("exit 7");
    assert_eq!(session.wait_exit()["exitCode"], 7);
}

#[test]
fn the_python_repl_is_driven() {
    let service = Service::start();
    let session = service.agent().create(json!({ "allowId": "python3", "args": ["-q"] }));
    let first = session.wait_state("awaiting-input");
    assert!(first["screen"].as_str().unwrap().contains(">>>"), "{first:#}");
    session.submit("print('x' * 3 + 'y')");
    session.wait(json!({ "forText": "xxxy" }));
    session.wait_state("awaiting-input");
    session.keys(&["C-d"]);
    assert_eq!(session.wait_exit()["exitCode"], 0);
}

/// In insert mode, with an empty file.
fn vim(agent: &Client) -> Session {
    let session = agent.create(json!({
        "allowId": "vim", "args": ["-u", "NONE", "-N", "note.txt"], "project": "edit",
    }));
    session.wait(json!({ "forIdleMs": 300 }));
    session.keys(&["i"]);
    session.wait(json!({ "forText": "INSERT" }));
    session
}

#[test]
fn vim_edits_and_saves_a_file() {
    let Some((_service, agent)) = with("vim", "/usr/bin/vim") else { return };
    let session = vim(&agent);
    let typed = session.try_send(json!({ "text": "written by vim", "submit": false })).ok();
    assert_eq!(typed["outcome"], "delivered", "{typed:#}");
    session.keys(&["Escape"]);
    session.keys(&[":", "w", "q", "Enter"]);
    assert_eq!(session.wait_exit()["exitCode"], 0);
    let check = agent.create(json!({
        "allowId": "bash", "args": ["-c", "cat note.txt"], "project": "edit",
    }));
    let ended = check.wait_exit();
    assert!(ended["screen"].as_str().unwrap().contains("written by vim"), "{ended:#}");
}

#[test]
fn vim_takes_text_on_a_line_that_looks_like_a_prompt() {
    let Some((_service, agent)) = with("vim", "/usr/bin/vim") else { return };
    let session = vim(&agent);
    session.try_send(json!({ "text": "name: one\rname: " })).ok();
    session.keys(&["Escape"]);
    // To the end of what looks like an empty prompt, then into a line that begins like it.
    session.submit(":call cursor(2, 9)");
    session.wait_state("awaiting-input");
    session.submit(":call cursor(1, 9)");
    session.wait_state("awaiting-input");
    let typed = session.try_send(json!({ "text": "A and two" })).ok();
    assert_eq!(typed["outcome"], "delivered", "{typed:#}");
    assert!(session.screen().contains("name: one and two"));
    session.kill();
}

#[test]
fn less_pages_through_a_file() {
    let Some((_service, agent)) = with("less", "/usr/bin/less") else { return };
    bash_in(&agent, "seq 1 500 > numbers").wait_exit();
    let session = agent.create(json!({
        "allowId": "less", "args": ["numbers"], "project": "page", "rows": 24,
    }));
    session.wait(json!({ "forIdleMs": 300 }));
    assert!(rows(&session).contains(&"1".to_owned()));
    session.keys(&["G"]);
    session.wait(json!({ "forIdleMs": 300 }));
    assert!(rows(&session).contains(&"500".to_owned()));
    session.keys(&["q"]);
    assert_eq!(session.wait_exit()["exitCode"], 0);
}

fn bash_in(agent: &Client, script: &str) -> Session {
    agent.create(json!({ "allowId": "bash", "args": ["-c", script], "project": "page" }))
}

fn rows(session: &Session) -> Vec<String> {
    session.screen().lines().map(|row| row.trim().to_owned()).collect()
}

#[test]
fn nano_writes_a_file() {
    let Some((_service, agent)) = with("nano", "/usr/bin/nano") else { return };
    let session = agent.create(json!({
        "allowId": "nano", "args": ["-I", "note.txt"], "project": "page",
    }));
    session.wait(json!({ "forText": "GNU nano" }));
    session.try_send(json!({ "text": "written by nano" })).ok();
    session.keys(&["C-o"]);
    session.wait(json!({ "forText": "File Name to Write" }));
    session.keys(&["Enter"]);
    session.wait(json!({ "forText": "Wrote 1 line" }));
    session.keys(&["C-x"]);
    assert_eq!(session.wait_exit()["exitCode"], 0);
    let ended = bash_in(&agent, "cat note.txt").wait_exit();
    assert!(ended["screen"].as_str().unwrap().contains("written by nano"), "{ended:#}");
}

#[test]
fn htop_draws_and_quits() {
    let Some((_service, agent)) = with("htop", "/usr/bin/htop") else { return };
    let session = agent.create(json!({ "allowId": "htop", "cols": 120, "rows": 40 }));
    session.wait(json!({ "forText": "PID" }));
    assert_eq!(session.read(json!({}))["alternateScreen"], true);
    session.keys(&["q"]);
    assert_eq!(session.wait_exit()["exitCode"], 0);
}

#[test]
fn dialog_takes_keys_and_refuses_text() {
    let Some((_service, agent)) = with("dialog", "/usr/bin/dialog") else { return };
    let session = agent.create(json!({
        "allowId": "dialog", "args": ["--yesno", "Shall we go on?", "8", "40"],
    }));
    session.wait(json!({ "forText": "Shall we go on?" }));
    session.wait_state("awaiting-input");
    let refused = session.try_send(json!({ "text": "yes", "submit": true }));
    assert_eq!(refused.problem(409, "conflict")["reason"], "dialog_open");
    session.keys(&["Right", "Enter"]);
    assert_eq!(session.wait_exit()["exitCode"], 1, "the second button is No");
}

#[test]
fn a_password_prompt_is_recognised_and_nothing_is_echoed() {
    let service = Service::start();
    let agent = service.agent();
    let session = bash(&agent, "read -s -p 'Password: ' it; echo; echo length ${#it}");
    session.wait(json!({ "forText": "Password:" }));
    let reply = session.wait_state("awaiting-input");
    assert_eq!(reply["stateReason"], "password_prompt", "{reply:#}");
    let status = session.status();
    assert_eq!(
        (status["kind"].as_str(), &status["modes"]["echo"]),
        (Some("password"), &json!(false))
    );
    session.submit("hunter2-hunter2");
    let ended = session.wait_exit();
    let screen = ended["screen"].as_str().unwrap();
    assert!(screen.contains("length 15") && !screen.contains("hunter2"), "{screen}");
}

#[test]
fn exit_codes_and_signals_are_the_childs_own() {
    let service = Service::start();
    let agent = service.agent();
    let code = bash(&agent, "echo bye; exit 7").wait_exit();
    assert_eq!((&code["exitCode"], code.get("signal")), (&json!(7), None));
    assert!(code["exitTail"].as_str().unwrap().contains("bye"), "{code:#}");
    let killed = bash(&agent, "kill -SEGV $$").wait_exit();
    assert!(ended_by(&killed, "SEGV", 11), "{killed:#}");
    let session = bash(&agent, "sleep 600");
    let reply = session.kill_with("KILL");
    assert_eq!(reply["alive"], false, "{reply}");
    assert_eq!(session.kill()["alive"], false, "killing a dead session is not an error");
}

/// A jail's init reports a signal of its child as 128 + N.
fn ended_by(reply: &Value, name: &str, number: i64) -> bool {
    reply["signal"] == name || reply["exitCode"] == 128 + number
}

#[test]
fn a_program_that_never_reads_stalls_the_send_and_nothing_else() {
    let service = Service::start();
    let agent = service.agent();
    let session = bash(&agent, "stty raw -echo; echo up; sleep 600");
    session.wait(json!({ "forText": "up" }));
    let text = "x".repeat(200 * 1024);
    let reply = session.try_send(json!({ "text": text, "timeoutMs": 1500, "paste": "never" })).ok();
    assert_eq!(reply["outcome"], "stalled", "{reply:#}");
    assert!(reply["bytesWritten"].as_u64().unwrap() < 200 * 1024, "{reply:#}");
    assert!(!reply["hint"].as_str().unwrap().is_empty());
    assert!(session.status()["state"].is_string(), "others are answered meanwhile");
    assert_eq!(session.kill()["alive"], false);
}

#[test]
fn a_setsid_child_dies_with_its_session() {
    let service = Service::start();
    let agent = service.agent();
    let mark = "86399.125";
    let session = bash(&agent, &format!("setsid sleep {mark} & echo up; sleep 600"));
    session.wait(json!({ "forText": "up" }));
    assert!(runs(mark), "the child runs before the kill");
    session.kill();
    assert!(!runs(mark), "kill returns when everything is gone");
}

fn runs(mark: &str) -> bool {
    let wanted = format!("sleep\0{mark}\0");
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line == wanted.as_bytes()
    })
}
