//! The client verbs of the command line, against a running service.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::harness::Service;

/// The binary as an operator runs it; nothing of the tester's environment leaks in.
fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ttydrive"));
    command.args(args).env_remove("TTYDRIVE_URL").env_remove("TTYDRIVE_TOKEN");
    command.stdin(Stdio::null());
    command
}

struct Shell<'s> {
    service: &'s Service,
}

impl Shell<'_> {
    /// A verb with the admin token of the data dir.
    fn verb(&self, args: &[&str]) -> Command {
        // Before the others, because those may end with the arguments of a program.
        let mut command = command(&args[..1]);
        command.env("TTYDRIVE_URL", &self.service.url);
        command.arg("--data-dir").arg(self.service.data_dir()).args(&args[1..]);
        command
    }

    fn run(&self, args: &[&str]) -> String {
        let output = self.verb(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", complaint(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.run(args)).unwrap()
    }
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_session_is_driven_from_a_shell() {
    let service = Service::start();
    let shell = Shell { service: &service };
    let created = shell.run(&["create", "python3", "--name", "mine"]);
    let id = created.trim();
    shell.run(&["wait", id, "--state", "awaiting-input", "--timeout-ms", "60000"]);
    let sent = shell.json(&["send", id, "print(6 * 7)", "--submit", "--json"]);
    assert_eq!(sent["outcome"], "submitted");
    shell.run(&["wait", id, "--text", "42", "--timeout-ms", "60000"]);
    assert!(shell.run(&["read", id]).contains("print(6 * 7)"));
    let list = shell.run(&["ls"]);
    let row = list.lines().find(|line| line.starts_with(id)).expect("it is listed");
    assert!(row.contains("python3") && row.contains("mine"), "{row}");
    // Control-D ends Python, which a wait that is asked later still tells.
    shell.run(&["key", id, "C-d"]);
    shell.run(&["wait", id, "--exit", "--timeout-ms", "60000"]);
    assert_eq!(shell.json(&["kill", id, "--json"])["exitCode"], 0);
    assert_eq!(shell.run(&["kill", id]), "exited with 0\n");
}

#[test]
fn text_from_standard_input_is_typed_whole() {
    let service = Service::start();
    let shell = Shell { service: &service };
    let created = shell.run(&["create", "bash", "--", "-c", "read line; echo \"<$line>\""]);
    let id = created.trim();
    let mut child = shell
        .verb(&["send", id, "-", "--submit"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"from a pipe").unwrap();
    assert!(child.wait().unwrap().success());
    shell.run(&["wait", id, "--exit", "--timeout-ms", "60000"]);
    assert!(shell.run(&["read", id]).contains("<from a pipe>"));
}

#[test]
fn a_wait_that_finds_nothing_ends_with_1() {
    let service = Service::start();
    let shell = Shell { service: &service };
    let created = shell.run(&["create", "bash", "--", "-c", "sleep 600"]);
    let args = ["wait", created.trim(), "--text", "never", "--timeout-ms", "1", "--json"];
    let output = shell.verb(&args).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", complaint(&output));
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&reply["matched"], &reply["reason"]), (&false.into(), &"timeout".into()));
}

