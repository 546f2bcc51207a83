//! Keys and pastes as a program on the PTY receives them.

use serde_json::json;

use crate::harness::{Client, Service, Session};

/// Raw mode, the given modes switched on, then every read printed as hex.
const ECHO_BYTES: &str = r"
import os, sys, tty
tty.setraw(0)
os.write(1, sys.argv[1].encode().decode('unicode_escape').encode('latin-1') + b'listening\r\n')
while True:
    data = os.read(0, 4096)
    os.write(1, b'<' + data.hex().encode() + b'>\r\n')
    if data == b'q':
        break
";

/// Leaves the kitty keyboard protocol on and waits in cooked mode, as a program that died
/// and the shell behind it would.
const COOKED_WITH_KITTY: &str = r"
import os, time
os.write(1, b'\x1b[>31u\x1b[>4;2mlistening\r\n')
try:
    while True:
        time.sleep(600)
except KeyboardInterrupt:
    os.write(1, b'got the ' + b'signal\r\n')
";

fn hex(bytes: &str) -> String {
    let digits: String = bytes.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("<{digits}>")
}

#[track_caller]
fn python(agent: &Client, script: &str, modes: &str) -> Session {
    let session = agent.create(json!({ "allowId": "python3", "args": ["-c", script, modes] }));
    session.wait(json!({ "forText": "listening" }));
    session
}

#[test]
fn keys_follow_the_modes_of_the_program() {
    let service = Service::start();
    let agent = service.agent();
    for (modes, keys) in [
        (
            "",
            &[
                ("Up", "\x1b[A"),
                ("C-Left", "\x1b[1;5D"),
                ("S-Tab", "\x1b[Z"),
                ("M-x", "\x1bx"),
                ("C-Space", "\0"),
                ("C-\\", "\x1c"),
                ("F5", "\x1b[15~"),
                ("é", "é"),
                ("Enter", "\r"),
            ][..],
        ),
        ("\\x1b[?1h\\x1b=", &[("Up", "\x1bOA"), ("Home", "\x1bOH"), ("C-Up", "\x1b[1;5A")][..]),
        ("\\x1b[>4;2m", &[("C-c", "\x1b[27;5;99~"), ("S-Enter", "\x1b[27;2;13~")][..]),
        (
            "\\x1b[>1u",
            &[("Escape", "\x1b[27u"), ("C-c", "\x1b[99;5u"), ("S-Enter", "\x1b[13;2u")][..],
        ),
        ("\\x1b[>31u", &[("a", "\x1b[97;;97u"), ("Enter", "\x1b[13u"), ("F3", "\x1b[13~")][..]),
    ] {
        let session = python(&agent, ECHO_BYTES, modes);
        for (key, bytes) in keys {
            session.keys(&[key]);
            session.wait(json!({ "forText": hex(bytes) }));
        }
        session.kill();
    }
}

#[test]
fn control_c_interrupts_a_cooked_program_though_kitty_flags_are_left_on() {
    let service = Service::start();
    let agent = service.agent();
    let session = python(&agent, COOKED_WITH_KITTY, "");
    session.keys(&["C-c"]);
    session.wait(json!({ "forText": "got the signal" }));
    assert_eq!(session.wait_exit()["exitCode"], 0);
}

#[test]
fn pasted_text_cannot_end_the_paste() {
    let service = Service::start();
    let agent = service.agent();
    let session = python(&agent, ECHO_BYTES, "\\x1b[?2004h");
    let text = "one\x1b[201~\u{9b}201~two\nthree";
    session.try_send(json!({ "text": text, "paste": "always" })).ok();
    session.wait(json!({ "forText": hex("\x1b[200~one[201~201~two\rthree\x1b[201~") }));
}

#[test]
fn a_hostile_paste_into_bash_runs_nothing() {
    let service = Service::start();
    let agent = service.agent();
    let session = agent.create(json!({ "allowId": "bash", "args": ["--norc"] }));
    session.wait_state("awaiting-input");
    let text = "echo a\x1b[201~\ntouch /tmp/pwned-by-paste\n";
    session.try_send(json!({ "text": text, "paste": "always" })).ok();
    // Throw the pasted lines away, then look.
    session.keys(&["C-c"]);
    session.wait_state("awaiting-input");
    session.submit("ls /tmp/pwned-by-paste && echo harm || echo no-h''arm");
    session.wait(json!({ "forText": "no-harm" }));
}
