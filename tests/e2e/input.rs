//! Input is a transaction: what a send reports, and what the program really received.
//!
//! The guests are small programs in `guests/`. Each writes what it reads to a file in its
//! workspace, and both sides are compared.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::{Config, Service, Session, until};

/// A guest's program: what all have in common, and its own part.
macro_rules! guest {
    ($name:literal) => {
        concat!(include_str!("guests/prelude.py"), include_str!(concat!("guests/", $name, ".py")))
    };
}

struct Guest {
    session: Session,
    folder: PathBuf,
    // Ends last.
    _service: Service,
}

impl Guest {
    /// Started and waiting for input.
    #[track_caller]
    fn start(program: &str, args: &[&str]) -> Self {
        let guest = Self::launch("python3", program, args);
        guest.session.wait_state("awaiting-input");
        guest
    }

    /// As a program the service has a profile of.
    #[track_caller]
    fn start_as_claude(program: &str) -> Self {
        let guest = Self::launch("claude", program, &[]);
        guest.session.wait_state("awaiting-input");
        guest
    }

    #[track_caller]
    fn launch(allow_id: &str, program: &str, args: &[&str]) -> Self {
        let service = Service::with(&Config::default().allow("claude", "/usr/bin/python3"));
        let mut argv = vec!["-c", program];
        argv.extend(args);
        let create = json!({ "allowId": allow_id, "args": argv, "project": "guest" });
        let session = service.agent().create(create);
        let folder = service.data_dir().join("workspace/projects/guest");
        Self { session, folder, _service: service }
    }

    #[track_caller]
    fn send(&self, args: Value) -> Value {
        self.session.try_send(args).ok()
    }

    #[track_caller]
    fn submit(&self, text: &str) -> Value {
        self.send(json!({ "text": text, "submit": true }))
    }

    /// What it logged so far.
    fn log(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }

    /// The log, once it has a line like this.
    #[track_caller]
    fn log_with(&self, wanted: &Value) -> Vec<Value> {
        until(|| self.log().contains(wanted), || format!("no {wanted} in {:?}", self.log()));
        self.log()
    }
}

#[track_caller]
fn assert_outcome(reply: &Value, outcome: &str) {
    assert_eq!(reply["outcome"], outcome, "{reply:#}");
}

#[track_caller]
fn assert_stalled(reply: &Value, hint: &str) {
    assert_outcome(reply, "stalled");
    assert!(reply["hint"].as_str().unwrap_or_default().contains(hint), "{reply:#}");
}

#[test]
fn enter_comes_late_enough_after_a_paste() {
    let guest = Guest::start(guest!("slow_enter"), &["250"]);
    assert_outcome(&guest.submit("one\ntwo"), "submitted");
    let expected = [json!(["paste", "one\rtwo"]), json!(["submitted", "one\rtwo"])];
    assert_eq!(guest.log(), expected);
}

#[test]
fn an_ignored_enter_is_not_reported_as_submitted_and_not_pressed_again() {
    let guest = Guest::start(guest!("slow_enter"), &["600000"]);
    let reply = guest.send(json!({ "text": "one\ntwo", "submit": true, "timeoutMs": 2500 }));
    assert_stalled(&reply, "press Enter again");
    assert_eq!(guest.log(), [json!(["paste", "one\rtwo"]), json!(["ignored"])]);
}

#[test]
fn a_message_that_the_program_keeps_for_later_is_queued() {
    let guest = Guest::start_as_claude(guest!("queues"));
    assert_outcome(&guest.submit("fix the parser"), "queued");
    assert_outcome(&guest.submit("and its tests"), "queued");
    let expected = [json!(["submitted", "fix the parser"]), json!(["submitted", "and its tests"])];
    assert_eq!(guest.log(), expected);
}

#[test]
fn a_reader_that_starts_late_gets_all_of_it() {
    let guest = Guest::launch("python3", guest!("late"), &["3"]);
    assert_outcome(&guest.submit("hello"), "submitted");
    assert_eq!(guest.log(), [json!(["line", "hello\n"])]);
    let guest = Guest::launch("python3", guest!("late_raw"), &["3"]);
    assert_outcome(&guest.submit("hello"), "submitted");
    // Enter was turned into a line feed when the terminal was still in line mode.
    assert_eq!(guest.log_with(&json!(["text", "hello\n"])).len(), 1);
}

#[test]
fn what_nobody_reads_is_not_submitted() {
    for mode in ["raw", "cooked"] {
        let guest = Guest::launch("python3", guest!("never"), &[mode]);
        guest.session.wait(json!({ "forText": "here" }));
        let reply = guest.send(json!({ "text": "hello", "submit": true, "timeoutMs": 1500 }));
        assert_stalled(&reply, "no visible effect");
    }
}

