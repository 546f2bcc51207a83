use profiles::Profiles;
use term::{Options, Size, Terminal};

use super::*;

fn frame(text: &str) -> Frame {
    let size = Size { cols: 40, rows: 10 };
    let mut terminal = Terminal::new(Options { size, scrollback_lines: 0 });
    terminal.advance(text.replace('\n', "\r\n").as_bytes());
    (*terminal.frame()).clone()
}

fn claude(text: &str) -> bool {
    let profiles = Profiles::builtin().unwrap();
    holds_text(&frame(text), profiles.for_allow_id("claude").expect("it is built in"))
}

#[test]
fn a_draft_in_a_known_composer_is_text_left_of_the_cursor() {
    let rule = "─".repeat(40);
    assert!(claude(&format!("{rule}\n❯ half a\x1b7\n{rule}\x1b8")));
    assert!(!claude(&format!("{rule}\n❯ \x1b7\n{rule}\x1b8")), "an empty one");
    assert!(!claude(&format!("{rule}\n❯ \x1b7\x1b[2mTry this\x1b[m\n{rule}\x1b8")), "a suggestion");
    assert!(!claude(&format!("{rule}\n❯ \x1b7Type here\n{rule}\x1b8")), "a placeholder");
    assert!(claude(&format!("{rule}\n❯ one\n  two\x1b7\n{rule}\x1b8")), "of two rows");
    assert!(!claude("❯ said before\n\n● an answer"), "words about something else");
}

#[test]
fn text_behind_a_prompt_that_was_seen_empty_is_a_draft() {
    let prompt = prompt_of(&frame("user@host:~$ ")).expect("a prompt");
    assert!(!extends(&frame("user@host:~$ "), &prompt));
    assert!(extends(&frame("user@host:~$ rm -r"), &prompt));
    let long = format!("user@host:~$ {}", "x".repeat(60));
    assert!(extends(&frame(&long), &prompt), "a draft that wraps");
    assert!(!extends(&frame("user@host:~$ \x1b7\x1b[90mgit push\x1b8"), &prompt), "a suggestion");
    assert!(!extends(&frame("other:~$ rm"), &prompt), "another prompt");
    assert!(is_at(&frame("user@host:~$ "), &prompt) && !is_at(&frame("other:~$ "), &prompt));
}

#[test]
fn ordinary_lines_are_no_prompts() {
    for line in ["Downloading... 10%x", "Working", "half a sentence", ""] {
        assert_eq!(prompt_of(&frame(line)), None, "{line}");
    }
}

#[test]
fn queued_is_what_the_profile_calls_so() {
    let profiles = Profiles::builtin().unwrap();
    let claude = profiles.for_allow_id("claude").expect("it is built in");
    assert_eq!(queued(&frame("❯ \n  queued: fix it\n  queued: and test it"), claude), 2);
    assert_eq!(queued(&frame("❯ \n  the job was queued"), claude), 0);
}

/// The screen at the end of a profile's recording.
fn recorded(profile: &str, cast: &str) -> Frame {
    let path = format!("{}/../profiles/{profile}/frames/{cast}.cast", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let reader = term::cast::Reader::new(&bytes[..]).unwrap();
    let options = Options { size: reader.header().size(), scrollback_lines: 0 };
    let mut terminal = Terminal::new(options);
    for event in reader {
        match event.unwrap().data {
            term::cast::Data::Output(text) => terminal.advance(text.as_bytes()),
            term::cast::Data::Resize(size) => terminal.resize(size),
            _ => {}
        }
    }
    (*terminal.frame()).clone()
}

#[test]
fn recorded_composers_hold_text_exactly_where_it_was_typed() {
    let profiles = Profiles::builtin().unwrap();
    let mut held = Vec::new();
    for id in ["aider", "claude-code", "codex", "gemini-cli", "opencode"] {
        let dir = format!("{}/../profiles/{id}/frames", env!("CARGO_MANIFEST_DIR"));
        let mut names: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| name.strip_suffix(".cast").map(str::to_owned))
            .collect();
        names.sort();
        assert!(names.len() >= 4, "{id}");
        let profile = profiles.get(id).unwrap();
        let typed = names.iter().filter(|name| holds_text(&recorded(id, name), profile));
        held.extend(typed.map(|name| format!("{id}/{name}")));
    }
    let typed = [
        "claude-code/05-typed",
        "claude-code/10-slash",
        "codex/03-typed",
        "codex/08-slash",
        "opencode/02-typed",
        "opencode/07-slash",
    ];
    assert_eq!(held, typed);
}