#[test]
fn stored_events_read_the_same_after_a_restart() {
    let mut service = Service::start();
    let shell = Shell { service: &service };
    let created = shell.run(&["create", "bash", "--", "-c", "exit 5"]);
    let id = created.trim().to_owned();
    shell.run(&["wait", &id, "--exit", "--timeout-ms", "60000"]);
    let session = ["--session", &id, "--types", "terminal:session_state", "--since", "0"];
    let events = |service: &Service, count: &str| -> Vec<Value> {
        let mut args = vec!["events", "--json", "--count", count];
        args.extend(session);
        let printed = Shell { service }.run(&args);
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let first = events(&service, "3");
    let states: Vec<&str> = first.iter().filter_map(|event| event["state"].as_str()).collect();
    assert_eq!(states, ["created", "running", "exited"]);
    assert_eq!(first[2]["exitCode"], 5);
    service.restart();
    assert_eq!(events(&service, "3"), first);
}

#[test]
fn a_cut_stream_is_resumed_after_the_last_event_seen() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let child = command(&["events", "--count", "2", "--json", "--url", &url])
        .env("TTYDRIVE_TOKEN", "A".repeat(43))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    for (asked, id) in [("GET /v1/events HTTP/1.1", 7), ("GET /v1/events?lastEventId=7 ", 8)] {
        let (mut stream, _) = listener.accept().unwrap();
        // All of the request is read, so that closing does not cut the answer.
        let lines = BufReader::new(&stream).lines().map_while(Result::ok);
        let request: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        assert!(request[0].starts_with(asked), "{request:?}");
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 2000\n\n";
        write!(stream, "{head}id: {id}\nevent: x\ndata: {{\"id\":{id}}}\n\n").unwrap();
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "{\"id\":7}\n{\"id\":8}\n");
}

#[test]
fn a_refusal_is_told_with_its_hint_and_ends_with_1() {
    let service = Service::start();
    let shell = Shell { service: &service };
    let output = shell.verb(&["read", "ts_missing"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = complaint(&output);
    assert!(said.contains("not_found") && said.contains("hint:"), "{said}");
    // A token that the service does not know, from a file.
    let file = service.data_dir().with_file_name("other-token");
    std::fs::write(&file, "A".repeat(43)).unwrap();
    let output = shell.verb(&["ls", "--token-file", file.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(complaint(&output).contains("unauthenticated"), "{}", complaint(&output));
}

#[test]
fn the_admin_token_is_not_sent_to_another_machine() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("admin-token"), "A".repeat(43)).unwrap();
    let args = ["ls", "--url", "http://ttydrive.invalid:7717", "--data-dir"];
    let output = command(&args).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("--token-file"), "{}", complaint(&output));
}

#[test]
fn completions_and_the_manual_know_the_verbs() {
    for args in [&["completions", "bash"][..], &["completions", "zsh"], &["man"]] {
        let output = command(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", complaint(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        for verb in ["create", "events", "wait"] {
            assert!(text.contains(verb), "{args:?} without {verb}");
        }
    }
    // The shell itself is the judge of the script.
    let script = command(&["completions", "bash"]).output().unwrap().stdout;
    let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    bash.stdin.take().unwrap().write_all(&script).unwrap();
    assert!(bash.wait().unwrap().success());
}

#[test]
fn every_command_has_help_with_an_example_and_usage_errors_end_with_2() {
    let commands: [&[&str]; 24] = [
        &["completions"],
        &["man"],
        &["serve"],
        &["demo"],
        &["create"],
        &["ls"],
        &["events"],
        &["send"],
        &["key"],
        &["read"],
        &["wait"],
        &["kill"],
        &["doctor"],
        &["explain"],
        &["corpus"],
        &["profile"],
        &["states"],
        &["config"],
        &["config", "check"],
        &["config", "print-default"],
        &["token"],
        &["token", "create"],
        &["token", "list"],
        &["token", "revoke"],
    ];
    for words in commands {
        let help = command(words).arg("--help").output().unwrap();
        assert_eq!(help.status.code(), Some(0), "{words:?}");
        let text = String::from_utf8(help.stdout).unwrap();
        assert!(text.contains(&format!("Example:\n  ttydrive {}", words[0])), "{text}");
        assert!(!text.contains("--token "), "a token is never an argument: {text}");
        let wrong = command(words).arg("--no-such-flag").output().unwrap();
        assert_eq!(wrong.status.code(), Some(2), "{words:?}: {}", complaint(&wrong));
    }
    let help = command(&["key", "--help"]).output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    let (own, service) = help.split_once("Service:").expect("a part about the service");
    assert!(own.contains("--settle-ms") && service.contains("--token-file"), "{help}");
    for wrong in [&["kill", "a&b"][..], &["key", "ts_1"], &["events", "--types", "x&y"]] {
        let output = command(wrong).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", complaint(&output));
    }
}