#[test]
fn text_never_chooses_in_a_dialog() {
    let guest = Guest::start(guest!("menu"), &[]);
    let refused = guest.session.try_send(json!({ "text": "3", "submit": true }));
    assert_eq!(refused.problem(409, "conflict")["reason"], "dialog_open");
    assert_eq!(guest.log(), [] as [Value; 0], "nothing was written");
    guest.session.keys(&["Down"]);
    guest.session.keys(&["Enter"]);
    assert_eq!(guest.session.wait_exit()["exitCode"], 1);
    let expected =
        [json!(["keys", "\x1b[B"]), json!(["keys", "\r"]), json!(["chosen", "Replace it"])];
    assert_eq!(guest.log(), expected);
}

#[test]
fn a_caller_who_means_it_may_type_into_a_dialog() {
    let guest = Guest::start(guest!("menu"), &[]);
    guest.send(json!({ "text": "3", "onDialog": "send" }));
    assert_eq!(guest.session.wait_exit()["exitCode"], 2);
    assert_eq!(guest.log(), [json!(["keys", "3"]), json!(["chosen", "Delete everything"])]);
}

#[test]
fn a_suggestion_is_nobodys_draft_and_not_submitted() {
    let guest = Guest::start_as_claude(guest!("ghost"));
    let read = guest.session.read(json!({}));
    assert_eq!(read["ghostText"], "write a test for it", "{read:#}");
    assert!(!read["screen"].as_str().unwrap().contains("write a test"), "{read:#}");
    assert_outcome(&guest.submit("hello"), "submitted");
    let log = guest.log();
    assert_eq!(log.last(), Some(&json!(["submitted", "hello"])), "{log:?}");
}

#[test]
fn text_and_enter_are_two_reads() {
    let guest = Guest::start(guest!("chunks"), &[]);
    assert_outcome(&guest.submit("short"), "submitted");
    assert_outcome(&guest.submit("one\ntwo"), "submitted");
    let log = guest.log();
    let submitted: Vec<&Value> = log.iter().filter(|event| event[0] == "submitted").collect();
    assert_eq!(submitted, [&json!(["submitted", "short"]), &json!(["submitted", "one\rtwo"])]);
    assert_eq!(log.iter().filter(|event| event[1] == "\r").count(), 2, "{log:?}");
}

#[test]
fn a_line_end_of_a_submitted_text_submits_it_once() {
    let guest = Guest::start(guest!("chunks"), &[]);
    assert_outcome(&guest.submit("run it\n"), "submitted");
    let log = guest.log();
    let expected =
        [json!(["read", "run it"]), json!(["read", "\r"]), json!(["submitted", "run it"])];
    assert_eq!(log, expected);
    let guest = Guest::start(guest!("late"), &["0"]);
    assert_outcome(&guest.submit("run it\r\n"), "submitted");
    assert_eq!(guest.log_with(&json!(["line", "run it\n"])).len(), 1);
}

#[test]
fn typed_but_not_submitted_is_delivered_and_goes_on() {
    let guest = Guest::start(guest!("slow_enter"), &["0"]);
    let reply = guest.send(json!({ "text": "half " }));
    assert_outcome(&reply, "delivered");
    assert_eq!(reply["bytesWritten"], 5, "{reply:#}");
    assert_eq!(guest.log(), [json!(["text", "half "])]);
    assert_outcome(&guest.submit("and half"), "submitted");
    let log = guest.log();
    assert_eq!(log.last(), Some(&json!(["submitted", "half and half"])), "{log:?}");
}

#[test]
fn the_end_of_a_paste_inside_of_text_stays_text() {
    let guest = Guest::start(guest!("slow_enter"), &["0"]);
    assert_outcome(&guest.submit("a\x1b[201~b\nrm -r \u{9b}201~c"), "submitted");
    let text = "a[201~b\rrm -r 201~c";
    assert_eq!(guest.log(), [json!(["paste", text]), json!(["submitted", text])]);
}

#[test]
fn a_line_too_long_for_the_terminal_is_refused_whole() {
    let guest = Guest::start(guest!("late"), &["0"]);
    let refused = guest.session.try_send(json!({ "text": "x".repeat(5000), "submit": true }));
    let problem = refused.problem(400, "invalid_value");
    assert!(problem["detail"].as_str().unwrap().contains("canonical"), "{problem}");
    assert_outcome(&guest.submit("short"), "submitted");
    assert_eq!(guest.log_with(&json!(["line", "short\n"])).len(), 1);
    // As long as it may be.
    assert_outcome(&guest.submit(&"y".repeat(4095)), "submitted");
    let longest = format!("{}\n", "y".repeat(4095));
    assert_eq!(guest.log_with(&json!(["line", longest])).len(), 2);
}

#[test]
fn a_paste_is_forced_only_on_a_program_that_knows_pastes() {
    let guest = Guest::start(guest!("late"), &["0"]);
    let refused = guest.session.try_send(json!({ "text": "x", "paste": "always" }));
    let problem = refused.problem(400, "invalid_value");
    assert!(problem["detail"].as_str().unwrap().contains("bracketed paste"), "{problem}");
    assert_eq!(guest.log(), [] as [Value; 0], "nothing was written");
}

