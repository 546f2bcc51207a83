//! The examples of the README do what it says.

use std::process::Command;

use crate::harness::Service;

#[test]
fn the_python_example_drives_a_repl_and_sees_its_events() {
    let service = Service::start();
    let output = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/drive.py"))
        .env("TTYDRIVE_URL", &service.url)
        .env("TTYDRIVE_TOKEN", service.token("agent", "default"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    for wanted in ["send: submitted", "wait: text", "285", "terminal:input_needed", "ended:"] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}\n{errors}");
    }
}
