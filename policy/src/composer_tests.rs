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