/// Somebody types at the terminal; the caller's text must not be joined to that.
#[track_caller]
fn types_at_the_terminal(guest: &Guest, shown: &str) {
    std::fs::write(guest.folder.join("type"), "").unwrap();
    guest.log_with(&json!(["typed"]));
    guest.session.wait(json!({ "forText": shown, "sinceFrame": 0 }));
    let refused = guest.session.try_send(json!({ "text": "hello", "submit": true }));
    assert_eq!(refused.problem(409, "conflict")["reason"], "foreign_draft");
}

#[test]
fn a_humans_draft_at_a_line_prompt_is_not_touched() {
    let guest = Guest::start(guest!("human_line"), &[]);
    assert_outcome(&guest.submit("echo one"), "submitted");
    guest.session.wait_state("awaiting-input");
    types_at_the_terminal(&guest, "rm -rf half");
    assert_eq!(guest.log(), [json!(["line", "echo one"]), json!(["typed"])]);
    guest.session.keys(&["C-u"]);
    assert_outcome(&guest.submit("echo two"), "submitted");
    assert_eq!(guest.log().last(), Some(&json!(["line", "echo two"])));
}

#[test]
fn a_humans_draft_in_a_composer_is_not_touched() {
    let guest = Guest::start_as_claude(guest!("human_composer"));
    types_at_the_terminal(&guest, "half a thought");
    assert_eq!(guest.log(), [json!(["typed"])], "nothing was written");
    guest.session.keys(&["C-u"]);
    assert_outcome(&guest.submit("hello"), "submitted");
    let log = guest.log();
    assert_eq!(
        &log[1..],
        [json!(["read", "\x15"]), json!(["read", "hello"]), json!(["read", "\r"])]
    );
}

#[test]
fn keys_that_bring_text_back_are_the_callers_own() {
    let guest = Guest::start(guest!("human_line"), &[]);
    assert_outcome(&guest.submit("echo one"), "submitted");
    guest.session.wait_state("awaiting-input");
    guest.session.keys(&["Up"]);
    assert_outcome(&guest.submit(" two"), "submitted");
    assert_eq!(guest.log().last(), Some(&json!(["line", "echo one two"])));
}

#[test]
fn what_a_callers_own_clearing_leaves_stays_its_own() {
    let guest = Guest::start_as_claude(guest!("human_composer"));
    assert_outcome(&guest.send(json!({ "text": "one" })), "delivered");
    guest.session.keys(&["C-j"]);
    assert_outcome(&guest.send(json!({ "text": "two" })), "delivered");
    guest.session.keys(&["C-u"]);
    let reply = guest.submit(" more");
    assert_outcome(&reply, "submitted");
    assert!(reply["screen"].as_str().unwrap().contains("took one more"), "{reply:#}");
}

/// A shell runs one line, and takes a paste of two as one.
#[track_caller]
fn is_driven(session: &Session) {
    session.wait_state("awaiting-input");
    assert_outcome(&session.submit("echo 4''2"), "submitted");
    session.wait(json!({ "forText": "42" }));
    session.wait_state("awaiting-input");
    let typed = session.try_send(json!({ "text": "echo never \\\nthere" })).ok();
    assert_outcome(&typed, "delivered");
    session.keys(&["C-c"]);
    session.wait_state("awaiting-input");
    assert_outcome(&session.submit("exit 3"), "submitted");
    assert_eq!(session.wait_exit()["exitCode"], 3);
}

#[test]
fn shells_with_line_editors_are_driven() {
    let shells = [("bash", &["--norc"][..]), ("fish", &["--no-config"][..]), ("zsh", &["-f"][..])];
    for (shell, args) in shells {
        let path = format!("/usr/bin/{shell}");
        if !std::path::Path::new(&path).exists() {
            eprintln!("not run: {path} is not installed on this host");
            continue;
        }
        let config = Config::default();
        let service =
            Service::with(&if shell == "bash" { config } else { config.allow(shell, &path) });
        is_driven(&service.agent().create(json!({ "allowId": shell, "args": args })));
    }
}

#[test]
fn a_shell_made_with_prompt_toolkit_is_driven() {
    if !std::path::Path::new("/usr/lib/python3/dist-packages/prompt_toolkit").exists() {
        eprintln!("not run: python3-prompt-toolkit is not installed on this host");
        return;
    }
    let guest = Guest::start(guest!("prompt"), &[]);
    assert_outcome(&guest.submit("one line"), "submitted");
    assert_outcome(&guest.submit("two\nlines"), "submitted");
    guest.session.wait_state("awaiting-input");
    guest.send(json!({ "text": "x".repeat(70) }));
    guest.session.keys(&["C-c"]);
    assert_eq!(guest.log(), [json!(["line", "one line"]), json!(["line", "two\nlines"])]);
}
