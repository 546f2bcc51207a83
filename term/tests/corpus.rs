//! Recordings outside the repository: every `NAME.cast` beside a `NAME.txt` must replay to the
//! text in it, and to the same screen whatever the cut. Set `TTYDRIVE_CORPUS` to their folder.

use std::path::{Path, PathBuf};

use term::{Frame, Options, Size, Terminal};

fn casts(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "cast") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn output_of(cast: &str) -> (Size, Vec<u8>) {
    let mut lines = cast.lines();
    let header: serde_json::Value =
        serde_json::from_str(lines.next().expect("a header")).expect("a JSON header");
    let side = |name: &str| header[name].as_u64().expect("a size") as u16;
    let size = Size { cols: side("width"), rows: side("height") };
    let mut bytes = Vec::new();
    for line in lines {
        let event: serde_json::Value = serde_json::from_str(line).expect("a JSON event");
        if event[1] == "o" {
            bytes.extend_from_slice(event[2].as_str().expect("output text").as_bytes());
        }
    }
    (size, bytes)
}

fn replay(size: Size, bytes: &[u8], chunk: usize) -> std::sync::Arc<Frame> {
    let mut terminal = Terminal::new(Options { size, scrollback_lines: 1_000 });
    for piece in bytes.chunks(chunk) {
        terminal.advance(piece);
    }
    terminal.frame()
}

fn text_of(frame: &Frame) -> String {
    let rows: Vec<String> = frame.rows.iter().map(term::Row::text).collect();
    rows.join("\n").trim_end().to_owned()
}

/// tmux prints line drawing as the letters that select it, and it looked at a spinner a moment
/// after the recording had ended.
fn comparable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '✶' | '✻' | '✽' | '✢' | '·' => '*',
            '┌' => 'l',
            '┐' => 'k',
            '└' => 'm',
            '┘' => 'j',
            '├' => 't',
            '┤' => 'u',
            '─' => 'q',
            '│' => 'x',
            '┴' => 'v',
            '┬' => 'w',
            '↑' => '-',
            other => other,
        })
        .collect()
}

#[test]
fn recordings_replay_to_their_text_in_any_chunks() {
    let Some(root) = std::env::var_os("TTYDRIVE_CORPUS") else {
        eprintln!("TTYDRIVE_CORPUS is not set: no recordings to replay");
        return;
    };
    let mut wrong = Vec::new();
    let casts = casts(Path::new(&root));
    assert!(!casts.is_empty(), "no recordings in {}", root.display());
    for path in &casts {
        let cast = std::fs::read_to_string(path).expect("a readable cast");
        let (size, bytes) = output_of(&cast);
        let frame = replay(size, &bytes, 4_096);
        for chunk in [1, 7] {
            let other = replay(size, &bytes, chunk);
            assert_eq!(text_of(&frame), text_of(&other), "{}", path.display());
            assert_eq!(frame.cursor, other.cursor, "{}", path.display());
        }
        let Ok(expected) = std::fs::read_to_string(path.with_extension("txt")) else {
            continue;
        };
        let expected: Vec<&str> = expected.lines().map(|line| line.trim_end_matches(' ')).collect();
        let expected = expected.join("\n").trim_end().to_owned();
        // tmux draws a last line of its own when the program is gone.
        if expected.contains("Pane is dead") {
            continue;
        }
        if comparable(&text_of(&frame)) != comparable(&expected) {
            let differs = text_of(&frame)
                .lines()
                .zip(expected.lines())
                .find(|(a, b)| a != b)
                .map(|(a, b)| format!("\n  here: {a}\n  said: {b}"))
                .unwrap_or_default();
            wrong.push(format!("{}{differs}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), casts.len(), wrong.join("\n"));
}
